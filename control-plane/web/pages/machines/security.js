// @ts-check
// Who signs the certificates of the machines: its fingerprint to compare, and replacing it step by step.
import { post } from '../../lib/api.js'
import { Action, Badge, Confirm } from '../../lib/controls.js'
import { exact } from '../../lib/format.js'
import { html, useState } from '../../lib/html.js'
import { notify } from '../../lib/notices.js'
import { usePolled } from '../../lib/read.js'
import { strings as shared } from '../../lib/strings.js'
import { LOCAL } from './state.js'
import { strings } from './view-strings.js'

/** @import { Gets } from '../../lib/api-types.ts' */
/** @typedef {Gets['/workers/authority']} Authority */
/** @typedef {'prepare' | 'activate' | 'retire'} Step */

const words = strings.security
const EVERY_MS = 4000
/** @type {Readonly<Record<Authority['phase'], Step>>} */
const NEXT = { steady: 'prepare', prepared: 'activate', activated: 'retire' }

/** @param {{ name: string, text: string | null }} props */
const Print = ({ name, text }) => text !== null && html`<div><dt>${name}</dt><dd class="mono text">${text}</dd></div>`

/** @param {{ title: string, machines: Authority['behind'] }} props */
const Named = ({ title, machines }) =>
  machines.length > 0 &&
  html`<section><h3 class="spaced">${title}</h3><ul class="plain">${machines.map(({ id, name }) => html`<li key=${id} class="text">${id === LOCAL ? shared.thisMachine : name || id}</li>`)}</ul></section>`

export function Security() {
  const { value: view, error, reload } = usePolled('/workers/authority', EVERY_MS)
  const [asking, setAsking] = useState(/** @type {Step | null} */ (null))
  if (!view) return html`<p class=${error ? 'callout bad' : 'empty'}>${error || shared.loading}</p>`
  const step = NEXT[view.phase]
  const take = async (/** @type {Step} */ one) => {
    try {
      await post('/workers/authority', { step: one })
      notify(words.done[one])
    } finally {
      await reload()
    }
  }
  return html`<section class="sheet" aria-label=${words.title}>
    <div class="row"><h2>${words.title}</h2><${Badge} tone=${view.phase === 'steady' ? 'good' : 'warn'}>${words.phases[view.phase]}<//></div>
    <p class="soft">${words.intro}</p>
    ${error && html`<p class="callout bad text">${error}</p>`}
    <dl class="facts">
      <${Print} name=${words.fingerprint} text=${view.fingerprint} />
      <${Print} name=${words.next} text=${view.next_fingerprint} />
      <${Print} name=${words.previous} text=${view.previous_fingerprint} />
      <div><dt>${words.validUntil}</dt><dd>${exact(view.expires_at).slice(0, 10)}</dd></div>
    </dl>
    <${Named} title=${words.behind} machines=${view.behind} />
    <${Named} title=${words.mustJoinAgain} machines=${view.must_join_again} />
    <h3 class="spaced">${words.replace}</h3>
    <p>${words.steps[step]}</p>
    <div class="row">${step === 'retire' ? html`<button type="button" class="danger" onClick=${() => setAsking(step)}>${words.actions[step]}</button>` : html`<${Action} onPress=${() => take(step)}>${words.actions[step]}<//>`}</div>
    ${
      asking !== null &&
      html`<${Confirm} title=${words.retireTitle} action=${words.retireYes} onClose=${() => setAsking(null)} onYes=${() => take(asking)}><p>${words.retireWarning}</p><//>`
    }
  </section>`
}
