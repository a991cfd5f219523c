// "Runs on": where work runs, chosen from a list, and what that means at this moment.

import { strings } from '#messages/frame.ts'
import { strings as shared } from '#messages/shared.ts'
import { post } from '../lib/api.ts'
import type { RoutingView } from '../lib/api-types.ts'
import { Action, Popover } from '../lib/controls.tsx'
import { isolated, short } from '../lib/format.ts'
import { useEffect, useState } from '../lib/html.ts'
import { notify } from '../lib/notices.ts'
import { usePolled } from '../lib/read.ts'
import { serverSentence } from '../lib/server-texts.ts'
import { Icon } from '../look/icons.tsx'
import { shownValue } from './object-name.ts'

export type Target = RoutingView['targets'][number]

const EVERY_MS = 15_000
/** A longer list is the Machines page. first.ts requests as many. */
const SHOWN = 12
/** Operations that are described under the list. */
const OPERATIONS = ['tts', 'asr'] as const

const nameOf = ({ label, is_local }: Target) => (is_local ? shared.thisMachine : isolated(short(label, 30)))

/** For pages: where speech runs now, as the frame has read it; null until then. */
export const [useRouting, showRouting] = shownValue<RoutingView | null>(null)

/** The machine that runs an operation, as a part of a sentence. */
export function placeNow({ active, target }: RoutingView) {
  if (!active.remote) return strings.thisMachine
  return strings.runningOn(target === 'auto' ? strings.fastest : isolated(short(active.label, 30)))
}

/** Target of one operation at this moment. */
function Now({ operation, hint }: { operation: 'tts' | 'asr'; hint: unknown }) {
  const { value } = usePolled(`/workers/target?op=${operation}&limit=0`, EVERY_MS, hint)
  if (!value) return null
  return (
    <p class="note">
      <Icon of={operation === 'tts' ? 'speak' : 'captions'} />
      <span class="text">
        {strings.now(operation, placeNow(value))}
        {value.active.reason !== 'chosen' && `. ${serverSentence(value.active.reason)}`}
      </span>
    </p>
  )
}

/** `hint`: changes when machines change */
export function RunsOn({ hint }: { hint: unknown }) {
  const [isOpen, setOpen] = useState(false)
  const { value: view, reload } = usePolled(`/workers/target?op=tts&limit=${SHOWN}`, EVERY_MS, hint)
  useEffect(() => showRouting(view), [view])
  if (!view) return null
  const chosen = view.targets.find(({ id }) => id === view.target)
  const name = view.target === 'auto' ? strings.automatic : chosen ? nameOf(chosen) : view.target
  const isAway = view.target !== 'auto' && !view.active.remote && !(chosen?.is_local ?? false)
  const choose = (target: string) => async () => {
    await post('/workers/target', { target })
    await reload()
    notify(strings.saved)
  }
  const option = (id: string, title: string, detail: string, isPossible = true) => (
    <li key={id}>
      <Action kind="item" data-close aria-pressed={view.target === id} disabled={!isPossible} onPress={choose(id)}>
        <Icon of={view.target === id ? 'check' : id === 'auto' ? 'again' : 'machine'} />
        <span class="text">
          {title}
          {detail && <small>{serverSentence(detail)}</small>}
        </span>
      </Action>
    </li>
  )
  const others = view.targets.filter(({ is_local }) => !is_local)
  const local = view.targets.find(({ is_local }) => is_local)
  return (
    <Popover
      id="runs-on"
      label={strings.runsOnNow(name)}
      title={strings.runsOn}
      kind={`runs-on ${isAway ? 'warn' : ''}`}
      onToggle={setOpen}
      face={
        <>
          <Icon of="machine" />
          <small class="wide-only">{strings.runsOn}</small> <span class="one-line wide-only">{name}</span>
          <span class="wide-only">
            <Icon of="down" />
          </span>
        </>
      }
    >
      <header>
        <h2>{strings.runsOn}</h2>
      </header>
      <ul class="plain body">
        {option('auto', strings.automaticLong, strings.automaticHint)}
        {local && option(local.id, shared.thisMachine, '')}
        {others.map((one) => option(one.id, nameOf(one), one.available ? '' : one.detail, one.available))}
      </ul>
      <div class="foot">
        {isOpen && OPERATIONS.map((operation) => <Now key={operation} operation={operation} hint={`${view.target} ${hint}`} />)}
        <a data-close href="#/machines">
          {strings.manage}
        </a>
      </div>
    </Popover>
  )
}
