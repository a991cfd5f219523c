// Adding a machine: the settings of its code, the code itself and how the other machine uses it, and the machine that has joined.

import { post } from '#control-plane/web/lib/api.ts'
import type { JoinCodeReply, MachineFleet, MachineView } from '#control-plane/web/lib/api-types.ts'
import { Dialog, Field, Form, fieldValue } from '#control-plane/web/lib/controls.tsx'
import { useMemo, useState } from '#control-plane/web/lib/html.ts'
import { Countdown, useTick } from '#control-plane/web/lib/moments.tsx'
import { COMMAND } from '#control-plane/web/lib/names.ts'
import { strings } from '#messages/machines/connections.ts'
import { nameOf } from '../machines/state.ts'
import { Secret } from './secret.tsx'

const words = strings.add
const OTHER = 'other'
const DEFAULT_SECONDS = 900

function CodeForm({ fleet, onCode }: { fleet: MachineFleet; onCode: (code: JoinCodeReply) => void }) {
  const [label, setLabel] = useState('')
  const [choice, setChoice] = useState('')
  const [typed, setTyped] = useState('')
  const [seconds, setSeconds] = useState(String(DEFAULT_SECONDS))
  const detected = fleet.endpoint ?? ''
  const host = location.hostname
  const isHostOffered = host !== '' && !detected.startsWith(`${host}:`)
  const send = async () => {
    const endpoint = choice === OTHER ? typed.trim() : choice
    onCode(await post('/workers/enrollments', { label: label.trim(), endpoint, ttl_seconds: Number(seconds) }))
  }
  return (
    <Form onSend={send} send={words.create}>
      <Field label={words.name} hint={words.nameHint}>
        <input value={label} maxlength={120} autocomplete="off" onInput={(event: Event) => setLabel(fieldValue(event))} />
      </Field>
      <Field label={words.address}>
        <select value={choice} onChange={(event: Event) => setChoice(fieldValue(event))}>
          <option value="">{words.detected(detected)}</option>
          {isHostOffered && <option value={host}>{words.fromPage(host)}</option>}
          <option value={OTHER}>{words.other}</option>
        </select>
      </Field>
      {choice === OTHER && (
        <Field label={words.otherLabel} hint={words.otherHint}>
          <input
            required
            maxlength={256}
            value={typed}
            autocomplete="off"
            spellcheck={false}
            onInput={(event: Event) => setTyped(fieldValue(event))}
          />
        </Field>
      )}
      <Field label={words.validFor}>
        <select value={seconds} onChange={(event: Event) => setSeconds(fieldValue(event))}>
          {words.times.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      </Field>
    </Form>
  )
}

const Joined = ({ machine, onApprove }: { machine: MachineView; onApprove: (id: string) => void }) => (
  <div class="callout good" role="status">
    <p>
      <strong class="text">{nameOf(machine)}</strong>
      {words.joined(machine.connected)}
    </p>
    <p>{machine.consent_granted ? words.approved : words.notApproved}</p>
    {!machine.consent_granted && (
      <button type="button" class="main" onClick={() => onApprove(machine.id)}>
        {words.approve}
      </button>
    )}
  </div>
)

function Code({ code, onAgain }: { code: JoinCodeReply; onAgain: () => void }) {
  useTick()
  return (
    <>
      <Secret text={code.token} label={words.code} />
      <p>
        {words.codeBefore}
        <span class="mono text">{code.endpoint}</span>
        {words.codeTime}
        <strong>
          <Countdown to={code.expires_at} over={words.expired} />
        </strong>
      </p>
      <h3>{words.onOther}</h3>
      {code.commands.map(({ way, line }) => (
        <p key={way}>
          {words.ways[way]} <code class="mono">{line}</code>
        </p>
      ))}
      <p>
        {words.thenLends} {words.sameLines} <code class="mono">{COMMAND} invite</code>
      </p>
      <p role="status" class="soft">
        {code.expires_at <= Date.now() / 1000 ? words.codeExpired : words.waiting}
      </p>
      <button type="button" onClick={onAgain}>
        {words.createAnother}
      </button>
    </>
  )
}

export function AddMachine({ fleet, onApprove, onClose }: { fleet: MachineFleet; onApprove: (id: string) => void; onClose: () => void }) {
  const [code, setCode] = useState<JoinCodeReply | null>(null)
  // A machine that is enrolled later than the code was created has joined with it.
  const before = useMemo(() => new Set(fleet.workers.map(({ id }) => id)), [code])
  const joined = code === null ? [] : fleet.workers.filter(({ id }) => !before.has(id))
  return (
    <Dialog title={words.title} onClose={onClose}>
      {code === null && (
        <>
          <p>{words.intro}</p>
          <CodeForm fleet={fleet} onCode={setCode} />
        </>
      )}
      {code !== null && joined.length === 0 && <Code code={code} onAgain={() => setCode(null)} />}
      {joined.map((machine) => (
        <Joined key={machine.id} machine={machine} onApprove={onApprove} />
      ))}
    </Dialog>
  )
}
