// @ts-check
// Lending this machine: to which studio, whether it is connected, and joining a studio with its code.
import { post } from '../../lib/api.js'
import { Action, Badge, Field, Form, fieldValue } from '../../lib/controls.js'
import { html, useState } from '../../lib/html.js'
import { notify } from '../../lib/notices.js'
import { usePolled } from '../../lib/read.js'
import { strings } from './strings.js'

/** @import { LendingState } from '../../lib/api-types.ts' */
/** @import { Tone } from '../../lib/controls.js' */

const words = strings.lend
const EVERY_MS = 4000

/** @param {LendingState | null} view @returns {[Tone, string, string]} tone, state, sentence */
function summaryOf(view) {
  const { states } = words
  if (!view) return ['quiet', states.unknown, '']
  if (!view.enrolled) return ['quiet', states.none, words.none]
  const studio = words.studioAt(view.studio_name, view.endpoint)
  if (!view.worker_mode) return ['quiet', states.off, words.off(studio)]
  if (view.draining) return ['warn', states.finishing, words.finishing(studio, view.held)]
  if (view.running) return ['good', states.lending, words.lending(studio, view.held)]
  return ['warn', states.searching, words.searching(studio)]
}

export function Lend() {
  const { value: view, error, reload } = usePolled('/workers/agent', EVERY_MS)
  const [code, setCode] = useState('')
  const join = async () => {
    try {
      await post('/workers/agent/join', { token: code.trim() })
      setCode('')
      notify(words.joined)
    } finally {
      await reload()
    }
  }
  const lend = async (/** @type {boolean} */ enabled) => {
    await post('/workers/agent/enabled', { enabled })
    notify(enabled ? words.started : words.stopped)
    await reload()
  }
  const [tone, state, sentence] = summaryOf(view)
  return html`<section class="sheet" id="lend" tabindex="-1" aria-label=${words.title}>
    <div class="row"><h2>${words.title}</h2><${Badge} tone=${tone}>${state}<//></div>
    ${error && html`<p class="callout bad text">${error}</p>`}
    ${sentence && html`<p class="text">${sentence}</p>`}
    ${view?.enrolled && !view.running && view.last_error !== '' && html`<p class="callout text">${words.lastError(view.last_error)}</p>`}
    ${view?.env_pinned && html`<p class="soft">${words.pinned}</p>`}
    ${
      view?.enrolled &&
      html`<div class="row"><${Action} disabled=${view.env_pinned} onPress=${() => lend(!view.worker_mode)}>${view.worker_mode ? words.stop : words.start}<//></div>`
    }
    <${Form} onSend=${join} send=${view?.enrolled ? words.joinAnother : words.join} kind="plain" disabled=${code.trim() === ''}>
      <${Field} label=${words.code} hint=${words.codeHint}>
        <input value=${code} maxlength="4096" placeholder="svcj_…" autocomplete="off" spellcheck="false" onInput=${(/** @type {Event} */ event) => setCode(fieldValue(event))} />
      <//>
    <//>
  </section>`
}
