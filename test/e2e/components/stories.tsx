// Stories of the components that pages use most, each in the states that its test needs. A test ends the work of a story with finish() or fail().
import type { ComponentChildren, FunctionComponent } from 'preact'
import { addressOf } from '#control-plane/web/frame/address.ts'
import { drawInSteps } from '#control-plane/web/frame/steps.ts'
import { Action, Badge, Confirm, Dialog, Field, Form, Popover, Progress } from '#control-plane/web/lib/controls.tsx'
import { render, useState } from '#control-plane/web/lib/html.ts'
import { Boundary } from '#control-plane/web/lib/later.tsx'
import { Countdown, Long, Since } from '#control-plane/web/lib/moments.tsx'
import { notify } from '#control-plane/web/lib/notices.ts'
import { Icon, Ring } from '#control-plane/web/look/icons.tsx'
import { Notices } from '#control-plane/web/look/notices.tsx'
import { Track } from '#control-plane/web/look/sample.tsx'
import { VoicePrint } from '#control-plane/web/look/voice-print.tsx'
import { useShownRows } from '#control-plane/web/look/windowed.ts'
import { strings as jobs } from '#messages/system/jobs.ts'

/** Writes a line that the test reads. */
const say = (text: string) => document.getElementById('log')?.append(`${text}\n`)

/** Work that ends when the test says so. */
let ending: PromiseWithResolvers<void> = Promise.withResolvers()
const work = (name: string): Promise<void> => {
  say(name)
  ending = Promise.withResolvers()
  return ending.promise
}
Object.assign(globalThis, {
  finish: () => ending.resolve(),
  fail: (text: string) => ending.reject(new Error(text)),
})

const Actions = () => (
  <>
    <Action onPress={() => work('pressed')}>Import</Action>
    <Action onPress={() => work('never')} disabled>
      Export
    </Action>
    <Action kind="quiet icon-only" aria-label="Download" title="Download" onPress={() => say('downloaded')}>
      <Icon of="download" />
    </Action>
  </>
)

const Fields = () => (
  <>
    <Field label="Name" hint="You can change it later.">
      <input onInput={({ currentTarget }) => say(currentTarget.value)} />
    </Field>
    <Field label="Seed" hint="The seed must be a whole number.">
      <input value="twelve" aria-invalid="true" />
    </Field>
    <Field label="Voice" look="chip">
      <select onChange={({ currentTarget }) => say(currentTarget.value)}>
        <option>Heart</option>
        <option>Mara</option>
      </select>
    </Field>
    <Field label="Old">
      <input disabled />
    </Field>
  </>
)

function Forms() {
  const [name, setName] = useState('')
  return (
    <Form send="Save" onSend={() => work(`sent ${name}`)} extra={<button type="button">More</button>}>
      <Field label="Name">
        <input value={name} onInput={({ currentTarget }) => setName(currentTarget.value)} />
      </Field>
    </Form>
  )
}

/** `onGone`: takes away the button that opened the window */
type WindowProps = { onClose: () => void; onGone: () => void }
function Opening({ window: Window }: { window: FunctionComponent<WindowProps> }) {
  const [isOpen, setOpen] = useState(false)
  const [isOpenerHere, setOpenerHere] = useState(true)
  const close = () => {
    say('closed')
    setOpen(false)
  }
  return (
    <>
      {isOpenerHere && (
        <button type="button" onClick={() => setOpen(true)}>
          Open
        </button>
      )}
      <button type="button">Behind</button>
      {isOpen && <Window onClose={close} onGone={() => setOpenerHere(false)} />}
    </>
  )
}
const Window = ({ onClose, onGone }: WindowProps) => (
  <Dialog title="Rename" onClose={onClose}>
    <Field label="Name">
      <input />
    </Field>
    <button type="button" onClick={onGone}>
      Approve
    </button>
  </Dialog>
)
const Question = ({ onClose }: WindowProps) => (
  <Confirm title="Delete this take?" action="Delete" onYes={() => work('deleting')} onClose={onClose}>
    <p>You can't undo this.</p>
  </Confirm>
)

const Popovers = () => (
  <Popover id="menu" label="More actions" title="Actions" face="…" onToggle={(isOpen) => say(isOpen ? 'opened' : 'closed')}>
    <p>Machine</p>
    <button type="button" data-close onClick={() => say('chosen')}>
      Rename
    </button>
  </Popover>
)

const Marks = () => (
  <>
    <Badge tone="warn">Needs approval</Badge>
    <Progress value={0.5} label="Half" />
    <Progress value={null} label="Unknown" />
    <Ring share={0.6} />
    <Icon of="check" />
    <VoicePrint id="mara" />
    <VoicePrint id="mara" />
    <VoicePrint id="tom" />
  </>
)

const Messages = () => (
  <>
    <button type="button" onClick={() => notify('Saved.')}>
      Save
    </button>
    <button type="button" onClick={() => notify("Couldn't save.", 'error')}>
      Fail
    </button>
    <button type="button" onClick={() => notify('Deleted.', 'good', { label: 'Undo', run: () => say('undone') })}>
      Delete
    </button>
  </>
)

const LENGTHS = [402, 405]
const Texts = () => (
  <>
    <Long text="short" />
    {LENGTHS.map((length) => (
      <Long key={length} text={'a'.repeat(length)} />
    ))}
    <p id="counts">{[1, 2, 5, 22, 1_234].map((count) => jobs.found(count)).join(', ')}</p>
  </>
)
const START = 1_800_000_000
const Times = () => (
  <>
    <p id="left">
      <Countdown to={START + 62} over="expired" />
    </p>
    <p id="since">
      <Since at={START} />
    </p>
  </>
)

function Tracks() {
  const [at, setAt] = useState(2)
  const wave = { address: 'x', bars: [0.2, 1, 0.5], length: 8, blob: null, isBroken: false }
  return (
    <>
      <Track wave={wave} at={at} label="Position" text={`${at} s`} onSeek={setAt} />
      <Track wave={{ ...wave, bars: [], length: 0 }} at={0} label="Unread" text="0 s" onSeek={() => say('never')} />
    </>
  )
}

const COUNT = 10_000
function Rows() {
  const { place, first, last } = useShownRows<HTMLUListElement>({ count: COUNT, row: 20 })
  const rows = Array.from({ length: last - first }, (_, at) => first + at)
  return (
    <ul ref={place} style={{ height: `${COUNT * 20}px`, paddingBlockStart: `${first * 20}px`, boxSizing: 'border-box', margin: 0 }}>
      {rows.map((row) => (
        <li key={row} style={{ height: '20px' }}>{`row ${row}`}</li>
      ))}
    </ul>
  )
}

/** A page that is drawn in steps: `wait` leaves a drawing open, and what is entered before it counts with the newest state. */
function Steps() {
  const [drawn, setDrawn] = useState(0)
  const note = (text: unknown) => say(`${text} after ${drawn}`)
  useState(drawInSteps)
  Object.assign(globalThis, { wait: () => setDrawn((last) => last + 1) })
  return (
    <>
      <input aria-label="Text" value="" onInput={({ currentTarget }) => note(currentTarget.value)} />
      <select aria-label="Choice" value="Heart" onChange={({ currentTarget }) => note(currentTarget.value)}>
        <option>Heart</option>
        <option>Mara</option>
      </select>
      <input aria-label="Mark" type="checkbox" checked={false} onClick={({ currentTarget }) => note(currentTarget.checked)} />
      <input aria-label="Draft" value={drawn > 0 ? 'Kept' : ''} onInput={({ currentTarget }) => note(currentTarget.value)} />
    </>
  )
}

const Broken = (): ComponentChildren => {
  throw new Error('drawn wrong')
}
function Failing() {
  const [address, setAddress] = useState(() => addressOf('#/files'))
  return (
    <>
      <button type="button" onClick={() => setAddress(addressOf('#/voices'))}>
        Voices
      </button>
      <Boundary address={address}>{address.page === 'files' ? <Broken /> : <p>Voices are here</p>}</Boundary>
    </>
  )
}

const STORIES: Readonly<Record<string, FunctionComponent>> = {
  actions: Actions,
  fields: Fields,
  form: Forms,
  dialog: () => <Opening window={Window} />,
  question: () => <Opening window={Question} />,
  popover: Popovers,
  marks: Marks,
  messages: Messages,
  texts: Texts,
  times: Times,
  track: Tracks,
  rows: Rows,
  failing: Failing,
  steps: Steps,
}

const name = location.hash.slice(1)
const place = document.getElementById('story')!
const Story = STORIES[name]!
render(<Notices />, document.getElementById('around')!)
render(<Story />, place)
place.dataset['story'] = name
