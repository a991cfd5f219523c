// @ts-check
// The jobs tray: what runs now, how far it is, and the way to cancel it.
import { post } from '../lib/api.js'
import { Action, Popover, Progress } from '../lib/controls.js'
import { duration, percent } from '../lib/format.js'
import { html } from '../lib/html.js'
import { usePolled } from '../lib/read.js'
import { Icon, Ring } from '../look/icons.js'
import { strings } from './strings.js'

/** @import { Gets } from '../lib/api-types.ts' */
/** @import { IconName } from '../look/icons.js' */
/** @typedef {Gets['/jobs'][number]} Job */

const EVERY_MS = 4000
const SHOWN = 8
const NAME_CHARS = 120
/** By the first word of a type. @type {Readonly<Record<string, [IconName, number]>>} */
const LOOKS = {
  generate: ['speak', 1],
  audiobook: ['book', 7],
  story: ['book', 7],
  dub: ['film', 3],
  batch: ['film', 3],
  model: ['download', 8],
  transcription: ['captions', 4],
}

/** The picture of a kind of job. @param {{ type: string, isBig?: boolean }} props */
export function JobKind({ type, isBig = false }) {
  const [icon, tint] = LOOKS[type.split('_', 1)[0] ?? ''] ?? ['jobs', 8]
  return html`<span class=${`kind k${tint} ${isBig ? 'big' : ''}`}><${Icon} of=${icon} /></span>`
}

/** The first of these texts that a job was created with, else ''. @param {Pick<Job, 'meta_json'>} job @param {...string} fields */
export function metaText({ meta_json: json }, ...fields) {
  /** @type {unknown} */
  let meta
  try {
    meta = JSON.parse(json)
  } catch {}
  if (typeof meta !== 'object' || meta === null) return ''
  for (const field of fields) {
    const value = Reflect.get(meta, field)
    if (typeof value === 'string' && value.trim() !== '') return value.trim()
  }
  return ''
}

/** What a job is called: the title or file that it was given, else its kind. @param {Job} job */
export const jobName = (job) => metaText(job, 'title', 'filename', 'name').slice(0, NAME_CHARS) || strings.kind(job.type)

/** The mean progress of jobs, null while none says its own. @param {readonly Pick<Job, 'progress'>[]} jobs */
export function meanProgress(jobs) {
  const known = jobs.flatMap(({ progress }) => (progress === null ? [] : [progress]))
  return known.length === 0 ? null : known.reduce((sum, one) => sum + one, 0) / jobs.length
}

/** The active jobs, read again every few seconds and soon after `hint` changes. @param {unknown} hint */
export const useActiveJobs = (hint) => usePolled('/jobs?status=active', EVERY_MS, hint)

/** @param {string} id */
export const cancelJob = (id) => post(`/tasks/cancel/${encodeURIComponent(id)}`, {})

/** Runs a job again that was set aside. @param {string} id */
export const retryJob = (id) => post(`/jobs/${encodeURIComponent(id)}/retry`, {})

/** @param {{ job: Job, onChanged: () => Promise<void> }} props */
export function JobLine({ job, onChanged }) {
  const name = jobName(job)
  const cancel = async () => {
    await cancelJob(job.id)
    await onChanged()
  }
  const state = job.status === 'pending' ? strings.waiting : strings.running
  return html`<li data-job=${job.id}>
    <${JobKind} type=${job.type} />
    <div class="what">
      <div class="row"><b class="text one-line">${name}</b><span class="spread"></span>
        ${job.seconds_left !== null && html`<small class="one-line number">${strings.left(duration(job.seconds_left))}</small>`}</div>
      <${Progress} value=${job.progress} label=${strings.progress(name, job.progress === null ? state : percent(job.progress))} />
      <small class="one-line">${[strings.kind(job.type), job.progress === null ? state : percent(job.progress)].join(' · ')}</small>
    </div>
    <${Action} kind="quiet icon-only" aria-label=${strings.cancelJob(name)} title=${strings.cancelJob(name)} onPress=${cancel}><${Icon} of="close" /><//>
  </li>`
}

/** Nothing is shown while nothing runs. @param {{ jobs: readonly Job[], onChanged: () => Promise<void>, hasPage: boolean }} props */
export function Tray({ jobs, onChanged, hasPage }) {
  if (jobs.length === 0) return null
  const text = strings.active(jobs.length)
  return html`<${Popover} id="jobs-tray" label=${text} title=${strings.jobs}
    face=${html`<${Ring} share=${meanProgress(jobs)} /><span class="wide-only">${text}</span>`}>
    <header><h2>${strings.jobs}</h2><small>${strings.safeToLeave}</small><span class="spread"></span>${hasPage && html`<a data-close href="#/jobs">${strings.seeAll}</a>`}</header>
    <ul class="tray-list">${jobs.slice(0, SHOWN).map((job) => html`<${JobLine} key=${job.id} job=${job} onChanged=${onChanged} />`)}</ul>
  <//>`
}
