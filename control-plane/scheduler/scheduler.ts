// Turns placements into offers. Runs just before each commit, so that a freed permit and the task that takes it are one batch. place()
// decides; this file applies the decision and ends the tasks that no machine can run.

import type { Need, Queue } from '#control-plane/tasks/queue.ts'
import type { Tasks } from '#control-plane/tasks/tasks.ts'
import type { Rejections } from '#control-plane/workers/rejections.ts'
import { LOCAL } from '#control-plane/workers/worker.store.ts'
import type { FailureCode } from '#shared/protocol/failure.ts'
import type { Random } from '#shared/runtime/random.ts'
import type { Candidates } from './candidates.ts'
import type { Objection } from './objection.ts'
import { place, type Unplaced } from './place.ts'

export type Scheduler = ReturnType<typeof createScheduler>
type Deps = {
  readonly tasks: Tasks
  readonly queue: Queue
  readonly rejections: Pick<Rejections, 'of'>
  readonly random: Random
  /** Every enrolled worker, connected or not, as it is now. */
  readonly candidates: () => Candidates
  /** False during the start: agents need time to reconnect, so no task is hopeless yet. */
  readonly mayGiveUp: () => boolean
}

export function createScheduler({ tasks, queue, rejections, random, candidates, mayGiveUp }: Deps) {
  let reasons: readonly Unplaced[] = []

  function giveUp({ line, why }: Unplaced): void {
    const refused = refusal(line.need, why)
    for (const id of [...line.waiting.keys()]) {
      // The reason of the last machine that was asked tells more than that there is no other one.
      const rejection = rejections.of(id).at(-1)
      const { code, message } = rejection ? { code: 'WORKER_REJECTED' as const, message: rejection.message } : refused
      tasks.apply(id, { kind: 'refuse', code, message })
    }
  }

  return {
    /** One pass; called before each commit. */
    pass(): void {
      // Also without a waiting task: what changed is read bit by bit, and not all at once when a task comes.
      const fleet = candidates()
      if (queue.count === 0) {
        reasons = []
        return
      }
      const { placements, unplaced } = place(queue.lines(), fleet, queue.permits)
      for (const { taskId, workerId } of placements) tasks.apply(taskId, { kind: 'offer', workerId, attemptId: random.hex(8) })
      reasons = unplaced
      if (mayGiveUp()) for (const line of unplaced) if (line.hopeless) giveUp(line)
    },
    /** The tasks that the last pass did not place. */
    unplaced: (): readonly Unplaced[] => reasons,
    /** Objections to a waiting task, worker by worker, in the last pass. */
    why: (taskId: string): readonly Objection[] => reasons.find(({ line }) => line.waiting.has(taskId))?.why ?? [],
  }
}

function refusal(need: Need, why: readonly Objection[]): { code: FailureCode; message: string } {
  const isTheirs = (id: string) => need.machines?.includes(id) !== false
  if (need.target !== 'auto' && !isTheirs(need.target))
    return {
      code: 'PINNED_WORKER_UNREACHABLE',
      message:
        need.target === LOCAL
          ? 'This runs on the machine of the studio only, which this person may not use.'
          : 'This person may not use the chosen machine. Choose another one.',
    }
  const pinned = need.target === 'auto' ? undefined : why.find(({ workerId }) => workerId === need.target)
  const model = need.model ? `${need.engine}:${need.model}` : need.engine
  if (pinned?.reason === 'has another version of the model')
    return { code: 'MODEL_DIGEST_MISMATCH', message: `The chosen machine has another version of the model of ${model}.` }
  if (pinned?.reason === 'does not have the voice' || pinned?.reason === 'does not speak the language')
    return { code: 'PINNED_WORKER_UNREACHABLE', message: `The chosen machine ${pinned.reason} that was asked for.` }
  if (pinned && pinned.reason !== 'cannot run it')
    return { code: 'PINNED_WORKER_UNREACHABLE', message: `The chosen machine is ${pinned.reason}.` }
  if (pinned)
    return { code: 'PINNED_WORKER_UNREACHABLE', message: `The chosen machine is connected but cannot run ${need.operation} with ${model}.` }
  if (need.target !== 'auto') return { code: 'PINNED_WORKER_UNREACHABLE', message: 'The chosen machine is no longer enrolled.' }
  if (need.machines) {
    const theirs = why.filter(({ workerId }) => isTheirs(workerId)).map(({ reason }) => reason)
    const reasons = theirs.length > 0 ? theirs.join(', ') : 'none is enrolled'
    return {
      code: 'NO_CAPABLE_WORKER',
      message: `No machine that this person may use can run ${need.operation} with ${model} (${reasons}).`,
    }
  }
  const each = why.map(({ workerId, reason }) => `${workerId}: ${reason}`).join(', ')
  return { code: 'NO_CAPABLE_WORKER', message: `No machine can run ${need.operation} with ${model} (${each || 'none is enrolled'}).` }
}
