// @ts-check
// Where work runs: the choice, and what it means at this moment.
import { messageOf, post } from '../../lib/api.js'
import { Badge, Field, fieldValue } from '../../lib/controls.js'
import { isolated, short } from '../../lib/format.js'
import { html, useMemo, useState } from '../../lib/html.js'
import { notify } from '../../lib/notices.js'
import { usePolled } from '../../lib/read.js'
import { strings as shared } from '../../lib/strings.js'
import { strings } from './view-strings.js'

/** @import { MachineFleet, RoutingView } from '../../lib/api-types.ts' */
/** @typedef {RoutingView['targets'][number]} Target */

const words = strings.routing
const EVERY_MS = 4000

/** @param {Target} target */
const optionOf = ({ id, label, available, detail, is_local }) => {
  const name = is_local ? shared.thisMachine : isolated(short(label))
  return html`<option key=${id} value=${id} disabled=${!available}>${available ? name : words.unavailable(name, detail)}</option>`
}

/** @param {RoutingView} view */
function placeOf({ active, target }) {
  if (!active.remote) return words.thisMachine
  return target === 'auto' ? words.fastest : active.label
}

/** @param {{ view: RoutingView }} props */
const Now = ({ view }) => html`<p class="now row">
  <${Badge} tone=${view.active.reason === 'chosen' ? 'good' : 'warn'}>${words.runningOn(isolated(short(placeOf(view))))}<//>
  ${view.active.reason !== 'chosen' && html`<span class="text" data-part="reason">${view.active.reason}</span>`}
</p>`

/** @param {{ fleet: MachineFleet }} props */
export function Routing({ fleet }) {
  const [operation, setOperation] = useState('')
  const { value: view, error, reload } = usePolled(`/workers/target?op=${operation}`, EVERY_MS, fleet)
  const [refusal, setRefusal] = useState('')
  const choose = async (/** @type {Event} */ event) => {
    setRefusal('')
    try {
      await post('/workers/target', { target: fieldValue(event) })
      notify(words.saved)
    } catch (failure) {
      setRefusal(messageOf(failure))
    }
    await reload()
  }
  // A thousand options are created once per answer, not once per drawing.
  const options = useMemo(() => {
    const own = view?.targets.filter(({ is_local }) => is_local) ?? []
    const others = view?.targets.filter(({ is_local }) => !is_local) ?? []
    return [own.map(optionOf), html`<option key="auto" value="auto">${words.automatic}</option>`, others.map(optionOf)]
  }, [view])
  if (!view)
    return html`<section class="sheet"><h2>${words.title}</h2><p class=${error ? 'callout bad' : 'empty'}>${error || shared.loading}</p></section>`
  return html`<section class="sheet" aria-label=${words.title}>
    <h2>${words.title}</h2>
    <div class="row pair">
      <${Field} label=${words.target}><select value=${view.target} onChange=${choose}>${options}</select><//>
      <${Field} label=${words.showFor}>
        <select value=${operation} onChange=${(/** @type {Event} */ event) => setOperation(fieldValue(event))}>
          ${words.operations.map(([op, name]) => html`<option key=${op} value=${op}>${name}</option>`)}
        </select>
      <//>
    </div>
    <${Now} view=${view} />
    ${refusal && html`<p class="callout bad text" role="alert">${refusal}</p>`}
    ${error && html`<p class="callout bad text">${error}</p>`}
  </section>`
}
