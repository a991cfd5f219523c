// @ts-check
// The check of a voice track: how many lines have faults, and what was not examined.
import { request } from '../../lib/api.js'
import { Action } from '../../lib/controls.js'
import { html } from '../../lib/html.js'
import { Icon } from '../../look/icons.js'
import { strings } from '../dub/strings.js'

/** @typedef {{ total: number, faulty_count: number, reasons: readonly string[], uncovered: readonly { start: number, end: number }[] | null }} CheckResult the fields that are shown */

/** @param {string} id @param {string} code @param {boolean} repair speaks faulty lines again @returns {Promise<CheckResult>} */
export async function checkTrack(id, code, repair) {
  const response = await request('POST', `/dub/qc/${encodeURIComponent(id)}?${new URLSearchParams({ lang: code, repair: String(repair) })}`)
  return response.json()
}

/** @param {{ result: CheckResult, canRepair: boolean, onRepair: () => Promise<void>, onReview: () => void, onClose: () => void }} props */
export const CheckNote = ({
  result,
  canRepair,
  onRepair,
  onReview,
  onClose,
}) => html`<div class=${`callout ${result.faulty_count > 0 ? '' : 'good'}`} role="status">
  <div class="row"><strong>${strings.checked(result.faulty_count, result.total)}</strong><span class="spread"></span>
    ${result.faulty_count > 0 && html`<button type="button" onClick=${onReview}>${strings.showThem}</button>`}
    ${result.faulty_count > 0 && html`<${Action} disabled=${!canRepair} onPress=${onRepair}>${strings.repair}<//>`}
    <button type="button" class="quiet icon-only" aria-label=${strings.closeNote} onClick=${onClose}><${Icon} of="close" /></button></div>
  ${result.uncovered && result.uncovered.length > 0 && html`<p>${strings.uncovered(result.uncovered.length)}</p>`}
  ${result.reasons.length > 0 && html`<ul>${result.reasons.map((reason) => html`<li key=${reason} class="text">${reason}</li>`)}</ul>`}
</div>`
