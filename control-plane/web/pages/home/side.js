// @ts-check
// What runs now, what happened that the owner should know, and what would make the studio better: at most three, each with a verb.
import { JobLine } from '../../frame/tray.js'
import { post } from '../../lib/api.js'
import { Action } from '../../lib/controls.js'
import { isolated, short } from '../../lib/format.js'
import { html } from '../../lib/html.js'
import { useRead } from '../../lib/read.js'
import { Icon } from '../../look/icons.js'
import { mayAdminister } from '../../visitor.js'
import { strings } from './strings.js'

/** @import { Gets, MachineView, PreflightReply } from '../../lib/api-types.ts' */
/** @import { Live } from '../../lib/live.js' */
/** @import { useActiveJobs } from '../../frame/tray.js' */
/** @typedef {Gets['/system/notifications']['notifications'][number]} Notification */
/** seen: where it is marked as seen, '' for what stays as long as its cause. @typedef {{ id: string, text: string, detail: string, verb: string, href: string, isFailure: boolean, seen?: ReturnType<typeof seenAt> }} Suggestion */

const SHOWN = 3
const JOBS = 4

/** Notifications about what the checks below, or the page that needs it, say too. */
const SAID_ELSEWHERE = new Set(['ffmpeg-missing', 'gpu-unavailable', 'disk-low', 'hf-token-missing'])

const LAST_RUN = 'last-run-crash'
/** @param {string} id of a notification */
const seenAt = (id) => (id.startsWith(LAST_RUN) ? '/system/last-run-crash/ack' : id === 'crash-last-session' ? '/system/crash/ack' : '')

/** @param {PreflightReply | null} preflight @param {readonly MachineView[]} machines @param {readonly Notification[]} notifications @returns {Suggestion[]} */
export function suggestionsOf(preflight, machines, notifications) {
  const news = notifications
    .filter(({ id, level }) => level !== 'info' && !SAID_ELSEWHERE.has(id))
    .map(({ id, level, title, message }) => ({
      id,
      text: title,
      // The message of the interface names the last activity by its id.
      detail: id.startsWith(LAST_RUN) ? strings.crashed : message,
      verb: strings.show,
      href: id === 'settings-invalid' ? '#/settings' : '#/settings/doctor',
      isFailure: level === 'error',
      seen: seenAt(id),
    }))
  const approvals = machines
    .filter(({ consent_granted: isApproved }) => !isApproved)
    .map(({ id, name }) => ({
      id,
      text: strings.needsApproval(isolated(short(name, 40))),
      detail: '',
      verb: strings.review,
      href: '#/machines',
      isFailure: false,
    }))
  const checks = (preflight?.checks ?? [])
    .filter(({ status }) => status !== 'pass')
    .sort((a, b) => Number(b.status === 'fail') - Number(a.status === 'fail'))
    .map(({ id, label, detail, status }) => ({
      id,
      text: label,
      detail,
      verb: strings.show,
      href: '#/setup',
      isFailure: status === 'fail',
    }))
  return [...news, ...approvals, ...checks].slice(0, SHOWN)
}

/** @param {{ live: Live }} props */
function Suggestions({ live }) {
  const { value, error, reading } = useRead('/setup/preflight?network=false')
  const notifications = useRead('/system/notifications')
  const all = suggestionsOf(value, live.fleet?.workers ?? [], notifications.value?.notifications ?? [])
  const dismiss = async (/** @type {'/system/last-run-crash/ack' | '/system/crash/ack'} */ path) => {
    await post(path, {})
    await notifications.again()
  }
  const hasFailure = all.some(({ isFailure }) => isFailure)
  const title = hasFailure ? strings.notReady : all.length > 0 ? strings.suggestions(all.length) : strings.ready
  return html`<section class="panel" aria-label=${title}>
    ${
      value === null && reading
        ? html`<p class="state" role="status"><${Icon} of="clock" />${strings.checking}</p>`
        : html`<h2 class=${`state ${hasFailure ? 'bad' : 'good'}`}><${Icon} of=${hasFailure ? 'warning' : 'check'} />${title}</h2>`
    }
    ${error && html`<p class="callout bad text" role="alert">${error}</p>`}
    <ul class="suggestions">${all.map(
      ({ id, text, detail, verb, href, seen }) =>
        html`<li key=${id}><span class="text">${text}${detail && html`<small class="text clip">${detail}</small>`}</span><span class="acts"><a href=${href} aria-label=${`${verb}: ${text}`}>${verb}</a>
          ${seen && html`<${Action} kind="quiet" aria-label=${`${strings.dismiss}: ${text}`} onPress=${() => dismiss(seen)}>${strings.dismiss}<//>`}</span></li>`,
    )}</ul>
  </section>`
}

/** @param {{ live: Live, activeJobs: ReturnType<typeof useActiveJobs> }} props */
export function Side({ live, activeJobs }) {
  const jobs = activeJobs.value ?? []
  return html`<div class="side">
    <section class="panel flush" aria-label=${strings.running}>
      <div class="row"><h2>${strings.running}</h2><span class="spread"></span>${mayAdminister && html`<a href="#/jobs">${strings.jobs}</a>`}</div>
      ${jobs.length === 0 && html`<p class="soft nothing">${strings.nothing}</p>`}
      <ul class="tray-list">${jobs.slice(0, JOBS).map((job) => html`<${JobLine} key=${job.id} job=${job} onChanged=${activeJobs.reload} />`)}</ul>
    </section>
    ${mayAdminister && html`<${Suggestions} live=${live} />`}
  </div>`
}
