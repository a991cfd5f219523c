// @ts-check
// One job beside the table: what happened, what is kept, its steps and events.

import { isActive } from '../../frame/job.js'
import { cancelJob, JobKind, jobName, metaText, retryJob } from '../../frame/tray.js'
import { ApiError, get, messageOf } from '../../lib/api.js'
import { Action, Confirm, copyText, Progress } from '../../lib/controls.js'
import { ago, duration, percent } from '../../lib/format.js'
import { html, useEffect, useState } from '../../lib/html.js'
import { notify } from '../../lib/notices.js'
import { strings as shared } from '../../lib/strings.js'
import { Icon } from '../../look/icons.js'
import { strings } from './strings.js'
import { JobState, progressText } from './table.js'

/** @import { Job } from './list.js' */
/** @typedef {{ readonly seq: number, readonly at: number, readonly name: string, readonly text: string }} JobEvent */

const EVERY_MS = 2_000
/** The newest events that are drawn. */
const MOST_EVENTS = 50
const EVENT_CHARS = 300

/** A stored event as a line. Pure. @param {{ seq: number, created_at: number, payload: string }} event @returns {JobEvent} */
export function eventLine({ seq, created_at: at, payload }) {
  /** @type {unknown} */
  let data = null
  const lines = payload.split('\n')
  const after = (/** @type {string} */ field) =>
    lines
      .find((line) => line.startsWith(field))
      ?.slice(field.length)
      .trim()
  const body = after('data:') ?? payload
  try {
    data = JSON.parse(body)
  } catch {}
  const field = (/** @type {string} */ name) => (typeof data === 'object' && data !== null ? Reflect.get(data, name) : undefined)
  // Its fields are for programs; a person reads its sentence.
  const text = ['reason', 'error', 'message', 'text'].map(field).find((one) => typeof one === 'string') ?? (data === null ? body : '')
  const named = after('event:') ?? field('type') ?? field('event') ?? field('stage')
  return { seq, at, name: typeof named === 'string' ? named.slice(0, 60).replaceAll('_', ' ') : '', text: text.slice(0, EVENT_CHARS) }
}

/** @type {Readonly<Record<string, string>>} */
const PLACES = { audiobook: '#/audiobook', story: '#/audiobook', generate: '#/files', model_install: '#/models' }

/** The page where the result is. Pure. @param {Pick<Job, 'id' | 'type' | 'meta_json'>} job @returns {string | null} */
export function placeOf(job) {
  if (job.type === 'transcription') return `#/transcribe/${encodeURIComponent(job.id)}`
  const dub = metaText(job, 'dub')
  return dub ? `#/dub/${encodeURIComponent(dub)}` : (PLACES[job.type] ?? null)
}

/** The job and its events, read again while it runs. @param {string} id */
function useJob(id) {
  const [state, setState] = useState({ job: /** @type {Job | null} */ (null), events: /** @type {readonly JobEvent[]} */ ([]), error: '' })
  const [version, setVersion] = useState(0)
  useEffect(() => {
    let isOver = false
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer
    const read = async () => {
      try {
        const { job, events } = await get(/** @type {`/jobs/${string}/events`} */ (`/jobs/${encodeURIComponent(id)}/events`))
        if (isOver) return
        setState({ job, events: events.slice(-MOST_EVENTS).map(eventLine), error: '' })
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

/** @param {{ id: string, back: string, onChanged: () => unknown }} props back: the address without this job */
export function JobDetails({ id, back, onChanged }) {
  const { job, events, error, again } = useJob(id)
  const [isAsking, setAsking] = useState(false)
  useEffect(() => {
    const opened = document.querySelector('[data-opened]')
    if (opened instanceof HTMLElement) opened.focus({ preventScroll: true })
  }, [job !== null])
  const backLink = html`<a class="back" href=${back}>${strings.backToJobs}</a>`
  const failure =
    error &&
    html`<p class="callout bad text" role="alert">${error} <button type="button" class="quiet" onClick=${again}>${shared.tryAgain}</button></p>`
  if (job === null)
    return html`<aside class="details" aria-label=${strings.jobColumns.job}>${backLink}${failure || html`<p class="soft" role="status">${shared.loading}</p>`}</aside>`
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
  const copy = async () => {
    await copyText([job.id, job.type, job.status, job.error ?? ''].join('\n'))
    notify(strings.copied)
  }
  const text = progressText(job)
  return html`<aside class="details job" aria-label=${name}>${backLink}
    <header><${JobKind} type=${job.type} isBig=${true} /><div><h2 tabindex="-1" data-opened class="text" dir="auto">${name}</h2><small>${strings.jobKind(job.type)}</small></div>
      <a class="button quiet icon-only" href=${back} aria-label=${shared.close} title=${shared.close}><${Icon} of="close" /></a></header>
    ${failure}
    <p><${JobState} job=${job} /></p>
    ${job.status === 'running' && html`<${Progress} value=${job.progress} label=${strings.progress(name, job.progress === null ? strings.jobStates.running : percent(job.progress))} />`}
    ${text && html`<p class="text" dir="auto">${text}</p>`}
    ${isActive(job) && job.seconds_left !== null && html`<p class="soft">${strings.timeLeft(duration(job.seconds_left))}</p>`}
    <div class="row">
      ${place && html`<a class="button" href=${place}>${strings.openResult}</a>`}
      ${job.set_aside && html`<${Action} kind="main" onPress=${retry}>${shared.tryAgain}<//>`}
      ${isActive(job) && html`<button type="button" onClick=${() => setAsking(true)}>${shared.cancel}</button>`}
      <${Action} kind="quiet" onPress=${copy}>${strings.copyDetails}<//>
    </div>
    <section><h3>${strings.times}</h3>
      <dl class="facts"><dt>${strings.begun}</dt><dd>${ago(job.created_at)}</dd>
        ${job.finished_at !== null && html`<dt>${strings.endedAt}</dt><dd>${strings.ended(ago(job.finished_at), duration(Math.max(0, job.finished_at - job.created_at)))}</dd>`}</dl></section>
    ${
      events.length > 0 &&
      html`<section><details><summary>${strings.events(events.length)}</summary>
      <ol class="plain events">${events.map((event) => html`<li key=${event.seq}><b class="text">${event.name || event.seq}</b><small class="text clip">${event.text}</small></li>`)}</ol></details></section>`
    }
    ${
      isAsking &&
      html`<${Confirm} title=${strings.cancelTitle} action=${strings.cancelAction} keep=${strings.cancelKeep} onYes=${cancel} onClose=${() => setAsking(false)}>
        <p class="text clip" dir="auto">${name}</p><p>${strings.cancelWarning}</p><//>`
    }
  </aside>`
}
