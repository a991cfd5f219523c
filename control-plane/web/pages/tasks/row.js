// One task: what it is, how far, where, when it will be finished, why it waits or what went wrong.
import { post } from '../api.js'
import { html, useState } from '../html.js'
import { ago, Badge, Confirm, notify, Progress } from './basics.js'
import { attemptWords, expectedWords, lasting, nameOf, stateOf, titleOf } from './tasks-words.js'

const LONG = 600
/** A long message scrolls in a box of its own, which the keyboard reaches. */
const Message = ({ message }) =>
  message.length > LONG
    ? html`<p class="text trouble long" tabindex="0" role="group" aria-label="The whole message">${message}</p>`
    : html`<p class="text trouble">${message}</p>`

const Trouble = ({ error }) => html`<div class=${error.retryable ? 'callout' : 'callout bad'}>
  <div class="row"><strong class="text mono">${error.code}</strong> <span class="text clip">class: ${error.error_class}</span>
    <span>${error.retryable ? 'may be tried again' : 'trying again does not help'}</span></div>
  <${Message} message=${error.message} />
  ${error.hint && html`<${Message} message=${`What to do: ${error.hint}`} />`}
</div>`

function Attempts({ task, names }) {
  const [open, setOpen] = useState(false)
  const failed = task.attempts.filter(({ error }) => error).length
  const count = `${task.attempts.length} of at most ${task.max_attempts} attempts`
  return html`<details onToggle=${(event) => setOpen(event.currentTarget.open)}>
    <summary>${count}${failed > 0 && `, ${failed} with a failure`}</summary>
    ${
      open &&
      html`<p class="soft">Task <span class="mono">${task.task_id}</span></p>
      <ol class="attempts">
        ${task.attempts.map(
          (attempt) => html`<li key=${attempt.attempt_id} value=${attempt.attempt_number}>
            <span class="text clip named">${nameOf(names, attempt.worker_id)}</span> · ${attemptWords(attempt.state)}
            ${attempt.progress > 0 && attempt.progress < 1 && ` at ${Math.round(attempt.progress * 100)} %`}
            ${attempt.error && html`<${Trouble} error=${attempt.error} />`}
          </li>`,
        )}
      </ol>`
    }
  </details>`
}

function Running({ task, names, now }) {
  const attempt = task.attempts.at(-1)
  const percent = Math.round((attempt?.progress ?? 0) * 100)
  return html`<div class="running">
    <${Progress} value=${attempt?.progress || null} label=${`${titleOf(task)}: ${percent} percent`} />
    <div class="row soft">
      <span>${percent} %</span>
      ${attempt?.stage && html`<span class="text clip">${attempt.stage}</span>`}
      ${attempt && html`<span>on <span class="text clip named">${nameOf(names, attempt.worker_id)}</span></span>`}
      <span>${expectedWords(task, now)}</span>
    </div>
  </div>`
}

const NAMED = 3
/** Many machines wait for the same reason: each reason once, with the machines it is true of. */
function Waiting({ task, names, now }) {
  const reasons = Map.groupBy(task.waiting_for, ({ reason }) => reason)
  const each = ([reason, list]) => html`<li key=${reason}>
    ${list.slice(0, NAMED).map(({ worker_id }, index) => html`${index > 0 && ', '}<span class="text clip named">${nameOf(names, worker_id)}</span>`)}
    ${list.length > NAMED && ` and ${list.length - NAMED} more`}: <span class="text">${reason}</span>
  </li>`
  return html`<div>
    <div class="row soft"><span>${expectedWords(task, now)}</span></div>
    ${
      reasons.size > 0
        ? html`<p class="soft why">It waits because:</p><ul class="why">${[...reasons].map(each)}</ul>`
        : html`<p class="soft why">It is about to be offered to a machine.</p>`
    }
  </div>`
}

function Ended({ task, names }) {
  const attempt = task.attempts.at(-1)
  return html`<div class="row soft">
    <span>${ago(task.finished_at)}, after ${lasting(task.finished_at - task.created_at)}</span>
    ${attempt && html`<span>on <span class="text clip named">${nameOf(names, attempt.worker_id)}</span></span>`}
  </div>`
}

export function TaskRow({ task, names, now }) {
  const [asking, setAsking] = useState(false)
  const { group, words, tone } = stateOf(task)
  const isOpen = group === 'waiting' || group === 'running'
  const cancel = async () => {
    await post(`/workers/tasks/${encodeURIComponent(task.task_id)}/cancel?always=true`)
    notify('The task is being cancelled.')
  }
  return html`<li class="sheet task" data-task=${task.task_id}>
    <div class="row">
      <h3 class="text clip">${titleOf(task)}</h3>
      <${Badge} tone=${tone}>${words}<//>
      ${task.priority === 1 && html`<${Badge}>in no hurry<//>`}
      <span class="spread"></span>
      ${!isOpen && html`<small>begun ${ago(task.created_at)}</small>`}
      ${isOpen && html`<button type="button" onClick=${() => setAsking(true)} aria-label=${`Cancel ${titleOf(task)}, begun ${ago(task.created_at)}`}>Cancel</button>`}
    </div>
    ${group === 'running' && html`<${Running} ...${{ task, names, now }} />`}
    ${group === 'waiting' && html`<${Waiting} ...${{ task, names, now }} />`}
    ${!isOpen && html`<${Ended} ...${{ task, names }} />`}
    ${task.error && html`<${Trouble} error=${task.error} />`}
    ${task.attempts.length > 0 && html`<${Attempts} ...${{ task, names }} />`}
    ${
      asking &&
      html`<${Confirm} title="Cancel this task?" action="Cancel the task" onYes=${cancel} onClose=${() => setAsking(false)}>
        <p class="text clip">${titleOf(task)}</p><p>What it has made so far is thrown away.</p>
      <//>`
    }
  </li>`
}
