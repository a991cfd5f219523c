// @ts-check
// The table of jobs: the rows near the view are drawn, and older pages are read when they come near.

import { isActive } from '../../frame/job.js'
import { JobKind, jobName } from '../../frame/tray.js'
import { Progress } from '../../lib/controls.js'
import { ago, duration, percent } from '../../lib/format.js'
import { html, useEffect } from '../../lib/html.js'
import { strings as shared } from '../../lib/strings.js'
import { Icon, Ring } from '../../look/icons.js'
import { useIsPhone, useShownRows } from '../../look/windowed.js'
import { strings } from './strings.js'

/** @import { IconName } from '../../look/icons.js' */
/** @import { Job } from './list.js' */

/** Pixels, as in the style sheet. */
const ROW = 56
const PHONE_ROW = 64
/** Older jobs are read when so many rows are left. */
const NEAR = 40
/** @type {Readonly<Record<Job['status'], { icon: IconName, tone: string }>>} */
const LOOKS = {
  pending: { icon: 'clock', tone: 'quiet' },
  running: { icon: 'clock', tone: 'busy' },
  done: { icon: 'check', tone: 'good' },
  failed: { icon: 'failed', tone: 'bad' },
  cancelled: { icon: 'stopped', tone: 'quiet' },
}

/** @param {{ job: Job }} props */
export function JobState({ job: { status, progress } }) {
  const { icon, tone } = LOOKS[status]
  return html`<span class=${`state ${tone}`}>${status === 'running' ? html`<${Ring} share=${progress} />` : html`<${Icon} of=${icon} />`}${strings.jobStates[status]}</span>`
}

/** How far it is, or how it ended. @param {Job} job */
export function progressText({ status, step, progress, error, created_at: from, finished_at: to }) {
  if (status === 'failed') return error ?? strings.noReason
  if (status === 'done') return to === null ? '' : strings.took(duration(Math.max(0, to - from)))
  if (status === 'cancelled') return ''
  if (step !== null) return strings.step(stepName(step.name), step.ordinal, step.total)
  return progress === null ? '' : percent(progress)
}

/** Parts are counted from 0 by the studio, and from 1 by people. @param {string} name */
const stepName = (name) => name.replace(/_(\d+)$/, (_, part) => ` ${Number(part) + 1}`).replaceAll('_', ' ')

/** @param {{ job: Job, isOpen: boolean, index: number, query: string }} props */
function Row({ job, isOpen, index, query }) {
  const name = jobName(job)
  const text = progressText(job)
  const active = isActive(job)
  return html`<tr data-job=${job.id} aria-rowindex=${index + 2} aria-current=${isOpen ? 'true' : undefined}>
    <th scope="row"><span class="named-voice"><${JobKind} type=${job.type} />
      <span><a class="text one-line" dir="auto" href=${`#/jobs/${encodeURIComponent(job.id)}${query}`}>${name}</a>
      <small class="text one-line">${strings.jobKind(job.type)}<span class="phone-only-inline"> · ${strings.jobStates[job.status]}</span></small></span></span></th>
    <td class="of-kind"><${JobState} job=${job} /></td>
    <td class="of-language">${active && job.status === 'running' && html`<${Progress} value=${job.progress} label=${strings.progress(name, job.progress === null ? strings.jobStates.running : percent(job.progress))} />`}
      ${text && html`<small class="text one-line" dir="auto" title=${text}>${text}</small>`}</td>
    <td class="made">${active && job.seconds_left !== null ? strings.timeLeft(duration(job.seconds_left)) : ago(job.finished_at ?? job.created_at)}</td>
  </tr>`
}

/** @param {{ jobs: readonly Job[], total: number, openId: string, query: string, isWhole: boolean, onMore: () => unknown }} props query: of the address, with its question mark */
export function JobTable({ jobs, total, openId, query, isWhole, onMore }) {
  const row = useIsPhone() ? PHONE_ROW : ROW
  const { place, first, last } = useShownRows({ count: jobs.length, row })
  useEffect(() => {
    if (!isWhole && last >= jobs.length - NEAR) onMore()
  }, [last, jobs.length, isWhole])
  const space = (/** @type {number} */ rows) =>
    rows > 0 && html`<tr role="presentation" class="space" style=${{ height: `${rows * row}px` }}></tr>`
  return html`<table class="list-table jobs" aria-rowcount=${total + 1}>
    <thead><tr aria-rowindex="1">${Object.entries(strings.jobColumns).map(([id, name]) => html`<th key=${id} scope="col" class=${`col-${id}`}>${name}</th>`)}</tr></thead>
    <tbody ref=${place}>
      ${space(first)}
      ${jobs.slice(first, last).map((job, at) => html`<${Row} key=${job.id} job=${job} index=${first + at} isOpen=${job.id === openId} query=${query} />`)}
      ${space(jobs.length - last)}
    </tbody>
  </table>
  ${!isWhole && html`<p class="hidden" role="status">${shared.loading}</p>`}`
}
