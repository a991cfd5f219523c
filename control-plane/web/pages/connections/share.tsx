// Sharing this machine with controllers (studios that connect to it): where it listens, a key for each person, and the sessions.
import { post, remove } from '#control-plane/web/lib/api.ts'
import type { InboundKey, SharingState } from '#control-plane/web/lib/api-types.ts'
import type { Tone } from '#control-plane/web/lib/controls.tsx'
import { Action, Badge, Confirm, Dialog, Field, Form, fieldValue } from '#control-plane/web/lib/controls.tsx'
import { exact } from '#control-plane/web/lib/format.ts'
import { useState } from '#control-plane/web/lib/html.ts'
import { Since } from '#control-plane/web/lib/moments.tsx'
import { notify } from '#control-plane/web/lib/notices.ts'
import { strings } from '#messages/machines/connections.ts'
import { strings as shared } from '#messages/shared.ts'
import { Lend } from './lend.tsx'
import { Secret } from './secret.tsx'

export type Key = SharingState['keys'][number]

const words = strings.share
const EVENTS_SHOWN = 30

const addressOf = ({ bind, port }: SharingState) => `${bind.includes(':') ? `[${bind}]` : bind}:${port}`

function Listen({ inbound, reload }: { inbound: SharingState; reload: () => Promise<void> }) {
  const [bind, setBind] = useState(inbound.bind)
  const [port, setPort] = useState(inbound.port ? String(inbound.port) : '')
  const set = async (enabled: boolean) => {
    await post('/workers/inbound/enabled', { enabled, bind: bind.trim(), port: Number(port) || 0 })
    notify(enabled ? words.started : words.stopped)
    await reload()
  }
  const stop = inbound.running && (
    <Action kind="danger" onPress={() => set(false)}>
      {words.stop}
    </Action>
  )
  return (
    <Form onSend={() => set(true)} extra={stop} send={inbound.running ? words.change : words.start} kind="plain">
      <div class="row pair">
        <Field label={words.address} hint={words.addressHint}>
          <input
            value={bind}
            maxlength={253}
            autocomplete="off"
            spellcheck={false}
            onInput={(event: Event) => setBind(fieldValue(event))}
          />
        </Field>
        <Field label={words.port}>
          <input type="number" min={1} max={65535} value={port} onInput={(event: Event) => setPort(fieldValue(event))} />
        </Field>
      </div>
    </Form>
  )
}

function NewKey({ reload, onClose }: { reload: () => Promise<void>; onClose: () => void }) {
  const [label, setLabel] = useState('')
  const [key, setKey] = useState<InboundKey | null>(null)
  const send = async () => {
    setKey(await post('/workers/inbound/keys', { label: label.trim() }))
    await reload()
  }
  if (key === null)
    return (
      <Dialog title={words.keyTitle} onClose={onClose}>
        <Form onSend={send} send={words.createKey}>
          <Field label={words.person} hint={words.personHint}>
            <input value={label} maxlength={64} autocomplete="off" onInput={(event: Event) => setLabel(fieldValue(event))} />
          </Field>
        </Form>
      </Dialog>
    )
  return (
    <Dialog title={words.keyTitle} onClose={onClose}>
      <p>
        {words.keyFor}
        <strong class="text">{key.label}</strong>
        {words.keyForOne}
      </p>
      <Secret text={key.connection_string} label={words.string} />
      {!key.exposed && <p class="callout">{words.localOnly}</p>}
      <footer>
        <button type="button" onClick={onClose}>
          {shared.done}
        </button>
      </footer>
    </Dialog>
  )
}

function stateOf({ key_id, revoked, worker_id }: Key, sessions: SharingState['sessions']): [Tone, string] {
  const { keyStates } = words
  if (revoked) return ['bad', keyStates.revoked]
  if (sessions.some((session) => session.key_id === key_id)) return ['good', keyStates.connected]
  return ['quiet', worker_id === '' ? keyStates.unused : keyStates.away]
}

function Keys({ inbound, onRevoke }: { inbound: SharingState; onRevoke: (key: Key) => void }) {
  if (inbound.keys.length === 0) return <p class="soft">{words.noKeys}</p>
  const row = (key: Key) => {
    const [tone, state] = stateOf(key, inbound.sessions)
    return (
      <tr key={key.key_id}>
        <td class="text">{key.label}</td>
        <td>
          <Badge tone={tone}>{state}</Badge>
        </td>
        <td class="text">
          {key.last_seen_at === 0 ? (
            shared.never
          ) : (
            <>
              <Since at={key.last_seen_at} />, {key.last_seen_peer}
            </>
          )}
        </td>
        <td>
          {!key.revoked && (
            <button type="button" class="danger" aria-label={words.revokeOne(key.label)} onClick={() => onRevoke(key)}>
              {words.revoke}
            </button>
          )}
        </td>
      </tr>
    )
  }
  return (
    <div class="wide" tabindex={0} role="region" aria-label={words.keys}>
      <table>
        <thead>
          <tr>
            <th scope="col">{words.person}</th>
            <th scope="col">{words.state}</th>
            <th scope="col">{words.lastSeen}</th>
            <th scope="col">
              <span class="hidden">{words.actions}</span>
            </th>
          </tr>
        </thead>
        <tbody>{inbound.keys.map(row)}</tbody>
      </table>
    </div>
  )
}

function Sessions({ sessions, reload }: { sessions: SharingState['sessions']; reload: () => Promise<void> }) {
  if (sessions.length === 0) return <p class="soft">{words.noSessions}</p>
  const disconnect = async (id: string) => {
    await post(`/workers/inbound/sessions/${encodeURIComponent(id)}/disconnect`, {})
    notify(words.disconnected)
    await reload()
  }
  return (
    <ul class="plain">
      {sessions.map((one) => (
        <li key={one.session_id} class="row">
          <span class="text">
            <strong class="text">{one.label}</strong>
            {words.from(one.peer)}
            <Since at={one.connected_at} />
            {words.tasksRun(one.tasks_run)}
          </span>
          <Action aria-label={words.disconnectOne(one.label)} onPress={() => disconnect(one.session_id)}>
            {words.disconnect}
          </Action>
        </li>
      ))}
    </ul>
  )
}

/** newest first */
const Events = ({ events }: { events: SharingState['events'] }) => (
  <details>
    <summary>{words.events(events.length)}</summary>
    <ul class="plain">
      {events.slice(0, EVENTS_SHOWN).map(({ at, kind, label, peer, detail }, index) => (
        <li key={`${at}-${index}`} class="text">
          <small>{exact(at)}</small> <span class="text">{label || words.someone}</span>
          {words.event(peer, words.eventKinds[kind], detail)}
        </li>
      ))}
    </ul>
  </details>
)

function Share({ inbound, reload }: { inbound: SharingState; reload: () => Promise<void> }) {
  const [creating, setCreating] = useState(false)
  const [revoking, setRevoking] = useState<Key | null>(null)
  const revoke = async (key: Key) => {
    await remove(`/workers/inbound/keys/${encodeURIComponent(key.key_id)}`)
    notify(words.revoked)
    await reload()
  }
  return (
    <section class="sheet" id="share" tabindex={-1} aria-label={words.title}>
      <div class="row">
        <h2>{words.title}</h2>
        <Badge tone={inbound.running ? 'good' : 'quiet'}>{inbound.running ? words.on : words.off}</Badge>
      </div>
      <p class="soft">{words.intro}</p>
      {inbound.running && (
        <p>
          {words.listeningOn}
          <span class="mono text">{addressOf(inbound)}</span>
          {words.reach(inbound.exposed)}
        </p>
      )}
      {inbound.startup_error && <p class="callout bad text">{words.startError(inbound.startup_error)}</p>}
      <Listen key={addressOf(inbound)} inbound={inbound} reload={reload} />
      <div class="row spaced">
        <h3>{words.keys}</h3>
        <button type="button" disabled={!inbound.running} onClick={() => setCreating(true)}>
          {words.newKey}
        </button>
      </div>
      <Keys inbound={inbound} onRevoke={setRevoking} />
      <div class="row spaced">
        <h3>{words.connected}</h3>
      </div>
      <Sessions sessions={inbound.sessions} reload={reload} />
      {inbound.events.length > 0 && <Events events={inbound.events} />}
      {creating && <NewKey reload={reload} onClose={() => setCreating(false)} />}
      {revoking !== null && (
        <Confirm title={words.revokeTitle} action={words.revoke} onClose={() => setRevoking(null)} onYes={() => revoke(revoking)}>
          <p>
            {words.revokeBefore}
            <strong class="text">{revoking.label}</strong>
            {words.revokeAfter}
          </p>
        </Confirm>
      )}
    </section>
  )
}

export const Shared = ({
  inbound: { value, error, reload },
}: {
  inbound: { value: SharingState | null; error: string; reload: () => Promise<void> }
}) => (
  <div class="sections">
    {error && <p class="callout bad text">{error}</p>}
    {value && <Share inbound={value} reload={reload} />}
    <Lend />
  </div>
)
