// @ts-check
// Who else may use this studio: devices of the local network with a PIN, and those of a tailnet.
import { messageOf, post } from '../../lib/api.js'
import { Action, Badge } from '../../lib/controls.js'
import { html, useState } from '../../lib/html.js'
import { useRead } from '../../lib/read.js'
import { strings as shared } from '../../lib/strings.js'
import { strings } from '../settings/strings.js'

const words = strings.sharing

function Tailnet() {
  const { value, again } = useRead('/system/tailscale/status')
  const [{ text, tone }, setOutcome] = useState({ text: '', tone: 'good' })
  if (!value) return null
  const turn = async (/** @type {boolean} */ isOn) => {
    try {
      const answer = await post(isOn ? '/system/tailscale/enable' : '/system/tailscale/disable', {})
      const url = 'url' in answer ? answer.url : ''
      setOutcome({
        text: answer.ok ? (url ? words.reachableAt(url) : words.tailnetOff) : (answer.error ?? words.failed),
        tone: answer.ok ? 'good' : 'bad',
      })
    } catch (failure) {
      setOutcome({ text: messageOf(failure), tone: 'bad' })
    }
    await again()
  }
  return html`<div class="setting"><div class="about-setting"><span class="label">${words.tailscale}</span>
      <small>${value.installed ? (value.running ? words.tailscaleHelp : words.tailscaleStopped) : words.tailscaleMissing}</small>
      ${text && html`<p class=${`callout text ${tone}`} role="status">${text}</p>`}</div>
    ${value.running && html`<div class="control"><${Action} onPress=${() => turn(true)}>${words.tailnetOn}<//><${Action} kind="quiet" onPress=${() => turn(false)}>${words.tailnetEnd}<//></div>`}
  </div>`
}

export function Sharing() {
  const { value, error, again } = useRead('/system/network/state')
  if (!value) return html`<p class=${error ? 'callout bad text' : 'empty'} role="status">${error || shared.loading}</p>`
  const turn = async () => {
    await post(value.enabled ? '/system/network/disable' : '/system/network/enable', {})
    await again()
  }
  return html`<div class="setting" data-setting="sharing"><div class="about-setting"><span class="label">${words.title}</span><small>${words.help}</small>
      ${
        value.enabled &&
        value.share_port !== null &&
        html`<p class="row"><${Badge} tone="good">${words.on}<//><span>${words.pin} <b class="pin" data-part="pin">${value.pin}</b></span></p>
        <ul class="addresses">${value.lan_addresses.map((one) => html`<li key=${one} class="text">${`http://${one.includes(':') ? `[${one}]` : one}:${value.share_port}`}</li>`)}</ul>`
      }</div>
    <div class="control"><${Action} onPress=${turn}>${value.enabled ? words.turnOff : words.turnOn}<//></div></div>
    <${Tailnet} />
    <p class="note">${words.key}</p>`
}
