// Transcribe: a recording or a video becomes text with times and speakers, which stays on the studio as a project.

import type { PageProps } from '#control-plane/web/app.tsx'
import { decoded } from '#control-plane/web/frame/address.ts'
import { withHint } from '#control-plane/web/lib/api.ts'
import { useChanges } from '#control-plane/web/lib/changes.ts'
import { Action, Field, fieldValue, Progress } from '#control-plane/web/lib/controls.tsx'
import { bytes, duration } from '#control-plane/web/lib/format.ts'
import { useEffect, useRef, useState } from '#control-plane/web/lib/html.ts'
import { whenOpened } from '#control-plane/web/lib/later.tsx'
import { notify } from '#control-plane/web/lib/notices.ts'
import { useRead } from '#control-plane/web/lib/read.ts'
import { DropZone } from '#control-plane/web/look/drop-zone.tsx'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { Needs } from '#control-plane/web/needs/later.tsx'
import { strings } from '#messages/create/transcribe.ts'
import { strings as shared } from '#messages/shared.ts'
import { TranscriptList, transcriptsIn } from '../transcript/list.tsx'
import type { Transcription, Trouble } from './transcription.ts'
import { cancelSending, cancelTranscription, choose, forgetFile, isOwn, outcomeOf, transcribe, useTranscription } from './transcription.ts'

const Dictate = whenOpened(() => import('./dictate.tsx').then((module) => module.Dictate))
const Editor = whenOpened(() => import('../transcript/editor.tsx').then((module) => module.Editor))

/** Limit of the route. */
const MOST_BYTES = 512 * 1024 ** 2

/** Types of every format; the escapes keep tools from reading a comment. */
export const SOUND = 'audio/\u002a,video/\u002a'

function take(file: File | undefined) {
  if (!file) return
  if (file.size > MOST_BYTES) return notify(strings.tooLarge, 'error')
  if (!choose(file)) notify(strings.otherSending, 'error')
}

const FilePicker = () => (
  <DropZone types={SOUND} label={strings.file} onFile={take}>
    {(open) => (
      <>
        <span class="kind k4 large">
          <Icon of="captions" isLarge />
        </span>
        <p class="lead">{strings.drop}</p>
        <button type="button" class="main" onClick={open}>
          {strings.choose}
        </button>
        <p class="soft">{strings.formats}</p>
      </>
    )}
  </DropZone>
)

const Failed = ({ trouble }: { trouble: Trouble | null }) =>
  trouble &&
  (trouble.needs ? (
    <Needs.View of={trouble.needs} />
  ) : (
    <p class="callout bad text" role="alert">
      <strong>{strings.failed}</strong> {withHint(trouble.message, trouble.hint)}
    </p>
  ))

function Options({ file, error, onStarted }: { file: File; error: Trouble | null; onStarted: (job: string) => void }) {
  const [language, setLanguage] = useState('')
  const [hasSpeakers, setSpeakers] = useState(true)
  const start = useRef<HTMLButtonElement | null>(null)
  // The button that opened the list of files no longer exists, so the focus moves to the next step.
  useEffect(() => start.current?.focus({ preventScroll: true }), [])
  const submit = async (event: Event) => {
    event.preventDefault()
    const job = await transcribe({ language, hasSpeakers })
    if (job !== null) onStarted(job)
  }
  return (
    <form class="sheet recording" onSubmit={submit}>
      <div class="row">
        <span class="kind k4">
          <Icon of="captions" />
        </span>
        <p class="text one-line">
          <strong dir="auto">{file.name}</strong> <span class="soft">{bytes(file.size)}</span>
        </p>
        <span class="spread"></span>
        <button type="button" onClick={forgetFile}>
          {strings.other}
        </button>
      </div>
      <div class="choices">
        <Field label={strings.language} hint={strings.languageHint}>
          <input value={language} maxlength={35} onInput={(event: Event) => setLanguage(fieldValue(event))} />
        </Field>
        <label class="tick">
          <input type="checkbox" checked={hasSpeakers} onChange={() => setSpeakers(!hasSpeakers)} /> {strings.speakers}
        </label>
      </div>
      <Failed trouble={error} />
      <div class="row">
        <button type="submit" ref={start} class="main">
          {strings.transcribe}
        </button>
      </div>
    </form>
  )
}

type Work = { text: string; hint: string; startedAt: number; progress: number | null; onCancel: () => unknown }
function Working({ text, hint, startedAt, progress, onCancel }: Work) {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    if (startedAt === 0) return
    // The clocks of the studio and of this device may differ.
    const timer = setInterval(() => setSeconds(Math.max(0, Date.now() / 1000 - startedAt)), 500)
    return () => clearInterval(timer)
  }, [startedAt])
  return (
    <section class="sheet recording" aria-label={strings.title}>
      <div class="row">
        <span class="kind k4">
          <Icon of="captions" />
        </span>
        <p class="text one-line" role="status">
          <strong>{text}</strong>
        </p>
        <span class="soft">{duration(seconds)}</span>
        <span class="spread"></span>
        <Action onPress={onCancel}>{shared.cancel}</Action>
      </div>
      <Progress value={progress} label={text} />
      <p class="soft">{hint}</p>
    </section>
  )
}

const show = (project: string) => location.replace(`#/transcribe/${encodeURIComponent(project)}`)

/** A transcription of the studio, until its transcript is there. `onEnd`: before the transcript is shown */
function Running({ job, onEnd }: { job: string; onEnd: () => Promise<unknown> }) {
  const [{ startedAt, progress, name, trouble }, set] = useState({
    startedAt: 0,
    progress: null as number | null,
    name: '',
    trouble: null as Trouble | null,
  })
  useEffect(() => {
    const own = new AbortController()
    const follow = async () => {
      const outcome = await outcomeOf(
        job,
        // Unknown until the recogniser reports its first share.
        (now) => set({ startedAt: now.created_at, progress: now.progress || null, name: nameOfJob(now.meta_json), trouble: null }),
        own.signal,
      )
      await onEnd()
      if (own.signal.aborted) return
      if ('project' in outcome) show(outcome.project)
      else if ('isCancelled' in outcome || isOwn(job)) show('')
      else set((now) => ({ ...now, trouble: outcome.trouble }))
    }
    follow().catch(() => {}) // the page was left
    return () => own.abort()
  }, [job])
  if (trouble) return <Failed trouble={trouble} />
  return (
    <Working
      text={strings.working(name)}
      hint={strings.workingHint}
      startedAt={startedAt}
      progress={progress}
      onCancel={() => cancelTranscription(job)}
    />
  )
}

function nameOfJob(meta: string): string {
  try {
    return String(JSON.parse(meta).filename ?? '')
  } catch {
    return ''
  }
}

function Beginning({ now }: { now: Transcription }) {
  if (now.phase === 'sending')
    return (
      <Working
        text={strings.sending(now.file?.name ?? '')}
        hint={strings.sendingHint}
        startedAt={now.startedAt}
        progress={null}
        onCancel={cancelSending}
      />
    )
  // The list shows it until it has ended.
  if (now.file === null || (now.job !== '' && now.phase === 'idle')) return <FilePicker />
  return <Options file={now.file} error={now.error} onStarted={(job) => location.hash.startsWith('#/transcribe') && show(job)} />
}

function Recordings({
  object,
  query,
  activeJobs,
}: { object: string } & Pick<PageProps['address'], 'query'> & Pick<PageProps, 'activeJobs'>) {
  const now = useTranscription()
  const projects = useRead('/projects')
  useChanges('projects', () => void projects.again())
  const { kept, running } = transcriptsIn(projects.value ?? [], activeJobs.value ?? [])
  const row = kept.find(({ id }) => id === object)
  const list = (
    <TranscriptList
      kept={kept}
      running={running}
      chosen={object}
      error={projects.error}
      onChanged={async () => void (await Promise.all([projects.again(), activeJobs.reload()]))}
    />
  )
  if (object === '')
    return (
      <>
        <Beginning now={now} />
        {list}
      </>
    )
  if (projects.value === null) return <p class="empty">{projects.error || shared.loading}</p>
  if (!row)
    return (
      <>
        <a class="back" href="#/transcribe">
          {strings.all}
        </a>
        <Running key={object} job={object} onEnd={projects.again} />
      </>
    )
  return <Editor.View key={object} project={object} name={row.name} query={query} list={list} />
}

export function Transcribe({ address, activeJobs }: Pick<PageProps, 'address' | 'activeJobs'>) {
  const object = decoded(address.object)
  const isDictating = object === 'dictate'
  return (
    <>
      {(isDictating || object === '') && (
        <nav class="tabs" aria-label={strings.views}>
          <a href="#/transcribe" aria-current={isDictating ? undefined : 'page'}>
            {strings.tabs.recording}
          </a>
          <a href="#/transcribe/dictate" aria-current={isDictating ? 'page' : undefined}>
            {strings.tabs.dictate}
          </a>
        </nav>
      )}
      {isDictating ? <Dictate.View /> : <Recordings object={object} query={address.query} activeJobs={activeJobs} />}
    </>
  )
}
