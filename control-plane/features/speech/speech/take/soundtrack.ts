// The sound of a take while it is generated. A take is spoken in legs: one for each machine that speaks a part of it. Any number of
// readers get the whole parts in order, from the first one on.
import type { WholePart } from '../chunks.ts'

export type Leg = {
  /** Index in the take of the first part of the leg. */
  readonly first: number
  /** The whole parts, counted from 0. Called again after a failure if the leg was cut meanwhile. */
  readonly parts: (signal: AbortSignal) => AsyncIterable<WholePart>
  /** The number of parts that count after the take has moved to another machine; null before. */
  readonly cutAfter: () => number | null
}
export type Soundtrack = ReturnType<typeof createSoundtrack>

export function createSoundtrack() {
  const legs: Leg[] = []
  let ended: { readonly failure: unknown } | null = null
  let changed = Promise.withResolvers<void>()
  const wake = () => {
    changed.resolve()
    changed = Promise.withResolvers()
  }

  /** The leg at this place; null if the take has ended before it. */
  async function legAt(place: number, signal: AbortSignal): Promise<Leg | null> {
    for (;;) {
      signal.throwIfAborted()
      if (legs[place]) return legs[place]
      if (ended?.failure) throw ended.failure
      if (ended) return null
      const aborted = Promise.withResolvers<void>()
      const stop = () => aborted.resolve()
      signal.addEventListener('abort', stop, { once: true })
      await Promise.race([changed.promise, aborted.promise])
      signal.removeEventListener('abort', stop)
    }
  }

  return {
    add(leg: Leg): void {
      legs.push(leg)
      wake()
    },
    /** No leg follows. `failure`: what readers receive, or null. */
    end(failure: unknown = null): void {
      ended ??= { failure }
      wake()
    },
    /** Ends with the take. Throws the failure of the take, or the reason of the signal. */
    async *parts(signal: AbortSignal): AsyncGenerator<WholePart> {
      let next = 0
      for (let place = 0; ; ) {
        const leg = await legAt(place, signal)
        if (!leg) return
        const wasCut = leg.cutAfter() !== null
        try {
          for await (const { index, bytes } of leg.parts(signal)) {
            const limit = leg.cutAfter()
            if (limit !== null && index >= limit) break
            if (leg.first + index !== next) continue
            next++
            yield { index: leg.first + index, bytes }
          }
        } catch (error) {
          // The task of a leg that is cut gets cancelled. Its finished parts are read again from where they are kept.
          if (wasCut || leg.cutAfter() === null) throw ended?.failure ?? error
          continue
        }
        place++
        if (leg.cutAfter() === null) return
      }
    },
  }
}
