// The machines as a list that stays usable with a thousand of them: searched, narrowed to a state, and drawn fifty at a time.
import { html, useMemo, useState } from '../html.js'
import { Field } from './basics.js'
import { Card } from './workers-card.js'
import { LOCAL, nameOf, STATES, stateOf, wordsOf, workOf } from './workers-state.js'

const PAGE = 50
const order = new Intl.Collator(undefined, { numeric: true })

const rows = new WeakMap()
/** Made once for each record: an event replaces the record of one machine. */
function rowOf(worker) {
  const known = rows.get(worker)
  if (known) return known
  const row = { worker, name: nameOf(worker), state: stateOf(worker), words: wordsOf(worker) }
  rows.set(worker, row)
  return row
}

export function Machines({ own, fleet, tasks, version, connections, onAsk }) {
  const [text, setText] = useState('')
  const [state, setState] = useState('')
  const [page, setPage] = useState(0)
  const all = useMemo(() => {
    return fleet.workers.map(rowOf).sort((a, b) => order.compare(a.name, b.name) || order.compare(a.worker.id, b.worker.id))
  }, [fleet.workers])
  const counts = useMemo(() => Map.groupBy(all, (row) => row.state), [all])
  const wanted = text.trim().toLowerCase()
  const found = useMemo(
    () => all.filter((row) => (state === '' || row.state === state) && (wanted === '' || row.words.includes(wanted))),
    [all, state, wanted],
  )
  const work = useMemo(() => workOf(tasks.values()), [version])
  const dialled = useMemo(() => new Map(connections.map(({ worker_id, last_error }) => [worker_id, last_error])), [connections])
  const last = Math.max(0, Math.ceil(found.length / PAGE) - 1)
  const at = Math.min(page, last)
  const shown = found.slice(at * PAGE, (at + 1) * PAGE)
  const card = (worker) => {
    const waits = work.waits.get(worker.id)
    return html`<${Card} key=${worker.id} worker=${worker} jobs=${(work.jobs.get(worker.id) ?? []).join('\n')} waits=${waits ? JSON.stringify(waits) : ''} dialled=${dialled.get(worker.id) ?? null} onAsk=${onAsk} />`
  }
  const from = (change) => (event) => {
    setPage(0)
    change(event.target.value)
  }
  const range = found.length === 0 ? 'none' : `${at * PAGE + 1}–${at * PAGE + shown.length}`
  return html`
    ${
      all.length > 3 &&
      html`<div class="row pair" role="search" aria-label="Machines">
        <${Field} label="Find a machine"><input type="search" value=${text} placeholder="name, device, address" onInput=${from(setText)} /><//>
        <${Field} label="State"><select value=${state} onChange=${from(setState)}>
          <option value="">all (${all.length})</option>
          ${STATES.filter((one) => counts.has(one) || one === state).map((one) => html`<option key=${one} value=${one}>${one} (${counts.get(one)?.length ?? 0})</option>`)}
        </select><//>
      </div>`
    }
    ${
      all.length > 3 &&
      html`<div class="row pages">
        <span role="status">Enrolled machines shown: ${range} of ${found.length}${found.length === all.length ? '' : `, chosen from ${all.length}`}</span>
        ${
          last > 0 &&
          html`<button type="button" disabled=${at === 0} onClick=${() => setPage(at - 1)}>Previous ${PAGE}</button>
          <button type="button" disabled=${at === last} onClick=${() => setPage(at + 1)}>Next ${PAGE}</button>`
        }
      </div>`
    }
    <div class="grid machines">
      ${own && wanted === '' && state === '' && at === 0 && card(own)}
      ${shown.map(({ worker }) => card(worker))}
    </div>
    ${
      fleet.running &&
      all.length === 0 &&
      html`<p class="empty">No other machine has joined yet. Add one with a code, or connect to one that listens.</p>`
    }
    ${all.length > 0 && found.length === 0 && html`<p class="empty">No machine is like that.</p>`}`
}

export const jobsOf = (tasks) => workOf(tasks.values()).jobs.get(LOCAL)?.length ?? 0
