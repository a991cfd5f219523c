// A dialog for connections from this studio to machines that listen: connection strings, and the state of each connection.
import { post, remove } from '#control-plane/web/lib/api.ts'
import type { SharingState } from '#control-plane/web/lib/api-types.ts'
import { Badge, Confirm, Dialog, Field, Form, fieldValue } from '#control-plane/web/lib/controls.tsx'
import { useState } from '#control-plane/web/lib/html.ts'
import { refresh } from '#control-plane/web/lib/live.ts'
import { notify } from '#control-plane/web/lib/notices.ts'
import { strings } from '#messages/machines/connections.ts'

const words = strings.connect

const Row = ({
  connection: { endpoint, connected, last_error: error },
  onRemove,
}: {
  connection: SharingState['connections'][number]
  onRemove: (endpoint: string) => void
}) => (
  <li>
    <div class="row">
      <span class="mono text">{endpoint}</span>
      <Badge tone={connected ? 'good' : 'warn'}>{connected ? words.connected : words.notConnected}</Badge>
      <button type="button" class="danger" aria-label={words.removeOne(endpoint)} onClick={() => onRemove(endpoint)}>
        {words.remove}
      </button>
    </div>
    {error !== '' && <p class="callout text">{error}</p>}
  </li>
)

/** `isOn`: remote machines are turned on */
export function Connect({
  inbound,
  isOn,
  reload,
  onClose,
}: {
  inbound: SharingState
  isOn: boolean
  reload: () => Promise<void>
  onClose: () => void
}) {
  const [text, setText] = useState('')
  const [leaving, setLeaving] = useState<string | null>(null)
  const send = async () => {
    const { endpoint } = await post('/workers/inbound/connections', { connection_string: text.trim() })
    setText('')
    notify(words.connecting(endpoint))
    await reload()
  }
  const leave = async (endpoint: string) => {
    await remove(`/workers/inbound/connections/${encodeURIComponent(endpoint)}`)
    notify(words.removed)
    await Promise.all([reload(), refresh()])
  }
  return (
    <Dialog title={words.title} onClose={onClose}>
      <p class="soft">{words.intro}</p>
      {!isOn && <p class="soft">{words.remoteOff}</p>}
      <Form onSend={send} send={words.connect} kind="plain" disabled={!isOn || text.trim() === ''}>
        <Field label={words.string} hint={words.stringHint}>
          <input
            value={text}
            maxlength={512}
            placeholder="svcnode://…"
            autocomplete="off"
            spellcheck={false}
            onInput={(event: Event) => setText(fieldValue(event))}
          />
        </Field>
      </Form>
      {inbound.connections.length > 0 && (
        <ul class="plain" aria-label={words.connections}>
          {inbound.connections.map((one) => (
            <Row key={one.endpoint} connection={one} onRemove={setLeaving} />
          ))}
        </ul>
      )}
      {leaving !== null && (
        <Confirm title={words.removeTitle} action={words.remove} onClose={() => setLeaving(null)} onYes={() => leave(leaving)}>
          <p class="mono text">{leaving}</p>
          <p>{words.removeWarning}</p>
        </Confirm>
      )}
    </Dialog>
  )
}
