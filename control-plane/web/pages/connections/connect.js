// @ts-check
// A dialog for connections from this studio to machines that listen: connection strings, and the state of each connection.
import { post, remove } from '../../lib/api.js'
import { Badge, Confirm, Dialog, Field, Form, fieldValue } from '../../lib/controls.js'
import { html, useState } from '../../lib/html.js'
import { refresh } from '../../lib/live.js'
import { notify } from '../../lib/notices.js'
import { strings } from './strings.js'

/** @import { SharingState } from '../../lib/api-types.ts' */

const words = strings.connect

/** @param {{ connection: SharingState['connections'][number], onRemove: (endpoint: string) => void }} props */
const Row = ({ connection: { endpoint, connected, last_error: error }, onRemove }) => html`<li>
  <div class="row">
    <span class="mono text">${endpoint}</span>
    <${Badge} tone=${connected ? 'good' : 'warn'}>${connected ? words.connected : words.notConnected}<//>
    <button type="button" class="danger" aria-label=${words.removeOne(endpoint)} onClick=${() => onRemove(endpoint)}>${words.remove}</button>
  </div>
  ${error !== '' && html`<p class="callout text">${error}</p>`}
</li>`

/** @param {{ inbound: SharingState, isOn: boolean, reload: () => Promise<void>, onClose: () => void }} props isOn: remote machines are turned on */
export function Connect({ inbound, isOn, reload, onClose }) {
  const [text, setText] = useState('')
  const [leaving, setLeaving] = useState(/** @type {string | null} */ (null))
  const send = async () => {
    const { endpoint } = await post('/workers/inbound/connections', { connection_string: text.trim() })
    setText('')
    notify(words.connecting(endpoint))
    await reload()
  }
  const leave = async (/** @type {string} */ endpoint) => {
    await remove(`/workers/inbound/connections/${encodeURIComponent(endpoint)}`)
    notify(words.removed)
    await Promise.all([reload(), refresh()])
  }
  return html`<${Dialog} title=${words.title} onClose=${onClose}>
    <p class="soft">${words.intro}</p>
    ${!isOn && html`<p class="soft">${words.remoteOff}</p>`}
    <${Form} onSend=${send} send=${words.connect} kind="plain" disabled=${!isOn || text.trim() === ''}>
      <${Field} label=${words.string} hint=${words.stringHint}>
        <input value=${text} maxlength="512" placeholder="svcnode://…" autocomplete="off" spellcheck="false" onInput=${(/** @type {Event} */ event) => setText(fieldValue(event))} />
      <//>
    <//>
    ${
      inbound.connections.length > 0 &&
      html`<ul class="plain" aria-label=${words.connections}>${inbound.connections.map(
        (one) => html`<${Row} key=${one.endpoint} connection=${one} onRemove=${setLeaving} />`,
      )}</ul>`
    }
    ${
      leaving !== null &&
      html`<${Confirm} title=${words.removeTitle} action=${words.remove} onClose=${() => setLeaving(null)} onYes=${() => leave(leaving)}>
        <p class="mono text">${leaving}</p><p>${words.removeWarning}</p>
      <//>`
    }
  <//>`
}
