// Dialogs about one machine: approval and what it means, name and priority, actions that cannot be undone, and its log.
import { get, messageOf, patch, post, remove } from '#control-plane/web/lib/api.ts'
import type { MachineLogLine, MachineView } from '#control-plane/web/lib/api-types.ts'
import { Action, Confirm, Dialog, Field, Form, fieldValue } from '#control-plane/web/lib/controls.tsx'
import { isolated, short } from '#control-plane/web/lib/format.ts'
import { useEffect, useState } from '#control-plane/web/lib/html.ts'
import { refresh } from '#control-plane/web/lib/live.ts'
import { Long } from '#control-plane/web/lib/moments.tsx'
import { notify } from '#control-plane/web/lib/notices.ts'
import { useRead } from '#control-plane/web/lib/read.ts'
import { strings } from '#messages/machines/machine-views.ts'
import { strings as shared } from '#messages/shared.ts'
import { PoolTerms } from './pool/terms.tsx'
import { nameOf } from './state.ts'

export type DialogKind = keyof typeof KINDS
export type Props = { machine: MachineView; onClose: () => void }

const words = strings.dialogs
const pathOf = ({ id }: MachineView): `/workers/${string}` => `/workers/${encodeURIComponent(id)}`
const Name = ({ machine }: { machine: MachineView }) => <strong class="text">{nameOf(machine)}</strong>

async function done(notice: string) {
  notify(notice)
  await refresh()
}

export type Use = keyof typeof words.uses
/** Groups the radio buttons. */
const USE_GROUP = 'use'
/** `isAutomatic`: work runs on any machine now */
const UseChoice = ({ use, onUse, isAutomatic }: { use: Use; onUse: (use: Use) => void; isAutomatic: boolean }) => (
  <fieldset class="uses">
    <legend>{words.useQuestion}</legend>
    {(['automatic', 'chosen'] as Use[]).map((one) => (
      <label key={one}>
        <input type="radio" name={USE_GROUP} value={one} checked={use === one} onChange={() => onUse(one)} />
        <span>
          <strong>{words.uses[one]}</strong>
          <small>{one === 'chosen' && isAutomatic ? words.endsAutomatic : words.useHints[one]}</small>
        </span>
      </label>
    ))}
  </fieldset>
)

function Approve({ machine, onClose }: Props) {
  const [use, setUse] = useState<Use>('automatic')
  const routing = useRead('/workers/target?limit=0')
  const isAutomatic = routing.value?.target === 'auto'
  const where = machine.address || machine.endpoint || words.unknownAddress
  const approve = async () => {
    // First, so that an approved machine never gets work that it was not approved for.
    if (use === 'chosen' && isAutomatic) await post('/workers/target', { target: 'local' })
    await post(`${pathOf(machine)}/consent?terms=${machine.pool?.terms ?? ''}`, {})
    if (use === 'automatic' && !isAutomatic) await post('/workers/target', { target: 'auto' })
    await done(words.approved(isolated(short(nameOf(machine))), use))
    onClose()
  }
  return (
    <Dialog title={words.approveTitle} onClose={onClose}>
      <p>
        {words.approveBefore}
        <Name machine={machine} />
        {words.approveAfter}
      </p>
      <ul>
        {words.sent.map(([what, why]) => (
          <li key={what}>
            <strong>{what}</strong>
            {why}
          </li>
        ))}
      </ul>
      <p>
        {words.destinationBefore}
        <span class="mono text">{where}</span>
        {words.destinationKey}
        <span class="mono text">{machine.key_id}</span>
        {words.destinationAfter}
      </p>
      {machine.pool ? (
        <>
          <dl class="facts">
            <PoolTerms pool={machine.pool} />
          </dl>
          <p class="callout">
            <strong>{strings.pool.declared}</strong>
            {words.approveAdvice}
          </p>
        </>
      ) : (
        <p class="callout">
          <strong>{words.approveWarning}</strong>
          {words.approveAdvice}
        </p>
      )}
      <UseChoice use={use} onUse={setUse} isAutomatic={isAutomatic} />
      {routing.error && (
        <p class="callout bad text" role="alert">
          {routing.error}
        </p>
      )}
      <p>{words.approveNote}</p>
      <footer>
        <button type="button" onClick={onClose}>
          {words.notNow}
        </button>
        <Action kind="main" disabled={routing.value === null} onPress={approve}>
          {words.approve}
        </Action>
      </footer>
    </Dialog>
  )
}

function Change({ machine, onClose }: Props) {
  const [name, setName] = useState(machine.name)
  const [priority, setPriority] = useState(String(machine.priority))
  const send = async () => {
    await patch(pathOf(machine), { name: name.trim(), priority: Number(priority) })
    await done(words.saved)
    onClose()
  }
  return (
    <Dialog title={words.changeTitle} onClose={onClose}>
      <Form onSend={send} send={shared.save}>
        <Field label={words.name} hint={words.nameHint}>
          <input value={name} maxlength={120} onInput={(event: Event) => setName(fieldValue(event))} />
        </Field>
        <Field label={words.priority} hint={words.priorityHint}>
          <input
            type="number"
            min={0}
            max={100}
            step={1}
            required
            value={priority}
            onInput={(event: Event) => setPriority(fieldValue(event))}
          />
        </Field>
      </Form>
    </Dialog>
  )
}

function Withdraw({ machine, onClose }: Props) {
  const withdraw = async () => {
    await remove(`${pathOf(machine)}/consent`)
    await done(words.withdrawn)
  }
  return (
    <Confirm title={words.withdrawTitle} action={words.withdraw} onClose={onClose} onYes={withdraw}>
      <p>
        {words.withdrawBefore}
        <Name machine={machine} />
        {words.withdrawAfter}
      </p>
    </Confirm>
  )
}

function Release({ machine, onClose }: Props) {
  const release = async () => {
    await post(`${pathOf(machine)}/release`, {})
    await done(words.released)
  }
  return (
    <Confirm title={words.releaseTitle} action={words.release} onClose={onClose} onYes={release}>
      <p>
        <Name machine={machine} />
        {words.quarantined}
      </p>
      <p>
        <Long text={machine.quarantine ?? words.alreadyReleased} />
      </p>
      <p class="callout">{words.releaseWarning}</p>
    </Confirm>
  )
}

function Remove({ machine, onClose }: Props) {
  const removeIt = async () => {
    await remove(pathOf(machine))
    await done(words.removed)
  }
  return (
    <Confirm title={words.removeTitle} action={words.remove} onClose={onClose} onYes={removeIt}>
      <p>
        {words.removeBefore}
        <Name machine={machine} />
        {words.removeAfter}
      </p>
      <p>{words.removeWarning}</p>
    </Confirm>
  )
}

function lineText({ at, level, message, fields }: MachineLogLine) {
  const more = Object.keys(fields).length > 0 ? short(JSON.stringify(fields), 2000) : ''
  return [new Date(at * 1000).toTimeString().slice(0, 8), level, short(message, 2000), more].join(' ')
}

function Log({ machine, onClose }: Props) {
  const [{ lines, error }, set] = useState({ lines: null as MachineLogLine[] | null, error: '' })
  const read = () =>
    get(`/workers/${encodeURIComponent(machine.id)}/logs?last=${200}`).then(
      (newest) => set({ lines: newest, error: '' }),
      (failure) => set({ lines: [], error: messageOf(failure) }),
    )
  useEffect(() => void read(), [machine.id])
  return (
    <Dialog title={words.logTitle} onClose={onClose}>
      <p>
        <Name machine={machine} />
        {words.logNote}
      </p>
      {error && (
        <p class="callout bad text" role="alert">
          {error}
        </p>
      )}
      {lines === null && <p class="empty">{shared.loading}</p>}
      {lines !== null && (
        <ol class="log mono" tabindex={0} aria-label={words.logLines}>
          {lines.map((line, index) => (
            <li key={index} class="text">
              {lineText(line)}
            </li>
          ))}
        </ol>
      )}
      {lines?.length === 0 && error === '' && <p class="empty">{words.logEmpty}</p>}
      <footer>
        <Action onPress={read}>{words.refresh}</Action>
      </footer>
    </Dialog>
  )
}

const KINDS = { approve: Approve, change: Change, withdraw: Withdraw, release: Release, remove: Remove, log: Log }

export function MachineDialog({
  kind,
  machine,
  onClose,
}: {
  kind: DialogKind
  machine: MachineView | null | undefined
  onClose: () => void
}) {
  const Asked = KINDS[kind]
  if (machine) return <Asked machine={machine} onClose={onClose} />
  return (
    <Dialog title={words.goneTitle} onClose={onClose}>
      <p>{words.gone}</p>
    </Dialog>
  )
}
