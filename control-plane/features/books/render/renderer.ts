// Renders the missing segments of a book as tasks, several at a time, and stores each one in the cache as soon as it is complete. Tasks may
// finish in any order. A segment that another rendering is making is awaited, not made twice.

import { untilAbort } from '#control-plane/jobs/until-abort.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { SegmentCache } from '../cache/segment-cache.ts'
import type { CastVoice } from './casting.service.ts'
import type { SpeakGroup, TaskOptions } from './speak-group.ts'
import { firstFree, nextGroup, type SegmentWork, type WorkSegment, workOf } from './work.ts'

export type Rendering = {
  /** Resolves when the segment is cached. Rejects with why it cannot be rendered, or with the reason of the signal. */
  readonly ready: (key: string) => Promise<void>
  /** Renders a segment again whose cached sound was lost. */
  readonly again: (segment: WorkSegment) => void
  /** Cancels running tasks. Resolves when nothing runs; never rejects. */
  readonly close: () => Promise<void>
}
export type Renderer = ReturnType<typeof createSegmentRenderer>
type Deps = {
  readonly cache: Pick<SegmentCache, 'find'>
  readonly speakGroup: SpeakGroup
  /** Tasks of a voice at the same time. */
  readonly lanes: (speaker: CastVoice) => number
  readonly clock: Clock
  readonly log: Log
}
export type RenderOptions = TaskOptions & {
  /**
   * Called each second with the reason while no machine can render: the rendering continues after `rest`. `isIdle`: no other part of it is
   * being rendered. Without it, segments fail as with any other failure, because a person waits.
   */
  readonly noMachine?: ((reason: string, rest: () => Promise<void>, isIdle: boolean) => Promise<void>) | undefined
}
type Request = RenderOptions & {
  readonly segments: readonly WorkSegment[]
  /** Called with the predicted seconds of speech that are still missing, after each segment. */
  readonly progressed?: (left: number) => void
}
type Waiter = PromiseWithResolvers<void>

const MAX_FAILURES = 3
/** Tasks that fail in a row before the rendering gives up. */
const MAX_FAILED_TASKS = 8
const BUSY_MS = 1_000

/** A task that was cancelled while its book was not: its voice was withdrawn. The book must not end as if a client had stopped it. */
const withoutCancel = (failure: Failure): Failure =>
  failure.code === 'CANCELLED' ? new Failure('INPUT_UNAVAILABLE', failure.message, { cause: failure }) : failure

export function createSegmentRenderer({ cache, speakGroup, lanes, clock, log }: Deps) {
  /** Segments that are being rendered, for all renderings. */
  const flying = new Map<string, Promise<void>>()

  function render({ segments, signal: caller, progressed, noMachine, ...options }: Request): Rendering {
    const over = new AbortController()
    const signal = AbortSignal.any([caller, over.signal])
    const missing = new Map<string, SegmentWork>()
    const waiters = new Map<string, Waiter>()
    let failedInRow = 0
    let wake = Promise.withResolvers<void>()
    let [running, waiting] = [0, 0]
    /** Predicted seconds that are missing. */
    let left = 0

    const waiterOf = (key: string): Waiter => {
      const known = waiters.get(key)
      if (known) return known
      const waiter = Promise.withResolvers<void>()
      waiter.promise.catch(() => {}) // it may have no reader
      waiters.set(key, waiter)
      return waiter
    }
    const changed = () => {
      wake.resolve()
      wake = Promise.withResolvers()
    }
    function done(work: SegmentWork): void {
      if (missing.delete(work.segment.key)) left -= work.seconds
      progressed?.(Math.max(0, left))
      waiterOf(work.segment.key).resolve()
    }
    function failed(work: SegmentWork, failure: Failure): void {
      missing.delete(work.segment.key)
      waiterOf(work.segment.key).reject(failure)
    }
    /** Ends the rendering: every segment that is left fails with this. */
    function giveUp(failure: Failure): void {
      over.abort(failure)
      for (const work of [...missing.values()]) failed(work, failure)
      changed()
    }

    async function run(group: readonly SegmentWork[]): Promise<void> {
      const flight = Promise.withResolvers<void>()
      for (const { segment } of group) flying.set(segment.key, flight.promise)
      const open = new Set(group)
      try {
        await speakGroup(group, { ...options, signal }, (work) => {
          failedInRow = 0
          open.delete(work)
          done(work)
        })
      } catch (error) {
        if (signal.aborted) return
        const failure = withoutCancel(Failure.from(error))
        if (failure.code === 'STORAGE_FULL') return giveUp(failure)
        const rest = () => clock.sleep(BUSY_MS, signal).catch(() => {})
        if (failure.code === 'NO_CAPABLE_WORKER' && noMachine !== undefined) {
          const isIdle = ++waiting === running
          return await noMachine(failure.message, rest, isIdle)
            .catch(() => {})
            .finally(() => waiting--)
        }
        if (failure.code === 'QUEUE_FULL') return await rest()
        log.info({ segments: open.size, code: failure.code }, 'a task of a book failed')
        if (++failedInRow >= MAX_FAILED_TASKS) return giveUp(failure)
        for (const work of open) if (++work.failures >= MAX_FAILURES) failed(work, failure)
      } finally {
        for (const { segment } of group) flying.delete(segment.key)
        flight.resolve()
      }
    }

    /** Settles the segments that another rendering has finished meanwhile. */
    async function settleOthers(): Promise<void> {
      const known = await cache.find([...missing.keys()].filter((key) => !flying.has(key)))
      for (const key of known.keys()) {
        const work = missing.get(key)
        if (work) done(work)
      }
    }

    async function sort(): Promise<void> {
      const cached = await cache.find(segments.map(({ key }) => key))
      for (const segment of segments) {
        if (cached.has(segment.key)) waiterOf(segment.key).resolve()
        else if (!missing.has(segment.key)) missing.set(segment.key, workOf(segment))
      }
      for (const { seconds } of missing.values()) left += seconds
      progressed?.(left)
    }

    async function pump(): Promise<void> {
      await sort().catch((error: unknown) => {
        for (const segment of segments) waiterOf(segment.key).reject(Failure.from(error))
      })
      while (!signal.aborted) {
        // Taken before the look at the cache, so that a change meanwhile is not missed.
        const woken = wake.promise
        const isFree = (key: string) => !flying.has(key)
        const next = firstFree(missing.values(), isFree)
        const most = next === null ? 0 : lanes(next.segment.speaker)
        const wanted = running < most ? nextGroup(missing.values(), isFree, most) : []
        // Another rendering may have finished them since they were looked up.
        const known = await cache.find(wanted.map(({ segment }) => segment.key))
        for (const work of wanted) if (known.has(work.segment.key)) done(work)
        const group = wanted.filter(({ segment: { key } }) => missing.has(key) && !flying.has(key))
        if (wanted.length > 0 && group.length === 0) continue
        if (group.length > 0 && !signal.aborted) {
          running++
          void run(group).finally(() => {
            running--
            changed()
          })
          continue
        }
        const foreign = new Set([...missing.keys()].flatMap((key) => flying.get(key) ?? []))
        if (running === 0 && foreign.size === 0 && missing.size === 0) {
          await untilAbort(woken, signal).catch(() => {})
          continue
        }
        await untilAbort(Promise.race([woken, ...foreign]), signal).catch(() => {})
        if (foreign.size > 0 && !signal.aborted) await settleOthers()
      }
      const reason = Failure.from(signal.reason)
      for (const work of [...missing.values()]) failed(work, reason)
      while (running > 0) await wake.promise
    }

    const ended = pump()
    return {
      ready: (key) => untilAbort(waiterOf(key).promise, signal),
      again(segment) {
        if (missing.has(segment.key)) return
        waiters.delete(segment.key)
        if (signal.aborted) return void waiterOf(segment.key).reject(signal.reason)
        missing.set(segment.key, workOf(segment))
        changed()
      },
      close() {
        over.abort(new Failure('CANCELLED', 'The rendering has ended.'))
        changed()
        return ended
      },
    }
  }
  return { render }
}
