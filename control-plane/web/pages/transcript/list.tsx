// The transcripts of the studio, newest first, with those that are being made.

import { type Job, jobName } from '#control-plane/web/frame/active-jobs.ts'
import type { Gets } from '#control-plane/web/lib/api-types.ts'
import { FindField } from '#control-plane/web/lib/controls.tsx'
import { ago, percent, soundLength } from '#control-plane/web/lib/format.ts'
import { useState } from '#control-plane/web/lib/html.ts'
import { reportFailure } from '#control-plane/web/lib/notices.ts'
import { Icon, Ring } from '#control-plane/web/look/icons.tsx'
import { useGrowing } from '#control-plane/web/look/windowed.ts'
import { focusNextRow } from '#control-plane/web/takes/delete-takes.ts'
import { strings } from '#messages/create/transcribe.ts'
import { deleteProject } from '../projects/delete-project.ts'

type Row = Gets['/projects'][number]

/** Pure. */
export const transcriptsIn = (projects: readonly Row[], jobs: readonly Job[]) => ({
  kept: projects.filter(({ kind }) => kind === 'transcript'),
  running: jobs.filter(({ type }) => type === 'transcription'),
})

const addressOf = (id: string) => `#/transcribe/${encodeURIComponent(id)}`

/** `chosen`: the one of the address */
export function TranscriptList({
  kept,
  running,
  chosen,
  error,
  onChanged,
}: {
  kept: readonly Row[]
  running: readonly Job[]
  chosen: string
  error: string
  onChanged: () => Promise<unknown>
}) {
  const [find, setFind] = useState('')
  const wanted = find.trim().toLowerCase()
  const found = kept.filter(({ name }) => name.toLowerCase().includes(wanted))
  const count = useGrowing(found.length)
  const discard = async ({ id, name }: Row, button: Element) => {
    focusNextRow(button)
    if (id === chosen) {
      await (await import('./editor.tsx')).closeEditor(id)
      location.replace('#/transcribe')
    }
    await deleteProject({ id, name }, onChanged)
  }
  if (error)
    return (
      <p class="callout bad text" role="alert">
        {strings.listError(error)}
      </p>
    )
  if (kept.length + running.length === 0) return null
  return (
    <section class="transcript-list" aria-label={strings.transcripts}>
      <div class="row region">
        <h2>{strings.transcripts}</h2>
        <span class="soft number">{kept.length}</span>
        <span class="spread"></span>
        {chosen !== '' && (
          <a class="button" href="#/transcribe">
            <Icon of="plus" />
            {strings.another}
          </a>
        )}
      </div>
      {kept.length > 1 && <FindField value={find} label={strings.findTranscript} maxLength={200} onFind={setFind} />}
      <ul class="plain">
        {wanted === '' &&
          running.map((job) => (
            <li key={job.id} class={job.id === chosen ? 'chosen' : undefined}>
              <a class="text one-line" dir="auto" href={addressOf(job.id)}>
                {jobName(job)}
              </a>
              <small class="row">
                <Ring share={job.progress} />
                {job.progress ? percent(job.progress) : strings.beginning}
              </small>
            </li>
          ))}
        {found.slice(0, count).map((one) => (
          <li key={one.id} data-row class={one.id === chosen ? 'chosen' : undefined}>
            <a class="text one-line" dir="auto" href={addressOf(one.id)} aria-current={one.id === chosen ? 'page' : undefined}>
              {one.name}
            </a>
            <small>{[one.duration ? soundLength(one.duration) : '', ago(one.updated_at)].filter(Boolean).join(' · ')}</small>
            <button
              type="button"
              class="quiet icon-only"
              data-delete
              title={strings.deleteOf(one.name)}
              aria-label={strings.deleteOf(one.name)}
              onClick={({ currentTarget }) => void discard(one, currentTarget).catch(reportFailure)}
            >
              <Icon of="trash" />
            </button>
          </li>
        ))}
      </ul>
      {kept.length > 0 && found.length === 0 && <p class="soft">{strings.noneFound}</p>}
    </section>
  )
}
