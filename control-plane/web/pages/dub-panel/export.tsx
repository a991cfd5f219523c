// The files that a dub is saved as. Those that take a while are made by jobs, which go on without this page; their download begins when they are made.

import { at } from '#control-plane/web/at.ts'
import { cancelJob } from '#control-plane/web/frame/active-jobs.ts'
import { isActive } from '#control-plane/web/frame/job.ts'
import { post } from '#control-plane/web/lib/api.ts'
import { Action, Dialog, Field, fieldValue, Progress } from '#control-plane/web/lib/controls.tsx'
import { ago, bytes, percent } from '#control-plane/web/lib/format.ts'
import { useEffect, useRef, useState } from '#control-plane/web/lib/html.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { strings } from '#messages/dub/parts.ts'
import { strings as shared } from '#messages/shared.ts'
import { languageName } from '../dub/languages.ts'
import type { StoredDub } from '../dub/lines.ts'
import type { Job } from '../dub/work.ts'

const WHATS = ['film', 'mp3', 'wav', 'stems', 'lines'] as const
type What = (typeof WHATS)[number]
const MOST_MADE = 5

const query = (path: string, values: Record<string, string>) => `${path}?${new URLSearchParams(values)}`

type MadeFile = { name: string; bytes: number }
/** The file of a job, and its choice. */
function metaOf({ meta_json: meta }: Job): { what: string; language: string; file: MadeFile | null } {
  const { what = '', language_code: language = '', file } = JSON.parse(meta)
  return { what, language, file: file ? { name: String(file.name), bytes: Number(file.bytes) } : null }
}

/** Downloads a file that is made. */
function save(path: string) {
  const link = document.createElement('a')
  link.href = at(path)
  link.download = ''
  link.click()
}

const Made = ({ job, href }: { job: Job; href: string }) => {
  const { file } = metaOf(job)
  if (file === null) return null
  return (
    <li class="row">
      <span class="grow">
        <b class="text" dir="auto">
          {file.name}
        </b>
        <small>{strings.madeFile(bytes(file.bytes), ago(job.updated_at))}</small>
      </span>
      <a class="button" download href={href} aria-label={strings.saveAs(file.name)}>
        <Icon of="download" />
        {shared.save}
      </a>
    </li>
  )
}

/** `code`: the language that is being edited. `jobs`: exports of this dub, the newest first. `again`: reads them */
export function Export({
  id,
  dub,
  code,
  jobs,
  again,
  onClose,
}: {
  id: string
  dub: StoredDub
  code: string
  jobs: readonly Job[]
  again: () => Promise<void>
  onClose: () => void
}) {
  const tracks = Object.keys(dub.dubbed_tracks)
  const [lang, setLang] = useState(tracks.includes(code) ? code : (tracks[0] ?? ''))
  const [keepsSound, setKeepsSound] = useState(true)
  const [burns, setBurns] = useState(false)
  const [isDual, setDual] = useState(false)
  /** Jobs that were started here: their files are downloaded once. */
  const asked = useRef(new Map<string, What>())
  const place = encodeURIComponent(id)
  const hrefOf = (job: Job) => `/dub/exports/${place}/${encodeURIComponent(job.id)}`
  const isFilm = dub.input_type !== 'audio'
  useEffect(() => {
    for (const job of jobs) {
      if (isActive(job) || !asked.current.delete(job.id)) continue
      if (job.status === 'done') save(hrefOf(job))
    }
  }, [jobs])
  const start = async (what: What) => {
    const { task_id: task } = await post(`/dub/exports/${place}`, {
      ...{ what, lang, preserve_bg: keepsSound, burn_subs: burns && what === 'film', dual: isDual },
    })
    asked.current.set(task, what)
    await again()
  }
  const words = { lang, dual: String(isDual) }
  const texts = [
    { name: strings.files.srt, detail: strings.files.srtHint, href: query(`/dub/srt/${place}`, words) },
    { name: strings.files.vtt, detail: strings.files.vttHint, href: query(`/dub/vtt/${place}`, words) },
  ]
  const details: Readonly<Record<What, string>> = {
    film: strings.files.filmHint(tracks.length, burns),
    mp3: strings.files.mp3Hint,
    wav: strings.files.wavHint,
    stems: strings.files.stemsHint,
    lines: strings.files.linesHint,
  }
  const newestOf = (what: What) => jobs.find((job) => metaOf(job).what === what && metaOf(job).language === lang)
  const made = jobs.filter(({ status }) => status === 'done').slice(0, MOST_MADE)
  return (
    <Dialog title={strings.exportTitle} onClose={onClose}>
      <div class="fields">
        <Field label={strings.language}>
          <select value={lang} onChange={(event: Event) => setLang(fieldValue(event))}>
            {tracks.map((one) => (
              <option key={one} value={one}>
                {languageName(one)}
              </option>
            ))}
          </select>
        </Field>
        <label class="tick">
          <input type="checkbox" checked={keepsSound} onChange={() => setKeepsSound(!keepsSound)} />{' '}
          {dub.has_bg ? strings.keepBackground : strings.keepOriginal}
        </label>
        <label class="tick">
          <input type="checkbox" checked={isDual} onChange={() => setDual(!isDual)} /> {strings.dual}
        </label>
        {isFilm && (
          <label class="tick">
            <input type="checkbox" checked={burns} onChange={() => setBurns(!burns)} /> {strings.burn}
          </label>
        )}
      </div>
      <ul class="plain exports">
        {WHATS.filter((what) => what !== 'film' || isFilm).map((what) => {
          const job = newestOf(what)
          const name = strings.files[what]
          const isRunning = job !== undefined && isActive(job)
          return (
            <li key={what} class="row">
              <span class="grow">
                <b>{name}</b>
                {isRunning ? (
                  <small class="row">
                    <Progress value={job.progress ?? null} label={strings.makes(name)} />
                    {job.progress === null ? strings.begins : percent(job.progress)}
                  </small>
                ) : (
                  <small>{details[what]}</small>
                )}
                {job?.status === 'failed' && (
                  <small class="warn-text text" role="alert">
                    {strings.exportFailed} {job.error}
                  </small>
                )}
              </span>
              {isRunning ? (
                <Action aria-label={strings.cancelExport(name)} onPress={() => cancelJob(job.id).then(again)}>
                  {shared.cancel}
                </Action>
              ) : (
                <Action aria-label={strings.saveAs(name)} onPress={() => start(what)}>
                  <Icon of="download" />
                  {shared.save}
                </Action>
              )}
            </li>
          )
        })}
        {texts.map(({ name, detail, href }) => (
          <li key={name} class="row">
            <span class="grow">
              <b>{name}</b>
              <small>{detail}</small>
            </span>
            <a class="button" download href={href} aria-label={strings.saveAs(name)}>
              <Icon of="download" />
              {shared.save}
            </a>
          </li>
        ))}
      </ul>
      {made.length > 0 && (
        <section aria-label={strings.madeTitle}>
          <h3>{strings.madeTitle}</h3>
          <ul class="plain exports">
            {made.map((job) => (
              <Made key={job.id} job={job} href={hrefOf(job)} />
            ))}
          </ul>
        </section>
      )}
      <p class="soft">{strings.exportHint}</p>
    </Dialog>
  )
}
