// @ts-check
// The checks of this machine, and what to do about those that did not pass.
import { Action, Badge } from '../../lib/controls.js'
import { html } from '../../lib/html.js'
import { strings } from './strings.js'

/** @import { PreflightReply } from '../../lib/api-types.ts' */
/** @import { Tone } from '../../lib/controls.js' */

/** @type {Record<PreflightReply['checks'][number]['status'], Tone>} */
const TONES = { pass: 'good', warn: 'warn', fail: 'bad' }

/** @param {PreflightReply['checks']} checks */
export function summaryOf(checks) {
  const count = (/** @type {string} */ wanted) => checks.filter(({ status }) => status === wanted).length
  const failed = count('fail')
  return failed > 0 ? strings.checksFailed(failed, checks.length) : strings.checksPassed(count('warn'))
}

/** @param {{ preflight: PreflightReply | null, error: string, reading: boolean, onAgain: () => Promise<void> }} props */
export function Checks({ preflight, error, reading, onAgain }) {
  return html`<section class="sheet" aria-label=${strings.checks} aria-busy=${reading}>
    <div class="row">
      <h2>${strings.checks}</h2>
      <span class="spread"></span>
      <${Action} onPress=${onAgain}>${strings.checkAgain}<//>
    </div>
    ${error && html`<p class="callout bad" role="alert">${error}</p>`}
    ${!preflight && !error && html`<p class="empty">${strings.checking}</p>`}
    ${preflight && html`<p>${summaryOf(preflight.checks)}</p>`}
    <dl class="now">
      ${preflight?.checks.map(
        ({ id, label, status, detail, fix }) => html`<div key=${id}>
          <dt>${label}</dt>
          <dd><${Badge} tone=${TONES[status]}>${strings.checkStates[status]}<//> <span class="text">${detail}</span>${fix && html`<br /><small class="text">${fix}</small>`}</dd>
        </div>`,
      )}
    </dl>
  </section>`
}
