// Access of others to this studio: devices of the local network with a PIN, and those of a tailnet.
import { messageOf, post } from '#control-plane/web/lib/api.ts'
import { Action, Badge } from '#control-plane/web/lib/controls.tsx'
import { useState } from '#control-plane/web/lib/html.ts'
import { useRead } from '#control-plane/web/lib/read.ts'
import { strings as shared } from '#messages/shared.ts'
import { strings } from '#messages/system/settings.ts'

const words = strings.sharing

function Tailnet() {
  const { value, again } = useRead('/system/tailscale/status')
  const [{ text, tone }, setOutcome] = useState({ text: '', tone: 'good' })
  if (!value) return null
  const turn = async (isOn: boolean) => {
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
  return (
    <div class="setting">
      <div class="about-setting">
        <span class="label">{words.tailscale}</span>
        <small>{value.installed ? (value.running ? words.tailscaleHelp : words.tailscaleStopped) : words.tailscaleMissing}</small>
        {text && (
          <p class={`callout text ${tone}`} role="status">
            {text}
          </p>
        )}
      </div>
      {value.running && (
        <div class="control">
          <Action onPress={() => turn(true)}>{words.tailnetOn}</Action>
          <Action kind="quiet" onPress={() => turn(false)}>
            {words.tailnetEnd}
          </Action>
        </div>
      )}
    </div>
  )
}

export function Sharing() {
  const { value, error, again } = useRead('/system/network/state')
  if (!value)
    return (
      <p class={error ? 'callout bad text' : 'empty'} role="status">
        {error || shared.loading}
      </p>
    )
  const turn = async () => {
    await post(value.enabled ? '/system/network/disable' : '/system/network/enable', {})
    await again()
  }
  return (
    <>
      <div class="setting" data-setting="sharing">
        <div class="about-setting">
          <span class="label">{words.title}</span>
          <small>{words.help}</small>
          {value.enabled && value.share_port !== null && (
            <>
              <p class="row">
                <Badge tone="good">{words.on}</Badge>
                <span>
                  {words.pin}{' '}
                  <b class="pin" data-part="pin">
                    {value.pin}
                  </b>
                </span>
              </p>
              <ul class="addresses">
                {value.lan_addresses.map((one) => (
                  <li key={one} class="text">{`http://${one.includes(':') ? `[${one}]` : one}:${value.share_port}`}</li>
                ))}
              </ul>
            </>
          )}
        </div>
        <div class="control">
          <Action onPress={turn}>{value.enabled ? words.turnOff : words.turnOn}</Action>
        </div>
      </div>
      <Tailnet />
      <p class="note">{words.key}</p>
    </>
  )
}
