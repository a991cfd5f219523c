// The events of one attempt as far as they were received. It outlives its call: when the link breaks, the next session continues after the
// last event received.
import type { RunCall } from '#shared/link/rpc.ts'

export type AttemptStream = {
  readonly taskId: string
  readonly attemptId: string
  readonly epoch: number
  /** Number of the newest event received; a new call continues after it. */
  lastSeq: number
  /** The call that carries the events, or null between two links. */
  call: RunCall | null
  /** Snapshots in a row that lacked the attempt although its agent had accepted it. */
  missed: number
  /** The final event of the agent was received, or the attempt was refused; only work of the studio is left. */
  isFinal: boolean
}
/** By attempt id, whichever link they came over. */
export type AttemptStreams = Map<string, AttemptStream>

/** The stream of the attempt, which begins at its first event when it is new. */
export function openStream(streams: AttemptStreams, { taskId, attemptId, epoch }: Pick<AttemptStream, 'taskId' | 'attemptId' | 'epoch'>) {
  const stream = streams.get(attemptId) ?? { taskId, attemptId, epoch, lastSeq: 0, call: null, missed: 0, isFinal: false }
  streams.set(attemptId, stream)
  return stream
}
