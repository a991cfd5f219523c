// @ts-check
// One task: its state, progress and machine, when it is done, why it waits or what failed.
import { post } from '../../lib/api.js'
import { Badge, Confirm, Progress } from '../../lib/controls.js'
import { ago, duration, percent } from '../../lib/format.js'
import { html, useState } from '../../lib/html.js'
import { notify } from '../../lib/notices.js'
import { strings as shared } from '../../lib/strings.js'
import { attemptLabel, nameOf, stateOf, timeLeftOf, titleOf } from './state.js'
import { strings } from './strings.js'

/** @import { TaskView } from '../../lib/api-types.ts' */
/** @import { Names } from './state.js' */
/** @typedef {NonNullable<TaskView['error']>} TaskError */

const LONG_CHARS = 600
/** Machines that are named per reason. */
const NAMED = 3

/** A long message scrolls in a box of its own, which the keyboard reaches. @param {{ message: string }} props */
const Message = ({ message }) =>
  message.length > LONG_CHARS
    ? html`<p class="text trouble long" tabindex="0" role="group" aria-label=${shared.wholeText}>${message}</p>`
    : html`<p class="text trouble">${message}</p>`

/** @param {{ error: TaskError }} props */
const Failure = ({ error }) => html`<div class=${error.retryable ? 'callout' : 'callout bad'}>
  <${Message} message=${error.message} />
  ${error.hint && html`<${Message} message=${strings.whatToDo + error.hint} />`}
  <details><summary>${strings.details}</summary>
    <p class="trouble">${error.retryable ? strings.retryable : strings.final}</p>
    <p class="trouble mono text clip">${strings.errorCode(error.code, error.error_class)}</p></details>
</div>`

/** @param {{ names: Names, id: string }} props */
const MachineName = ({ names, id }) => html`<span class="text clip named">${nameOf(names, id)}</span>`

/** @param {{ task: TaskView, names: Names }} props */
function Attempts({ task, names }) {
  const [open, setOpen] = useState(false)
  const failed = task.attempts.filter(({ error }) => error).length
  const toggled = (/** @type {Event} */ { currentTarget }) => currentTarget instanceof HTMLDetailsElement && setOpen(currentTarget.open)
  return html`<details onToggle=${toggled}>
    <summary>${strings.attempts(task.attempts.length, task.max_attempts, failed)}</summary>
    ${
      open &&
      html`<p class="soft">${strings.taskId}<span class="mono">${task.task_id}</span></p>
      <ol class="attempts">
        ${task.attempts.map(
          (attempt) => html`<li key=${attempt.attempt_id} value=${attempt.attempt_number}>
            <${MachineName} names=${names} id=${attempt.worker_id} /> · ${attemptLabel(attempt.state)}
            ${attempt.progress > 0 && attempt.progress < 1 && strings.reached(percent(attempt.progress))}
            ${attempt.error && html`<${Failure} error=${attempt.error} />`}
          </li>`,
        )}
      </ol>`
    }
  </details>`
}

/** @param {{ task: TaskView, names: Names, now: number }} props */
function Running({ task, names, now }) {
  const attempt = task.attempts.at(-1)
  const progress = attempt?.progress ?? 0
  return html`<div class="running">
    <${Progress} value=${progress || null} label=${strings.progress(titleOf(task), percent(progress))} />
    <div class="row soft">
      <span>${percent(progress)}</span>
      ${attempt?.stage && html`<span class="text clip">${attempt.stage}</span>`}
      ${attempt && html`<span>${strings.on}<${MachineName} names=${names} id=${attempt.worker_id} /></span>`}
      <span>${timeLeftOf(task, now)}</span>
    </div>
  </div>`
}

/** Many machines share a reason: each reason is shown once, with its machines. @param {{ task: TaskView, names: Names, now: number }} props */
function Waiting({ task, names, now }) {
  const reasons = [...Map.groupBy(task.waiting_for, ({ reason }) => reason)]
  return html`<div>
    <div class="row soft"><span>${timeLeftOf(task, now)}</span></div>
    <p class="soft why">${reasons.length > 0 ? strings.waitingBecause : strings.aboutToStart}</p>
    <ul class="why">${reasons.map(
      ([reason, machines]) => html`<li key=${reason}>
        ${machines.slice(0, NAMED).map(({ worker_id }, index) => html`${index > 0 && ', '}<${MachineName} names=${names} id=${worker_id} />`)}
        ${machines.length > NAMED && strings.andMore(machines.length - NAMED)}: <span class="text">${reason}</span>
      </li>`,
    )}</ul>
  </div>`
}

/** @param {{ task: TaskView, names: Names }} props */
function Ended({ task, names }) {
  const attempt = task.attempts.at(-1)
  return html`<div class="row soft">
    ${task.finished_at !== null && html`<span>${strings.ended(ago(task.finished_at), duration(task.finished_at - task.created_at))}</span>`}
    ${attempt && html`<span>${strings.on}<${MachineName} names=${names} id=${attempt.worker_id} /></span>`}
  </div>`
}

/** @param {{ task: TaskView, names: Names, now: number }} props now: epoch seconds */
export function TaskRow({ task, names, now }) {
  const [asking, setAsking] = useState(false)
  const { group, label, tone } = stateOf(task)
  const title = titleOf(task)
  const isOpen = group === 'waiting' || group === 'running'
  const cancel = async () => {
    await post(`/workers/tasks/${encodeURIComponent(task.task_id)}/cancel?always=true`, {})
    notify(strings.cancelling)
  }
  return html`<li class="sheet task" data-task=${task.task_id}>
    <div class="row">
      <h3 class="text clip">${title}</h3>
      <${Badge} tone=${tone}>${label}<//>
      ${task.priority === 1 && html`<${Badge}>${strings.lowPriority}<//>`}
      <span class="spread"></span>
      ${isOpen && html`<small>${ago(task.created_at)}</small><button type="button" onClick=${() => setAsking(true)} aria-label=${strings.cancelTask(title, ago(task.created_at))}>${shared.cancel}</button>`}
    </div>
    ${group === 'running' && html`<${Running} ...${{ task, names, now }} />`}
    ${group === 'waiting' && html`<${Waiting} ...${{ task, names, now }} />`}
    ${!isOpen && html`<${Ended} ...${{ task, names }} />`}
    ${task.error && html`<${Failure} error=${task.error} />`}
    ${task.attempts.length > 0 && html`<${Attempts} ...${{ task, names }} />`}
    ${
      asking &&
      html`<${Confirm} title=${strings.cancelTitle} action=${strings.cancelAction} keep=${strings.cancelKeep} onYes=${cancel} onClose=${() => setAsking(false)}>
        <p class="text clip">${title}</p><p>${strings.cancelWarning}</p>
      <//>`
    }
  </li>`
}
