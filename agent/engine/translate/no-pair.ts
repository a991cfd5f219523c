// The failure for a language pair that an engine does not have.
import { Failure } from '#shared/protocol/failure.ts'

/** INVALID_TASK_PARAMS that lists the available pairs of the engine on this machine. */
export const pairNotAvailable = (engine: string, source: string, target: string, offered: readonly string[]): Failure =>
  new Failure(
    'INVALID_TASK_PARAMS',
    `source, target: ${engine} does not translate from ${source} to ${target} on this machine. It has ${offered.join(', ') || 'no pair'}.`,
  )
