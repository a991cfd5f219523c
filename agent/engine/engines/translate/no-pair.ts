// The refusal of a pair of languages.
import { Failure } from '#shared/protocol/failure.ts'

/** INVALID_TASK_PARAMS that lists the pairs of the engine on this machine. */
export const pairNotAvailable = (engine: string, source: string, target: string, offered: readonly string[]): Failure =>
  new Failure(
    'INVALID_TASK_PARAMS',
    `source, target: ${engine} does not translate from ${source} to ${target} here; it has ${offered.join(', ') || 'no pair at all'}`,
  )
