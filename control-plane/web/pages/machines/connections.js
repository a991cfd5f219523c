// GPU machines that listen, and that this studio dials: pasted in as connection strings, and how each connection stands.
import { post, remove } from '../api.js'
import { html, useState } from '../html.js'
import { refresh } from '../live.js'
import { Badge, Confirm, Field, notify } from './basics.js'
import { Form } from './workers-form.js'

export function Connections({ inbound, isOn, reload }) {
  const [text, setText] = useState('')
  const [leaving, setLeaving] = useState(null)
  const send = async () => {
    const { endpoint } = await post('/workers/inbound/connections', { connection_string: text.trim() })
    setText('')
    notify(`${endpoint} is dialled now.`)
    await reload()
  }
  return html`<section class="sheet" id="connect" tabindex="-1" aria-label="Connect to a GPU machine">
    <h2>Connect to a GPU machine</h2>
    <p class="soft">For a machine that listens. Its owner makes a connection string for you: with this page there, or with ./studio agent keys add.</p>
    ${!isOn && html`<p class="callout">Turn on other machines first; nothing is dialled while they are off.</p>`}
    <${Form} onSend=${send} send="Connect" kind="plain" disabled=${!isOn || text.trim() === ''}>
      <${Field} label="Connection string" hint="It is a secret: the first studio that uses it keeps it.">
        <input value=${text} maxlength="512" placeholder="svcnode://…" autocomplete="off" spellcheck="false" onInput=${(event) => setText(event.target.value)} />
      <//>
    <//>
    ${
      inbound.connections.length > 0 &&
      html`<ul class="plain" aria-label="Connections">${inbound.connections.map(
        ({ endpoint, connected, last_error }) => html`<li key=${endpoint}>
          <div class="row">
            <span class="mono text">${endpoint}</span>
            <${Badge} tone=${connected ? 'good' : 'warn'}>${connected ? 'connected' : 'not connected'}<//>
            <button type="button" class="danger" aria-label=${`Remove the connection to ${endpoint}`} onClick=${() => setLeaving(endpoint)}>Remove</button>
          </div>
          ${!connected && last_error !== '' && html`<p class="callout text">${last_error}</p>`}
        </li>`,
      )}</ul>`
    }
    ${
      leaving !== null &&
      html`<${Confirm} title="Remove this connection?" action="Remove" onClose=${() => setLeaving(null)} onYes=${async () => {
        await remove(`/workers/inbound/connections/${encodeURIComponent(leaving)}`)
        notify('The connection is removed.')
        await Promise.all([reload(), refresh()])
      }}>
        <p><span class="mono text">${leaving}</span> is dialled no more, and the machine is removed. To use it again you need a new connection string.</p>
      <//>`
    }
  </section>`
}
