// One job beside the table: what happened, what is kept, its steps and events.

import { cancelJob, jobName, metaText, retryJob } from '#control-plane/web/frame/active-jobs.ts'
import { startSpeaking } from '#control-plane/web/frame/generation.ts'
import { isActive } from '#control-plane/web/frame/job.ts'
import { JobKind } from '#control-plane/web/frame/tray.tsx'
import { ApiError, get, messageOf, needIn } from '#control-plane/web/lib/api.ts'
import { Action, Confirm, copyText, Progress } from '#control-plane/web/lib/controls.tsx'
import { ago, duration, percent, remaining } from '#control-plane/web/lib/format.ts'
import { useEffect, useState } from '#control-plane/web/lib/html.ts'
import { notify } from '#control-plane/web/lib/notices.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { Needs } from '#control-plane/web/needs/later.tsx'
import { strings as shared } from '#messages/shared.ts'
import { strings } from '#messages/system/jobs.ts'
import type { Job } from './list.ts'
import { JobState } from './table.tsx'
import { eventLine, placeOf, progressText, type StoredEvent } from './texts.ts'

const EVERY_MS = 2_000
/** The newest events that are drawn. */
const MOST_EVENTS = 50
/** The job and its events, read again while it runs. */
function useJob(id: string) {
  const [state, setState] = useState({ job: null as Job | null, events: [] as readonly StoredEvent[], error: '' })
  const [version, setVersion] = useState(0)
  useEffect(() => {
    let isOver = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const read = async () => {
      try {
        const { job, events } = await get(`/jobs/${encodeURIComponent(id)}/events` as `/jobs/${string}/events`)
        if (isOver) return
        setState({ job, events: events.slice(-MOST_EVENTS), error: '' })
        if (!isActive(job)) return
      } catch (error) {
        if (isOver) return
        setState((now) => ({ ...now, error: messageOf(error) }))
        if (error instanceof ApiError && error.status === 404) return
      }
      timer = setTimeout(read, EVERY_MS)
    }
    void read()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [id, version])
  return { ...state, again: () => setVersion((now) => now + 1) }
}

/** Failed speech is spoken again as a new take. */
async function speakAgain(text: string) {
  const { readDraft, sendToSpeak } = await import('../speak/draft.ts')
  sendToSpeak(text)
  await startSpeaking(readDraft())
}

const Events = ({ events }: { events: readonly StoredEvent[] }) => (
  <section>
    <details>
      <summary>{strings.events(events.length)}</summary>
      <ol class="plain events">
        {events.map(eventLine).map((event) => (
          <li key={event.seq}>
            <b class="text">{event.name || event.seq}</b>
            <small class="text clip">{event.text}</small>
          </li>
        ))}
      </ol>
    </details>
  </section>
)

/** `back`: the address without this job */
export function JobDetails({ id, back, onChanged }: { id: string; back: string; onChanged: () => unknown }) {
  const { job, events, error, again } = useJob(id)
  const [isAsking, setAsking] = useState(false)
  useEffect(() => {
    const opened = document.querySelector('[data-opened]')
    if (opened instanceof HTMLElement) opened.focus({ preventScroll: true })
  }, [job !== null])
  const backLink = (
    <a class="back" href={back}>
      {strings.backToJobs}
    </a>
  )
  const failure = error && (
    <p class="callout bad text" role="alert">
      {error}{' '}
      <button type="button" class="quiet" onClick={again}>
        {shared.tryAgain}
      </button>
    </p>
  )
  if (job === null)
    return (
      <aside class="details" aria-label={strings.jobColumns.job}>
        {backLink}
        {failure || (
          <p class="soft" role="status">
            {shared.loading}
          </p>
        )}
      </aside>
    )
  const name = jobName(job)
  const place = placeOf(job)
  const cancel = async () => {
    await cancelJob(job.id)
    notify(strings.cancelling)
    again()
    await onChanged()
  }
  const retry = async () => {
    await retryJob(job.id)
    again()
    await onChanged()
  }
  const need = job.status === 'failed' ? needIn(job) : null
  const spoken = job.type === 'generate' && job.status === 'failed' && !job.set_aside ? metaText(job, 'title') : ''
  const copy = async () => {
    await copyText([job.id, job.type, job.status, job.error ?? ''].join('\n'))
    notify(strings.copied)
  }
  const text = progressText(job)
  return (
    <aside class="details job" aria-label={name}>
      {backLink}
      <header>
        <JobKind type={job.type} isBig={true} />
        <div>
          <h2 tabindex={-1} data-opened class="text" dir="auto">
            {name}
          </h2>
          <small>{strings.jobKind(job.type)}</small>
        </div>
        <a class="button quiet icon-only" href={back} aria-label={shared.close} title={shared.close}>
          <Icon of="close" />
        </a>
      </header>
      {failure}
      <p>
        <JobState job={job} />
      </p>
      {job.status === 'running' && (
        <Progress
          value={job.progress}
          label={strings.progress(name, job.progress === null ? strings.jobStates.running : percent(job.progress))}
        />
      )}
      {text && (
        <p class="text" dir="auto">
          {text}
        </p>
      )}
      {need && <Needs.View of={need} />}
      {isActive(job) && job.seconds_left !== null && <p class="soft">{strings.timeLeft(remaining(job.seconds_left))}</p>}
      <div class="row">
        {place && (
          <a class="button" href={place}>
            {strings.openResult}
          </a>
        )}
        {job.set_aside && (
          <Action kind="main" onPress={retry}>
            {shared.tryAgain}
          </Action>
        )}
        {spoken && (
          <Action kind="main" onPress={() => speakAgain(spoken)}>
            {shared.tryAgain}
          </Action>
        )}
        {isActive(job) && (
          <button type="button" onClick={() => setAsking(true)}>
            {shared.cancel}
          </button>
        )}
        <Action kind="quiet" onPress={copy}>
          {strings.copyDetails}
        </Action>
      </div>
      <section>
        <h3>{strings.times}</h3>
        <dl class="facts">
          <dt>{strings.begun}</dt>
          <dd>{ago(job.created_at)}</dd>
          {job.finished_at !== null && (
            <>
              <dt>{strings.endedAt}</dt>
              <dd>{strings.ended(ago(job.finished_at), duration(Math.max(0, job.finished_at - job.created_at)))}</dd>
            </>
          )}
        </dl>
      </section>
      {events.length > 0 && <Events events={events} />}
      {isAsking && (
        <Confirm
          title={strings.cancelTitle}
          action={strings.cancelAction}
          keep={strings.cancelKeep}
          onYes={cancel}
          onClose={() => setAsking(false)}
        >
          <p class="text clip" dir="auto">
            {name}
          </p>
          <p>{strings.cancelWarning}</p>
        </Confirm>
      )}
    </aside>
  )
}
