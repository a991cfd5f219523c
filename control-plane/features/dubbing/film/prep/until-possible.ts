// Reads a film again when the obstacle is gone. The film may have taken hours to arrive, so only a film that cannot be read ends its dub.

import type { StepContext } from '#control-plane/jobs/job-type.ts'
import { Failure, type FailureCode } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { warningFrame } from './prep.rules.ts'
import type { PrepStage, PrepWarning } from './prep-events.schema.ts'

const RETRY_MS = 2_000
/** They last until space is freed, a program is installed, or the engines of this machine run again. */
const LASTING: ReadonlySet<FailureCode> = new Set(['STORAGE_FULL', 'PROGRAM_MISSING', 'PROGRAM_FAILED', 'NOT_READY'])
/** Runs that may be killed in total, mostly for lack of memory. */
const MAX_KILLED = 3

/** Throws what `run` throws besides these, and the reason of the signal. Each reason to wait is emitted once. */
export async function untilPossible<T>(
  run: () => Promise<T>,
  { signal, emit, whileWaiting }: StepContext<PrepWarning>,
  stage: PrepStage,
  clock: Pick<Clock, 'sleep'>,
): Promise<T> {
  const reported = new Set<FailureCode>()
  for (let killed = 0; ; ) {
    try {
      return await run()
    } catch (error) {
      signal.throwIfAborted()
      const { code, message } = Failure.from(error)
      if (code === 'PROGRAM_KILLED') killed++
      if (!LASTING.has(code) && (code !== 'PROGRAM_KILLED' || killed === MAX_KILLED)) throw error
      if (!reported.has(code)) await emit(warningFrame({ code, message: `${message} The preparation waits and then goes on.` }, stage))
      reported.add(code)
      await whileWaiting(() => clock.sleep(RETRY_MS, signal))
    }
  }
}
