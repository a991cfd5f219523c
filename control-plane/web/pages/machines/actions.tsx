// The actions on one machine. Those that need no question run at once; the others open a dialog.
import { patch, post } from '#control-plane/web/lib/api.ts'
import type { MachineView } from '#control-plane/web/lib/api-types.ts'
import { Action, Popover } from '#control-plane/web/lib/controls.tsx'
import { isolated, short } from '#control-plane/web/lib/format.ts'
import { machineNow, refresh } from '#control-plane/web/lib/live.ts'
import { notify } from '#control-plane/web/lib/notices.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { strings } from '#messages/machines/machines.ts'
import type { DialogKind } from './dialogs.tsx'
import { LOCAL, nameOf, reasonsOf } from './state.ts'

/** opens a dialog about a machine */
export type Ask = (kind: DialogKind, id: string) => void
export type Props = { machine: MachineView; onAsk: Ask }

const words = strings.card

function buttonsOf({ machine, onAsk }: Props) {
  const name = isolated(short(nameOf(machine)))
  const path = `/workers/${encodeURIComponent(machine.id)}` as `/workers/${string}`
  const now = (text: string, notice: string | (() => string), work: () => Promise<unknown>) => {
    const press = async () => {
      await work()
      await refresh()
      notify(typeof notice === 'string' ? notice : notice())
    }
    return (
      <Action onPress={press} aria-label={words.actionFor(text, name)}>
        {text}
      </Action>
    )
  }
  /** Notice about a resumed machine: something else may still keep work away. */
  const resumed = () => {
    const now = machineNow(machine.id)
    const why = now && reasonsOf(now).find(({ mild }) => !mild)
    return why ? words.notResumed(name, why.text) : words.resumed(name)
  }
  const ask = (text: string, kind: DialogKind, look = 'plain') => (
    <button type="button" class={look} data-close aria-label={words.actionFor(text, name)} onClick={() => onAsk(kind, machine.id)}>
      {text}…
    </button>
  )
  return {
    release: () => ask(words.release, 'release', 'main'),
    approve: () => ask(words.approve, 'approve', 'tint'),
    resume: () => now(words.resume, resumed, () => post(`${path}/resume`, {})),
    takeWork: () => now(words.takeWork, resumed, () => post(`${path}/drain`, { drain: false })),
    drain: () => now(words.drain, words.draining(name), () => post(`${path}/drain`, { drain: true })),
    turnOn: () => now(words.turnOn, words.turnedOn(name), () => patch(path, { enabled: true })),
    turnOff: () => now(words.turnOff, words.turnedOff(name), () => patch(path, { enabled: false })),
    log: () => ask(words.log, 'log'),
    change: () => ask(words.rename, 'change'),
    withdraw: () => ask(words.withdraw, 'withdraw', 'item danger'),
    remove: () => ask(words.remove, 'remove', 'item danger'),
  }
}

/** The one that a person is waited for, or nothing. */
export function NextAction(props: Props) {
  const { machine } = props
  const buttons = buttonsOf(props)
  if (machine.quarantine !== null) return buttons.release()
  if (machine.id !== LOCAL && !machine.consent_granted) return buttons.approve()
  if (machine.breakers.length > 0) return buttons.resume()
  return machine.drained ? buttons.takeWork() : null
}

/** All. */
export function Actions(props: Props) {
  const { id, quarantine, consent_granted: isApproved, breakers, drained, enabled, connected } = props.machine
  const buttons = buttonsOf(props)
  const resume = breakers.length > 0 && buttons.resume()
  const log = connected && buttons.log()
  if (id === LOCAL)
    return (
      <div class="row">
        {resume}
        {log}
      </div>
    )
  return (
    <>
      <div class="row">
        {quarantine !== null && buttons.release()}
        {!isApproved && buttons.approve()}
        {resume}
        {drained ? buttons.takeWork() : buttons.drain()}
        {enabled ? buttons.turnOff() : buttons.turnOn()}
        {log}
        {buttons.change()}
        <Popover id="machine-menu" label={words.menu} kind="icon-only" look="voice-menu" face={<Icon of="more" />}>
          <div class="body">
            {isApproved && buttons.withdraw()}
            {buttons.remove()}
          </div>
        </Popover>
      </div>
      <p>
        <small>{words.drainHint}</small>
      </p>
    </>
  )
}
