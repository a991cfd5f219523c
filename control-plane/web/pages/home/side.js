// @ts-check
// What runs now, and what would make the studio better: at most three suggestions, each with a verb.
import { JobLine } from '../../frame/tray.js'
import { isolated, short } from '../../lib/format.js'
import { html } from '../../lib/html.js'
import { useRead } from '../../lib/read.js'
import { Icon } from '../../look/icons.js'
import { mayAdminister } from '../../visitor.js'
import { strings } from './strings.js'

/** @import { MachineView, PreflightReply } from '../../lib/api-types.ts' */
/** @import { Live } from '../../lib/live.js' */
/** @import { useActiveJobs } from '../../frame/tray.js' */
/** @typedef {{ id: string, text: string, detail: string, verb: string, href: string, isFailure: boolean }} Suggestion */

const SHOWN = 3
const JOBS = 4

/** @param {PreflightReply | null} preflight @param {readonly MachineView[]} machines @returns {Suggestion[]} */
export function suggestionsOf(preflight, machines) {
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
  return [...approvals, ...checks].slice(0, SHOWN)
}

/** @param {{ live: Live }} props */
function Suggestions({ live }) {
  const { value, error, reading } = useRead('/setup/preflight')
  const all = suggestionsOf(value, live.fleet?.workers ?? [])
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
      ({ id, text, detail, verb, href }) =>
        html`<li key=${id}><span class="text">${text}${detail && html`<small class="text clip">${detail}</small>`}</span><a href=${href} aria-label=${`${verb}: ${text}`}>${verb}</a></li>`,
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
