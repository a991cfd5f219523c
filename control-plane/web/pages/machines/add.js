// Adding a machine: what its code shall say, the code itself, how the other machine uses it, and the word that it has joined.
import { post } from '../api.js'
import { html, useMemo, useState } from '../html.js'
import { Dialog, Field } from './basics.js'
import { Countdown, Form, useTick } from './workers-form.js'
import { Secret } from './workers-secret.js'
import { nameOf } from './workers-state.js'

const TIMES = [
  [300, '5 minutes'],
  [900, '15 minutes'],
  [3600, '1 hour'],
  [86_400, '1 day'],
]
const OTHER = 'other'

function Wish({ fleet, onCode }) {
  const [label, setLabel] = useState('')
  const [choice, setChoice] = useState('')
  const [typed, setTyped] = useState('')
  const [ttl, setTtl] = useState(900)
  const here = location.hostname
  const offerHere = here !== '' && !fleet.endpoint.startsWith(`${here}:`)
  const send = async () => {
    const endpoint = choice === OTHER ? typed.trim() : choice
    onCode(await post('/workers/enrollments', { label: label.trim(), endpoint, ttl_seconds: Number(ttl) }))
  }
  return html`<${Form} onSend=${send} send="Make the code">
    <${Field} label="Name of the machine" hint="What it is called here. You may change it later.">
      <input value=${label} maxlength="120" autocomplete="off" onInput=${(event) => setLabel(event.target.value)} />
    <//>
    <${Field} label="Address that it reaches this studio by">
      <select value=${choice} onChange=${(event) => setChoice(event.target.value)}>
        <option value="">${fleet.endpoint} (what the studio found)</option>
        ${offerHere && html`<option value=${here}>${here} (as in this page's address)</option>`}
        <option value=${OTHER}>another address…</option>
      </select>
    <//>
    ${
      choice === OTHER &&
      html`<${Field} label="Another address" hint="HOST or HOST:PORT, for instance of a router that passes the port on.">
        <input required maxlength="256" value=${typed} autocomplete="off" spellcheck="false" onInput=${(event) => setTyped(event.target.value)} />
      <//>`
    }
    <${Field} label="The code works for">
      <select value=${ttl} onChange=${(event) => setTtl(event.target.value)}>
        ${TIMES.map(([seconds, words]) => html`<option key=${seconds} value=${seconds}>${words}</option>`)}
      </select>
    <//>
  <//>`
}

function Code({ code, joined, onApprove, onAgain }) {
  useTick()
  const isOver = code.expires_at <= Date.now() / 1000
  if (joined.length > 0)
    return html`${joined.map(
      (worker) => html`<div key=${worker.id} class="callout good" role="status">
        <p><strong class="text">${nameOf(worker)}</strong> has joined${worker.connected ? ' and is connected' : '; it connects once its agent runs: ./studio agent'}.</p>
        ${
          worker.consent_granted
            ? html`<p>It is approved.</p>`
            : html`<p>Nothing is sent there until you approve it.</p>
              <button type="button" class="main" onClick=${() => onApprove(worker.id)}>Approve it…</button>`
        }
      </div>`,
    )}`
  return html`
    <${Secret} text=${code.token} label="Join code" />
    <p>Works once, leads to <span class="mono text">${code.endpoint}</span>. Time left: <strong><${Countdown} to=${code.expires_at} over="none, it has expired" /></strong></p>
    <h3>On the other machine</h3>
    <ol>
      <li>In its checkout of Voice Studio run <code class="mono">./studio agent join -</code>, paste the code and press Enter. Read like this, the
        code stands in no history of the shell.</li>
      <li>Then start it: <code class="mono">./studio agent</code></li>
    </ol>
    <p role="status" class="soft">${isOver ? 'The code has expired.' : 'Waiting for the machine. This window says when it has joined.'}</p>
    <button type="button" onClick=${onAgain}>Make another code</button>`
}

export function AddMachine({ fleet, onApprove, onClose }) {
  const [code, setCode] = useState(null)
  // Who was there when the code was made: whoever comes after it has joined.
  const known = useMemo(() => new Set(fleet.workers.map(({ id }) => id)), [code])
  const joined = code === null ? [] : fleet.workers.filter(({ id }) => !known.has(id))
  return html`<${Dialog} title="Add a machine" onClose=${onClose}>
    ${
      code === null
        ? html`<p>The other machine dials this studio with a code that works once; it opens no port of its own.</p><${Wish} fleet=${fleet} onCode=${setCode} />`
        : html`<${Code} code=${code} joined=${joined} onApprove=${onApprove} onAgain=${() => setCode(null)} />`
    }
  <//>`
}
