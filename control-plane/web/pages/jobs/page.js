// @ts-check
// Jobs: everything that was asked for and takes a while, in one table; and what the machines do for it. The view is in the address:
// #/jobs, #/jobs/<job>, #/jobs/work.
import { queryOf, useChoices } from '../../frame/address.js'
import { isActive } from '../../frame/job.js'
import { strings as frame } from '../../frame/strings.js'
import { Field, fieldValue } from '../../lib/controls.js'
import { html } from '../../lib/html.js'
import { grouped, strings as shared } from '../../lib/strings.js'
import { Icon } from '../../look/icons.js'
import { JobDetails } from './inspector.js'
import { countOf, useJobs } from './list.js'
import { strings } from './strings.js'
import { JobTable } from './table.js'
import { Work } from './work.js'

/** @import { Address } from '../../frame/address.js' */
/** @import { Live } from '../../lib/live.js' */

/** The address of what the machines do, beside ids of jobs. */
const WORK = 'work'
const STATUSES = /** @type {const} */ (['', 'active', 'done', 'failed', 'cancelled'])
const KINDS = Object.keys(frame.kinds)

/** @param {{ isWork: boolean }} props */
const Views = ({ isWork }) => html`<nav class="tabs" aria-label=${strings.views}>
  <a href="#/jobs" aria-current=${isWork ? undefined : 'page'}>${strings.tasks}</a>
  <a href="#/jobs/work" aria-current=${isWork ? 'page' : undefined}>${strings.work}</a>
</nav>`

/** @param {{ openId: string, query: URLSearchParams, hint: unknown }} props */
function Table({ openId, query, hint }) {
  const [wanted, change] = useChoices(query, ['state', 'kind', 'q'])
  const { state, kind, q } = wanted
  const { jobs, isWhole, counts, error, isRead, more, again } = useJobs({ status: state, type: kind, q }, hint)
  const search = queryOf(wanted)
  const sorted = [...jobs.filter(isActive), ...jobs.filter((job) => !isActive(job))]
  const total = counts === null ? jobs.length : countOf(counts, state)
  return html`<div class=${openId ? 'beside with-details' : 'beside'}>
    <div class="listed">
      <${Views} isWork=${false} />
      <div class="row voice-filters">
        <div class="row segments" role="group" aria-label=${strings.show}>${STATUSES.map(
          (
            one,
          ) => html`<button key=${one} type="button" class="quiet" aria-pressed=${state === one} onClick=${() => change({ state: one })}>${strings.statuses[one || 'all']}
            ${counts !== null && html` <small class="number">${grouped(countOf(counts, one))}</small>`}</button>`,
        )}</div>
        <${Field} label=${strings.kind} look="chip"><select value=${kind} onChange=${(/** @type {Event} */ event) => change({ kind: fieldValue(event) })}>
          <option value="">${strings.allKinds}</option>${KINDS.map((one) => html`<option key=${one} value=${one}>${frame.kind(one)}</option>`)}</select><//>
        <span class="spread"></span>
        <input type="search" class="find" maxlength="200" value=${q} placeholder=${strings.findJob} aria-label=${strings.findJob} onInput=${(/** @type {Event} */ event) => change({ q: fieldValue(event) })} />
        <span class="hidden" role="status">${isRead ? strings.found(total) : shared.loading}</span>
      </div>
      ${error && html`<p class="callout bad text" role="alert">${strings.readError}${error} <button type="button" class="quiet" onClick=${again}>${shared.tryAgain}</button></p>`}
      ${!isRead && html`<div class="waiting" aria-hidden="true">${[1, 2, 3].map((one) => html`<div key=${one} class="skeleton"></div>`)}</div>`}
      ${isRead && jobs.length === 0 && !error && (search ? html`<p class="empty">${strings.noneFound} <button type="button" class="quiet" onClick=${() => change({ state: '', kind: '', q: '' })}>${strings.showAll}</button></p>` : html`<div class="empty"><span class="kind k8 large"><${Icon} of="jobs" isLarge /></span><p>${strings.noJobs}</p></div>`)}
      ${jobs.length > 0 && html`<${JobTable} jobs=${sorted} total=${total} openId=${openId} query=${search} isWhole=${isWhole} onMore=${more} />`}
    </div>
    ${openId && html`<${JobDetails} key=${openId} id=${openId} back=${`#/jobs${search}`} onChanged=${again} />`}
  </div>`
}

/** @param {{ live: Live, address: Address, activeJobs: { readonly value: readonly { readonly id: string, readonly status: string }[] | null } }} props */
export function Jobs({ live, address, activeJobs }) {
  const isWork = address.object === WORK
  const hint = (activeJobs.value ?? []).map(({ id, status }) => id + status).join()
  if (isWork) return html`<${Views} isWork=${true} /><${Work} live=${live} />`
  return html`<${Table} openId=${address.object} query=${address.query} hint=${hint} />`
}
