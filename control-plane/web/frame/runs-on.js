// @ts-check
// "Runs on": where work runs, chosen from a list, and what that means at this moment.
import { post } from '../lib/api.js'
import { Action, Popover } from '../lib/controls.js'
import { isolated, short } from '../lib/format.js'
import { html, useState } from '../lib/html.js'
import { notify } from '../lib/notices.js'
import { usePolled } from '../lib/read.js'
import { strings as shared } from '../lib/strings.js'
import { Icon } from '../look/icons.js'
import { strings } from './strings.js'

/** @import { RoutingView } from '../lib/api-types.ts' */
/** @typedef {RoutingView['targets'][number]} Target */

const EVERY_MS = 15_000
/** A longer list is the Machines page. first.js requests as many. */
const SHOWN = 12
/** What is said under the list. */
const OPERATIONS = /** @type {const} */ (['tts', 'asr'])

/** @param {Target} target */
const nameOf = ({ label, is_local }) => (is_local ? shared.thisMachine : isolated(short(label, 30)))

/** @param {RoutingView} view */
function placeOf({ active, target }) {
  if (!active.remote) return strings.thisMachine
  return strings.runningOn(target === 'auto' ? strings.fastest : isolated(short(active.label, 30)))
}

/** What would happen now, for one operation. @param {{ operation: 'tts' | 'asr', hint: unknown }} props */
function Now({ operation, hint }) {
  const { value } = usePolled(`/workers/target?op=${operation}&limit=0`, EVERY_MS, hint)
  if (!value) return null
  return html`<p class="note"><${Icon} of=${operation === 'tts' ? 'speak' : 'captions'} /><span class="text">${strings.now(operation, placeOf(value))}${value.active.reason !== 'chosen' && `. ${value.active.reason}`}</span></p>`
}

/** @param {{ hint: unknown }} props hint: changes when machines change */
export function RunsOn({ hint }) {
  const [isOpen, setOpen] = useState(false)
  const { value: view, reload } = usePolled(`/workers/target?op=tts&limit=${SHOWN}`, EVERY_MS, hint)
  if (!view) return null
  const chosen = view.targets.find(({ id }) => id === view.target)
  const name = view.target === 'auto' ? strings.automatic : chosen ? nameOf(chosen) : view.target
  const isAway = view.target !== 'auto' && !view.active.remote && !(chosen?.is_local ?? false)
  const choose = (/** @type {string} */ target) => async () => {
    await post('/workers/target', { target })
    await reload()
    notify(strings.saved)
  }
  const option = (
    /** @type {string} */ id,
    /** @type {string} */ title,
    /** @type {string} */ detail,
    isPossible = true,
  ) => html`<li key=${id}>
    <${Action} kind="item" data-close aria-pressed=${view.target === id} disabled=${!isPossible} onPress=${choose(id)}>
      <${Icon} of=${view.target === id ? 'check' : id === 'auto' ? 'again' : 'machine'} />
      <span class="text">${title}${detail && html`<small>${detail}</small>`}</span>
    <//></li>`
  const others = view.targets.filter(({ is_local }) => !is_local)
  const local = view.targets.find(({ is_local }) => is_local)
  return html`<${Popover} id="runs-on" label=${strings.runsOnNow(name)} title=${strings.runsOn} kind=${`runs-on ${isAway ? 'warn' : ''}`} onToggle=${setOpen}
    face=${html`<${Icon} of="machine" /><small class="wide-only">${strings.runsOn}</small>${' '}<span class="one-line wide-only">${name}</span><span class="wide-only"><${Icon} of="down" /></span>`}>
    <header><h2>${strings.runsOn}</h2></header>
    <ul class="plain body">
      ${option('auto', strings.automaticLong, strings.automaticHint)}
      ${local && option(local.id, shared.thisMachine, '')}
      ${others.map((one) => option(one.id, nameOf(one), one.available ? '' : one.detail, one.available))}
    </ul>
    <div class="foot">${isOpen && OPERATIONS.map((operation) => html`<${Now} key=${operation} operation=${operation} hint=${`${view.target} ${hint}`} />`)}
      <a data-close href="#/machines">${strings.manage}</a></div>
  <//>`
}
