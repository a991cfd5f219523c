// The takes that are being generated in this process, by job: their sound so far, and the way to move one to this machine.

import type { TaskSpec } from '#control-plane/tasks/record.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { createSoundtrack, type Soundtrack } from './soundtrack.ts'

export type RunningTake = {
  readonly sound: Soundtrack
  /** Milliseconds that neighbouring parts overlap. */
  readonly crossfadeMs: number
  /** Milliseconds of silence before the first part. */
  readonly leadMs: number
  /** Hz; null before the first sound. */
  sampleRate: number | null
  /** The first task; null before it. Its provenance mark is that of the whole take. */
  spec: TaskSpec | null
  /** Moves the take to this machine; null while nothing can be moved. Throws CONFLICT. */
  move: (() => void) | null
}
export type RunningTakes = ReturnType<typeof createRunningTakes>

/** Ended takes are kept for readers that are still playing them, up to this many. */
const ENDED_KEPT = 32

export function createRunningTakes() {
  const takes = new Map<string, RunningTake>()
  const ended = new Set<string>()
  const arrivals = new Map<string, Set<(take: RunningTake) => void>>()

  return {
    /** The take of a job, created with its first step. */
    open(job: string, { crossfadeMs, leadMs }: Pick<RunningTake, 'crossfadeMs' | 'leadMs'>): RunningTake {
      const known = takes.get(job)
      if (known) return known
      const take: RunningTake = { sound: createSoundtrack(), crossfadeMs, leadMs, sampleRate: null, spec: null, move: null }
      takes.set(job, take)
      for (const resolve of arrivals.get(job) ?? []) resolve(take)
      arrivals.delete(job)
      return take
    },
    /** `failure`: what its readers receive, or null. */
    end(job: string, failure: Failure | null): void {
      const take = takes.get(job)
      if (!take) return
      take.move = null
      take.sound.end(failure)
      ended.add(job)
      if (ended.size <= ENDED_KEPT) return
      const oldest = ended.values().next().value!
      ended.delete(oldest)
      takes.delete(oldest)
    },
    /** Resolves when the first step of the job begins. Rejects with the reason of the signal. */
    arrival(job: string, signal: AbortSignal): Promise<RunningTake> {
      const take = takes.get(job)
      if (take) return Promise.resolve(take)
      return new Promise((resolve, reject) => {
        const those = arrivals.get(job) ?? new Set()
        arrivals.set(job, those.add(arrived))
        function arrived(one: RunningTake): void {
          signal.removeEventListener('abort', stop)
          resolve(one)
        }
        function stop(): void {
          those.delete(arrived)
          if (those.size === 0) arrivals.delete(job)
          reject(signal.reason)
        }
        signal.addEventListener('abort', stop, { once: true })
        if (signal.aborted) stop()
      })
    },
    /** Throws CONFLICT if the take is not being spoken on another machine. */
    move(job: string): void {
      const move = takes.get(job)?.move
      if (!move) throw new Failure('CONFLICT', 'The take is not being generated on another machine now.')
      move()
    },
  }
}
