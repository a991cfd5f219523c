// @ts-check
// Sharing this machine with controllers (studios that connect to it): where it listens, a key for each person, and the sessions.
import { post, remove } from '../../lib/api.js'
import { Action, Badge, Confirm, Dialog, Field, Form, fieldValue } from '../../lib/controls.js'
import { exact } from '../../lib/format.js'
import { html, useState } from '../../lib/html.js'
import { Since } from '../../lib/moments.js'
import { notify } from '../../lib/notices.js'
import { strings as shared } from '../../lib/strings.js'
import { Secret } from './secret.js'
import { strings } from './strings.js'

/** @import { SharingState, InboundKey } from '../../lib/api-types.ts' */
/** @import { Tone } from '../../lib/controls.js' */
/** @typedef {SharingState['keys'][number]} Key */

const words = strings.share
const EVENTS_SHOWN = 30

/** @param {SharingState} inbound */
const addressOf = ({ bind, port }) => `${bind.includes(':') ? `[${bind}]` : bind}:${port}`

/** @param {{ inbound: SharingState, reload: () => Promise<void> }} props */
function Listen({ inbound, reload }) {
  const [bind, setBind] = useState(inbound.bind)
  const [port, setPort] = useState(inbound.port ? String(inbound.port) : '')
  const set = async (/** @type {boolean} */ enabled) => {
    await post('/workers/inbound/enabled', { enabled, bind: bind.trim(), port: Number(port) || 0 })
    notify(enabled ? words.started : words.stopped)
    await reload()
  }
  const stop = inbound.running && html`<${Action} kind="danger" onPress=${() => set(false)}>${words.stop}<//>`
  return html`<${Form} onSend=${() => set(true)} extra=${stop} send=${inbound.running ? words.change : words.start} kind="plain">
    <div class="row pair">
      <${Field} label=${words.address} hint=${words.addressHint}>
        <input value=${bind} maxlength="253" autocomplete="off" spellcheck="false" onInput=${(/** @type {Event} */ event) => setBind(fieldValue(event))} />
      <//>
      <${Field} label=${words.port}><input type="number" min="1" max="65535" value=${port} onInput=${(/** @type {Event} */ event) => setPort(fieldValue(event))} /><//>
    </div>
  <//>`
}

/** @param {{ reload: () => Promise<void>, onClose: () => void }} props */
function NewKey({ reload, onClose }) {
  const [label, setLabel] = useState('')
  const [key, setKey] = useState(/** @type {InboundKey | null} */ (null))
  const send = async () => {
    setKey(await post('/workers/inbound/keys', { label: label.trim() }))
    await reload()
  }
  if (key === null)
    return html`<${Dialog} title=${words.keyTitle} onClose=${onClose}>
      <${Form} onSend=${send} send=${words.createKey}>
        <${Field} label=${words.person} hint=${words.personHint}>
          <input value=${label} maxlength="64" autocomplete="off" onInput=${(/** @type {Event} */ event) => setLabel(fieldValue(event))} />
        <//>
      <//>
    <//>`
  return html`<${Dialog} title=${words.keyTitle} onClose=${onClose}>
    <p>${words.keyFor}<strong class="text">${key.label}</strong>${words.keyForOne}</p>
    <${Secret} text=${key.connection_string} label=${words.string} />
    ${!key.exposed && html`<p class="callout">${words.localOnly}</p>`}
    <footer><button type="button" onClick=${onClose}>${shared.done}</button></footer>
  <//>`
}

/** @param {Key} key @param {SharingState['sessions']} sessions @returns {[Tone, string]} */
function stateOf({ key_id, revoked, worker_id }, sessions) {
  const { keyStates } = words
  if (revoked) return ['bad', keyStates.revoked]
  if (sessions.some((session) => session.key_id === key_id)) return ['good', keyStates.connected]
  return ['quiet', worker_id === '' ? keyStates.unused : keyStates.away]
}

/** @param {{ inbound: SharingState, onRevoke: (key: Key) => void }} props */
function Keys({ inbound, onRevoke }) {
  if (inbound.keys.length === 0) return html`<p class="soft">${words.noKeys}</p>`
  const row = (/** @type {Key} */ key) => {
    const [tone, state] = stateOf(key, inbound.sessions)
    return html`<tr key=${key.key_id}>
      <td class="text">${key.label}</td><td><${Badge} tone=${tone}>${state}<//></td>
      <td class="text">${key.last_seen_at === 0 ? shared.never : html`<${Since} at=${key.last_seen_at} />, ${key.last_seen_peer}`}</td>
      <td>${!key.revoked && html`<button type="button" class="danger" aria-label=${words.revokeOne(key.label)} onClick=${() => onRevoke(key)}>${words.revoke}</button>`}</td>
    </tr>`
  }
  return html`<div class="wide" tabindex="0" role="region" aria-label=${words.keys}><table>
    <thead><tr><th scope="col">${words.person}</th><th scope="col">${words.state}</th><th scope="col">${words.lastSeen}</th><th scope="col"><span class="hidden">${words.actions}</span></th></tr></thead>
    <tbody>${inbound.keys.map(row)}</tbody>
  </table></div>`
}

/** @param {{ sessions: SharingState['sessions'], reload: () => Promise<void> }} props */
function Sessions({ sessions, reload }) {
  if (sessions.length === 0) return html`<p class="soft">${words.noSessions}</p>`
  const disconnect = async (/** @type {string} */ id) => {
    await post(`/workers/inbound/sessions/${encodeURIComponent(id)}/disconnect`, {})
    notify(words.disconnected)
    await reload()
  }
  return html`<ul class="plain">${sessions.map(
    (one) => html`<li key=${one.session_id} class="row">
      <span class="text"><strong class="text">${one.label}</strong>${words.from(one.peer)}<${Since} at=${one.connected_at} />${words.tasksRun(one.tasks_run)}</span>
      <${Action} aria-label=${words.disconnectOne(one.label)} onPress=${() => disconnect(one.session_id)}>${words.disconnect}<//>
    </li>`,
  )}</ul>`
}

/** @param {{ events: SharingState['events'] }} props newest first */
const Events = ({ events }) => html`<details>
  <summary>${words.events(events.length)}</summary>
  <ul class="plain">${events
    .slice(0, EVENTS_SHOWN)
    .map(
      ({ at, kind, label, peer, detail }, index) =>
        html`<li key=${`${at}-${index}`} class="text"><small>${exact(at)}</small> <span class="text">${label || words.someone}</span>${words.event(peer, words.eventKinds[kind], detail)}</li>`,
    )}</ul>
</details>`

/** @param {{ inbound: SharingState, reload: () => Promise<void> }} props */
export function Share({ inbound, reload }) {
  const [creating, setCreating] = useState(false)
  const [revoking, setRevoking] = useState(/** @type {Key | null} */ (null))
  const revoke = async (/** @type {Key} */ key) => {
    await remove(`/workers/inbound/keys/${encodeURIComponent(key.key_id)}`)
    notify(words.revoked)
    await reload()
  }
  return html`<section class="sheet" id="share" tabindex="-1" aria-label=${words.title}>
    <div class="row"><h2>${words.title}</h2><${Badge} tone=${inbound.running ? 'good' : 'quiet'}>${inbound.running ? words.on : words.off}<//></div>
    <p class="soft">${words.intro}</p>
    ${inbound.running && html`<p>${words.listeningOn}<span class="mono text">${addressOf(inbound)}</span>${words.reach(inbound.exposed)}</p>`}
    ${inbound.startup_error && html`<p class="callout bad text">${words.startError(inbound.startup_error)}</p>`}
    <${Listen} key=${addressOf(inbound)} inbound=${inbound} reload=${reload} />
    <div class="row spaced"><h3>${words.keys}</h3><button type="button" disabled=${!inbound.running} onClick=${() => setCreating(true)}>${words.newKey}</button></div>
    <${Keys} inbound=${inbound} onRevoke=${setRevoking} />
    <div class="row spaced"><h3>${words.connected}</h3></div>
    <${Sessions} sessions=${inbound.sessions} reload=${reload} />
    ${inbound.events.length > 0 && html`<${Events} events=${inbound.events} />`}
    ${creating && html`<${NewKey} reload=${reload} onClose=${() => setCreating(false)} />`}
    ${
      revoking !== null &&
      html`<${Confirm} title=${words.revokeTitle} action=${words.revoke} onClose=${() => setRevoking(null)} onYes=${() => revoke(revoking)}>
        <p>${words.revokeBefore}<strong class="text">${revoking.label}</strong>${words.revokeAfter}</p><//>`
    }
  </section>`
}
