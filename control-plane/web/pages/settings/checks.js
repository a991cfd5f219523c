// @ts-check
// The self-check: what works, what could be better, and what to do about it.
import { get, messageOf, post } from '../../lib/api.js'
import { Action } from '../../lib/controls.js'
import { html, useEffect, useState } from '../../lib/html.js'
import { notify } from '../../lib/notices.js'
import { strings as shared } from '../../lib/strings.js'
import { Icon } from '../../look/icons.js'
import { strings } from './strings.js'

/** @import { SelfCheckReport } from '../../lib/api-types.ts' */
/** @import { IconName } from '../../look/icons.js' */

const words = strings.doctor
/** Worst first. @type {readonly { status: SelfCheckReport['checks'][number]['status'], icon: IconName, tone: string }[]} */
const STATES = [
  { status: 'fail', icon: 'failed', tone: 'bad' },
  { status: 'warn', icon: 'warning', tone: 'warn' },
  { status: 'ok', icon: 'check', tone: 'good' },
]
/** Where a check is put right. @type {Readonly<Record<string, string>>} */
const PLACES = {
  hf_token: '#/settings/engines?row=hub.token',
  network: '#/settings/engines?row=hub.mirror',
  ffmpeg: '#/setup',
  engines: '#/models',
  disk: '#/settings/storage',
  gpu_routing: '#/settings/engines',
}

export function Checks() {
  const [{ report, error, isBusy }, set] = useState({ report: /** @type {SelfCheckReport | null} */ (null), error: '', isBusy: true })
  const check = async (isDeep = false) => {
    set((now) => ({ ...now, isBusy: true, error: '' }))
    try {
      set({ report: await get(`/system/diagnose?network=true&deep=${isDeep}`), error: '', isBusy: false })
    } catch (failure) {
      set((now) => ({ ...now, isBusy: false, error: messageOf(failure) }))
    }
  }
  useEffect(() => void check(), [])
  const bundle = async () => notify(words.bundleAt((await post('/system/diagnostic-bundle', {})).path))
  return html`<div aria-busy=${isBusy}>
    <p class="row" role="status"><b>${report ? words.summary(report.summary.failures, report.summary.warnings) : shared.loading}</b></p>
    ${error && html`<p class="callout bad text" role="alert">${error}</p>`}
    <ul class="checks doctor">${STATES.flatMap(({ status, icon, tone }) =>
      (report?.checks ?? [])
        .filter((one) => one.status === status)
        .map(
          ({ id, label, detail, hint }) => html`<li key=${id} class=${tone}><${Icon} of=${icon} />
          <span class="grow"><b>${label}</b> <span class="hidden">${words.states[status]}</span><small class="text">${detail}${hint && ` ${hint}`}</small></span>
          ${status !== 'ok' && PLACES[id] && html`<a class="button" href=${PLACES[id]} aria-label=${words.fixOf(label)}>${words.fix}</a>`}</li>`,
        ),
    )}</ul>
    <div class="row"><${Action} disabled=${isBusy} onPress=${() => check()}>${words.again}<//><${Action} disabled=${isBusy} onPress=${() => check(true)}>${words.deep}<//><${Action} onPress=${bundle}>${words.bundle}<//></div>
  </div>`
}
