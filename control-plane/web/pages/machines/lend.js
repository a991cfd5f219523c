// Lending this machine: to which studio, whether it is connected, and joining one with its code.
import { post } from '../api.js'
import { html, useState } from '../html.js'
import { Action, Badge, Field, notify } from './basics.js'
import { Form, usePolled } from './workers-form.js'

const EVERY_MS = 4000

function wordsOf(view) {
  if (!view.enrolled) return ['quiet', 'not joined', 'It lends to nobody: it has joined no studio yet.']
  const studio = `${view.studio_name || 'a studio'} at ${view.endpoint}`
  if (!view.worker_mode) return ['quiet', 'off', `It has joined ${studio}, and lends nothing now.`]
  if (view.draining) return ['warn', 'finishing', `It finishes what it holds for ${studio} (${view.held}) and takes nothing new.`]
  if (view.running) return ['good', 'lending', `It lends to ${studio}. Work held now: ${view.held}.`]
  return ['warn', 'not connected', `It is looking for ${studio}.`]
}

export function Lending() {
  const { value: view, error, reload } = usePolled('/workers/agent', EVERY_MS)
  const [code, setCode] = useState('')
  const join = async () => {
    try {
      await post('/workers/agent/join', { token: code.trim() })
      setCode('')
      notify('Joined. This machine lends now.')
    } finally {
      await reload()
    }
  }
  const lend = async (enabled) => {
    await post('/workers/agent/enabled', { enabled })
    notify(enabled ? 'This machine lends.' : 'This machine lends nothing.')
    await reload()
  }
  const [tone, state, words] = view ? wordsOf(view) : ['quiet', 'unknown', '']
  return html`<section class="sheet" id="lend" tabindex="-1" aria-label="Lend this machine">
    <div class="row"><h2>Lend this machine</h2><${Badge} tone=${tone}>${state}<//></div>
    ${error && html`<p class="callout bad text">${error}</p>`}
    ${view && html`<p class="text">${words}</p>`}
    ${view?.enrolled && !view.running && view.last_error !== '' && html`<p class="callout text">Last trouble: ${view.last_error}</p>`}
    ${view?.env_pinned && html`<p class="soft">STUDIO_WORKER_MODE decides whether it lends; the switch cannot be moved here.</p>`}
    ${
      view?.enrolled &&
      html`<div class="row"><${Action} disabled=${view.env_pinned} onPress=${() => lend(!view.worker_mode)}>${view.worker_mode ? 'Stop lending' : 'Lend'}<//></div>`
    }
    <${Form} onSend=${join} send=${view?.enrolled ? 'Join another studio' : 'Join and lend'} kind="plain" disabled=${code.trim() === ''}>
      <${Field} label="Join code of the other studio" hint="Made there under Machines, Add a machine. What that studio's people send is worked on here.">
        <input value=${code} maxlength="4096" placeholder="svcj_…" autocomplete="off" spellcheck="false" onInput=${(event) => setCode(event.target.value)} />
      <//>
    <//>
  </section>`
}
