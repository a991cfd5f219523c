// Letting others use this machine: whether it listens and where, a key for each person, and who is attached now.
import { post, remove } from '../api.js'
import { html, useState } from '../html.js'
import { Action, Badge, Confirm, Dialog, Field, notify } from './basics.js'
import { Form, Since } from './workers-form.js'
import { Secret } from './workers-secret.js'

const at = (bind, port) => `${bind.includes(':') ? `[${bind}]` : bind}:${port}`
const EVENTS = { connected: 'connected', disconnected: 'left', kicked: 'was disconnected', rejected: 'was refused' }

function Listen({ inbound, reload }) {
  const [bind, setBind] = useState(inbound.bind)
  const [port, setPort] = useState(inbound.port || '')
  const set = async (enabled) => {
    await post('/workers/inbound/enabled', { enabled, bind: bind.trim(), port: Number(port) || 0 })
    notify(enabled ? 'This machine accepts connections.' : 'This machine accepts no connections.')
    await reload()
  }
  const stop = inbound.running && html`<${Action} kind="danger" onPress=${() => set(false)}>Stop accepting connections<//>`
  return html`<${Form} onSend=${() => set(true)} extra=${stop} send=${inbound.running ? 'Listen at this address' : 'Accept connections'} kind=${inbound.running ? 'plain' : 'main'}>
    <div class="row pair">
      <${Field} label="Address to listen on" hint="127.0.0.1: programs of this machine only. 0.0.0.0: everybody who reaches this machine.">
        <input value=${bind} maxlength="253" autocomplete="off" spellcheck="false" onInput=${(event) => setBind(event.target.value)} />
      <//>
      <${Field} label="Port"><input type="number" min="1" max="65535" value=${port} onInput=${(event) => setPort(event.target.value)} /><//>
    </div>
  <//>`
}

function NewKey({ reload, onClose }) {
  const [label, setLabel] = useState('')
  const [key, setKey] = useState(null)
  const send = async () => {
    setKey(await post('/workers/inbound/keys', { label: label.trim() }))
    await reload()
  }
  if (key === null)
    return html`<${Dialog} title="A key for one person" onClose=${onClose}>
      <${Form} onSend=${send} send="Make the key">
        <${Field} label="Name of the person" hint="64 characters at most."><input value=${label} maxlength="64" autocomplete="off" onInput=${(event) => setLabel(event.target.value)} /><//>
      <//>
    <//>`
  return html`<${Dialog} title="A key for one person" onClose=${onClose}>
    <p>For <strong class="text">${key.label}</strong> alone: the first studio that uses it keeps it.</p>
    <${Secret} text=${key.connection_string} label="Connection string" />
    ${!key.exposed && html`<p class="callout">This machine listens to itself only. Others reach it after you let it listen at 0.0.0.0 or at an address of its network.</p>`}
    <footer><button type="button" onClick=${onClose}>Done</button></footer>
  <//>`
}

function stateOf(key, isHere) {
  if (key.revoked) return ['bad', 'revoked']
  if (isHere) return ['good', 'attached now']
  return key.worker_id === '' ? ['quiet', 'not used yet'] : ['quiet', 'away']
}

function Keys({ inbound, onRevoke }) {
  if (inbound.keys.length === 0) return html`<p class="soft">Nobody has a key yet.</p>`
  return html`<div class="wide" tabindex="0" role="region" aria-label="Keys"><table>
    <thead><tr><th scope="col">Person</th><th scope="col">State</th><th scope="col">Last seen</th><th scope="col"><span class="hidden">Actions</span></th></tr></thead>
    <tbody>${inbound.keys.map((key) => {
      const [tone, words] = stateOf(
        key,
        inbound.sessions.some(({ key_id }) => key_id === key.key_id),
      )
      return html`<tr key=${key.key_id}>
        <td class="text">${key.label}</td><td><${Badge} tone=${tone}>${words}<//></td>
        <td class="text">${key.last_seen_at === 0 ? 'never' : html`<${Since} at=${key.last_seen_at} />, ${key.last_seen_peer}`}</td>
        <td>${!key.revoked && html`<button type="button" class="danger" aria-label=${`Revoke the key of ${key.label}`} onClick=${() => onRevoke(key)}>Revoke</button>`}</td>
      </tr>`
    })}</tbody>
  </table></div>`
}

function Attached({ sessions, reload }) {
  if (sessions.length === 0) return html`<p class="soft">Nobody is attached.</p>`
  return html`<ul class="plain">${sessions.map(
    (one) => html`<li key=${one.session_id} class="row">
      <span class="text"><strong class="text">${one.label}</strong> from ${one.peer}, since <${Since} at=${one.connected_at} />, tasks run: ${one.tasks_run}</span>
      <${Action} aria-label=${`Disconnect ${one.label}`} onPress=${async () => {
        await post(`/workers/inbound/sessions/${encodeURIComponent(one.session_id)}/disconnect`)
        notify('Disconnected. That studio may come back after a minute; revoke the key to keep it out.')
        await reload()
      }}>Disconnect<//>
    </li>`,
  )}</ul>`
}

const Events = ({ events }) => html`<details>
  <summary>What happened at this door (${events.length})</summary>
  <ul class="plain">${events
    .slice(0, 30)
    .map(
      ({ at: moment, kind, label, peer, detail }, index) =>
        html`<li key=${`${moment}-${index}`} class="text"><small>${new Date(moment * 1000).toLocaleString()}</small> <span class="text">${label || 'somebody'}</span> from ${peer} ${EVENTS[kind]}${detail ? `: ${detail}` : ''}</li>`,
    )}</ul>
</details>`

export function InboundDoor({ inbound, reload }) {
  const [making, setMaking] = useState(false)
  const [revoking, setRevoking] = useState(null)
  const close = () => setRevoking(null)
  return html`<section class="sheet" id="accept" tabindex="-1" aria-label="Accept connections on this machine">
    <div class="row"><h2>Accept connections on this machine</h2><${Badge} tone=${inbound.running ? 'good' : 'quiet'}>${inbound.running ? 'on' : 'off'}<//></div>
    <p class="soft">Other studios dial this machine and use its GPU. Each person gets a key of their own.</p>
    ${inbound.running && html`<p>Listens at <span class="mono text">${at(inbound.bind, inbound.port)}</span>, ${inbound.exposed ? 'which others can reach; without a key nobody gets past the door.' : 'for this machine only.'}</p>`}
    ${inbound.startup_error && html`<p class="callout bad text">Cannot listen: ${inbound.startup_error}</p>`}
    <${Listen} key=${`${inbound.bind}:${inbound.port}`} inbound=${inbound} reload=${reload} />
    <div class="row spaced"><h3>Keys</h3><button type="button" disabled=${!inbound.running} onClick=${() => setMaking(true)}>Make a key…</button></div>
    <${Keys} inbound=${inbound} onRevoke=${setRevoking} />
    <div class="row spaced"><h3>Attached now</h3></div>
    <${Attached} sessions=${inbound.sessions} reload=${reload} />
    ${inbound.events.length > 0 && html`<${Events} events=${inbound.events} />`}
    ${making && html`<${NewKey} reload=${reload} onClose=${() => setMaking(false)} />`}
    ${
      revoking !== null &&
      html`<${Confirm} title="Revoke this key?" action="Revoke" onClose=${close} onYes=${async () => {
        await remove(`/workers/inbound/keys/${encodeURIComponent(revoking.key_id)}`)
        notify('Revoked. Whoever used it was cut off.')
        await reload()
      }}><p>The access of <strong class="text">${revoking.label}</strong> ends at once and for good. What runs for them is stopped.</p><//>`
    }
  </section>`
}
