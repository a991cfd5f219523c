// One task: its state, progress and machine, when it is done, why it waits or what failed.
import { explained, post } from '#control-plane/web/lib/api.ts'
import type { TaskView } from '#control-plane/web/lib/api-types.ts'
import { Badge, Confirm, Progress } from '#control-plane/web/lib/controls.tsx'
import { ago, duration, isolated, percent } from '#control-plane/web/lib/format.ts'
import { useState } from '#control-plane/web/lib/html.ts'
import { notify } from '#control-plane/web/lib/notices.ts'
import { serverSentence } from '#control-plane/web/lib/server-texts.ts'
import { list } from '#messages/language.ts'
import { strings as shared } from '#messages/shared.ts'
import { strings } from '#messages/system/jobs.ts'
import type { Names } from './state.ts'
import { attemptLabel, nameOf, ranOn, stateOf, timeLeftOf, titleOf } from './state.ts'

export type TaskError = NonNullable<TaskView['error']>

const LONG_CHARS = 600
/** Machines that are named per reason. */
const NAMED = 3

/** A long message scrolls in a box of its own, which the keyboard reaches. */
const Message = ({ message }: { message: string }) =>
  message.length > LONG_CHARS ? (
    <p class="text trouble long" tabindex={0} role="group" aria-label={shared.wholeText}>
      {message}
    </p>
  ) : (
    <p class="text trouble">{message}</p>
  )

const Failure = ({ error }: { error: TaskError }) => {
  const { message, hint } = explained(error, error.message, error.hint ?? '')
  return (
    <div class={error.retryable ? 'callout' : 'callout bad'}>
      <Message message={message} />
      {hint && <Message message={strings.whatToDo(hint)} />}
      <details>
        <summary>{strings.details}</summary>
        <p class="trouble">{error.retryable ? strings.retryable : strings.final}</p>
        <p class="trouble mono text clip">{strings.errorCode(error.code, error.error_class)}</p>
      </details>
    </div>
  )
}

function Attempts({ task, names }: { task: TaskView; names: Names }) {
  const [open, setOpen] = useState(false)
  const failed = task.attempts.filter(({ error }) => error).length
  const toggled = ({ currentTarget }: Event) => currentTarget instanceof HTMLDetailsElement && setOpen(currentTarget.open)
  return (
    <details onToggle={toggled}>
      <summary>{strings.attempts(task.attempts.length, task.max_attempts, failed)}</summary>
      {open && (
        <>
          <p class="soft">
            {strings.taskId}
            <span class="mono">{task.task_id}</span>
          </p>
          <ol class="attempts">
            {task.attempts.map((attempt) => (
              <li key={attempt.attempt_id} value={attempt.attempt_number}>
                <span class="text clip named">{ranOn(names, attempt)}</span> · {attemptLabel(attempt.state)}
                {attempt.progress > 0 && attempt.progress < 1 && strings.reached(percent(attempt.progress))}
                {attempt.error && <Failure error={attempt.error} />}
              </li>
            ))}
          </ol>
        </>
      )}
    </details>
  )
}

function Running({ task, names, now }: { task: TaskView; names: Names; now: number }) {
  const attempt = task.attempts.at(-1)
  const progress = attempt?.progress ?? 0
  return (
    <div class="running">
      <Progress value={progress || null} label={strings.progress(titleOf(task), percent(progress))} />
      <div class="row soft">
        <span>{percent(progress)}</span>
        {attempt?.stage && <span class="text clip">{serverSentence(attempt.stage)}</span>}
        {attempt && <span class="text clip named">{strings.on(ranOn(names, attempt))}</span>}
        <span>{timeLeftOf(task, now)}</span>
      </div>
    </div>
  )
}

/** Many machines share a reason: each reason is shown once, with its machines. */
function Waiting({ task, names, now }: { task: TaskView; names: Names; now: number }) {
  const reasons = [...Map.groupBy(task.waiting_for, ({ reason }) => reason)]
  return (
    <div>
      <div class="row soft">
        <span>{timeLeftOf(task, now)}</span>
      </div>
      <p class="soft why">{reasons.length > 0 ? strings.waitingBecause : strings.aboutToStart}</p>
      <ul class="why">
        {reasons.map(([reason, machines]) => (
          <li key={reason}>
            <span class="text">
              {strings.because(
                list(machines.slice(0, NAMED).map((one) => isolated(nameOf(names, one.worker_id)))),
                machines.length - NAMED,
                serverSentence(reason),
              )}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}

function Ended({ task, names }: { task: TaskView; names: Names }) {
  const attempt = task.attempts.at(-1)
  return (
    <div class="row soft">
      {task.finished_at !== null && <span>{strings.ended(ago(task.finished_at), duration(task.finished_at - task.created_at))}</span>}
      {attempt && <span class="text clip named">{strings.on(ranOn(names, attempt))}</span>}
    </div>
  )
}

/** `now`: epoch seconds */
export function TaskRow({ task, names, now }: { task: TaskView; names: Names; now: number }) {
  const [asking, setAsking] = useState(false)
  const { group, label, tone } = stateOf(task)
  const title = titleOf(task)
  const isOpen = group === 'waiting' || group === 'running'
  const cancel = async () => {
    await post(`/workers/tasks/${encodeURIComponent(task.task_id)}/cancel?always=true`, {})
    notify(strings.cancelling)
  }
  return (
    <li class="sheet task" data-task={task.task_id}>
      <div class="row">
        <h3 class="text clip">{title}</h3>
        <Badge tone={tone}>{label}</Badge>
        {task.priority === 1 && <Badge>{strings.lowPriority}</Badge>}
        <span class="spread"></span>
        {isOpen && (
          <>
            <small>{ago(task.created_at)}</small>
            <button type="button" onClick={() => setAsking(true)} aria-label={strings.cancelTask(title, ago(task.created_at))}>
              {shared.cancel}
            </button>
          </>
        )}
      </div>
      {group === 'running' && <Running {...{ task, names, now }} />}
      {group === 'waiting' && <Waiting {...{ task, names, now }} />}
      {!isOpen && <Ended {...{ task, names }} />}
      {task.error && <Failure error={task.error} />}
      {task.attempts.length > 0 && <Attempts {...{ task, names }} />}
      {asking && (
        <Confirm
          title={strings.cancelTitle}
          action={strings.cancelAction}
          keep={strings.cancelKeep}
          onYes={cancel}
          onClose={() => setAsking(false)}
        >
          <p class="text clip">{title}</p>
          <p>{strings.cancelWarning}</p>
        </Confirm>
      )}
    </li>
  )
}
