// Token buckets: one per key, refilled at a steady rate.
import type { Clock } from '#shared/runtime/clock.ts'

export type Buckets = {
  readonly take: (key: string) => boolean
  /** Seconds until the next token of this key; 0 when there is one, Infinity when there is no refill. */
  readonly secondsUntil: (key: string) => number
}
// A full bucket limits nothing, so full ones are dropped to bound the memory of a flood from many addresses.
const MAX_KEYS = 10_000

export function createBuckets(options: { readonly burst: number; readonly perMinute: number; readonly clock: Clock }): Buckets {
  const { burst, perMinute, clock } = options
  const buckets = new Map<string, { tokens: number; at: number }>()
  const level = (bucket: { tokens: number; at: number }, now: number) =>
    Math.min(burst, bucket.tokens + ((now - bucket.at) / 60_000) * perMinute)
  const dropFull = (now: number) => {
    for (const [key, bucket] of buckets) if (level(bucket, now) >= burst) buckets.delete(key)
  }
  return {
    take(key) {
      const now = clock.mono()
      if (buckets.size >= MAX_KEYS && !buckets.has(key)) dropFull(now)
      if (buckets.size >= MAX_KEYS && !buckets.has(key)) return false
      const tokens = level(buckets.get(key) ?? { tokens: burst, at: now }, now)
      const taken = tokens >= 1
      buckets.set(key, { tokens: taken ? tokens - 1 : tokens, at: now })
      return taken
    },
    secondsUntil(key) {
      const now = clock.mono()
      const missing = 1 - level(buckets.get(key) ?? { tokens: burst, at: now }, now)
      return missing <= 0 ? 0 : (missing / perMinute) * 60
    },
  }
}
