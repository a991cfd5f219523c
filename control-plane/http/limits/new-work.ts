// The end of new work before the program ends: requests for it are refused, and those that run may end.
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'

/** Seconds after which a refused client tries again: the next start serves requests then, as a rule. */
const RETRY_SECONDS = 3

/** Event after the end of the work: the installed version takes over, or the program ends. */
export type AfterWork = 'switch' | 'stop'
/** The ways in which the program ends. */
export type Endings = {
  /** The next version takes the place of this one; null for a program that no package brought. */
  readonly handOver: (() => void) | null
  /** The program ends. */
  readonly stop: () => void
}
/** Work beside requests that may end before a stop which its owner asked for. */
export type OtherWork = {
  /** Begins nothing new from now on. */
  readonly hold: () => void
  /** Resolves when what runs has ended. */
  readonly settled: () => Promise<void>
}

/** The requests that make something, and the end of their admission. */
export type NewWork = {
  /** The refusal of new work; null while it is accepted. */
  readonly refusal: () => Failure | null
  /** Counts a piece of work until the function that it returns is called. Throws the refusal. */
  readonly begin: () => () => void
  /**
   * Refuses new work from now on, and ends the program when what runs has ended, or after `waitMs`. A stop waits for running jobs as well.
   * Returns the number of requests that run. Throws CONFLICT where no next version can take over.
   */
  readonly finish: (waitMs: number, after: AfterWork) => number
  /** Latest moment at which a finishing program ends, in epoch milliseconds; null while it accepts work. */
  readonly endsAt: () => number | null
  /** An orderly stop: refuses new work, and resolves when what runs has ended, after `graceMs` at the latest. */
  readonly drain: (graceMs: number) => Promise<void>
  /** Aborted when an orderly stop begins: live sessions take no more messages. */
  readonly draining: AbortSignal
}

const UPDATED = 'The studio is being updated. Send the request again in a few seconds.'
const STOPPING = 'The studio is stopping. If it starts again, the request can be sent again in a few seconds.'

export function createNewWork(clock: Clock, { handOver, stop }: Endings, other: OtherWork): NewWork {
  let running = 0
  let why: string | null = null
  let endsAt: number | null = null
  const draining = new AbortController()
  const idle = new Set<() => void>()
  let isOver = false
  const once = (run: () => void) => () => {
    if (!isOver) run()
    isOver = true
  }
  const ends = { switch: once(() => handOver?.()), stop: once(stop) }
  const refusal = () => (why === null ? null : new Failure('NOT_READY', why, { retryAfterSeconds: RETRY_SECONDS }))
  /** Calls `run` when no request runs, and after `ms` at the latest. Never at once: the request that asks for it is answered first. */
  function whenIdle(ms: number, run: () => void): void {
    const end = () => {
      idle.delete(end)
      cancel()
      run()
    }
    idle.add(end)
    const cancel = clock.after(running === 0 ? 0 : ms, end)
  }
  return {
    refusal,
    begin() {
      const refused = refusal()
      if (refused) throw refused
      running++
      let hasEnded = false
      return () => {
        if (hasEnded) return
        hasEnded = true
        if (--running === 0) for (const end of [...idle]) end()
      }
    },
    finish(waitMs, after) {
      if (after === 'switch' && handOver === null)
        throw new Failure('CONFLICT', 'This studio does not run from the program folder. Stop it, then start it again.')
      why ??= after === 'switch' ? UPDATED : STOPPING
      // Who asks again with a shorter time does not wait for the longer one.
      endsAt = Math.min(endsAt ?? Number.POSITIVE_INFINITY, clock.now() + waitMs)
      if (after === 'switch') whenIdle(waitMs, ends.switch)
      else {
        other.hold()
        clock.after(waitMs, ends.stop)
        whenIdle(waitMs, () => void other.settled().then(ends.stop))
      }
      return running
    },
    endsAt: () => endsAt,
    drain(graceMs) {
      why ??= STOPPING
      draining.abort()
      return new Promise((resolve) => whenIdle(graceMs, resolve))
    },
    draining: draining.signal,
  }
}
