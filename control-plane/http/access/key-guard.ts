// Checks API keys. Wrong keys are answered later and later for each address, and counted.
import { createHash, timingSafeEqual } from 'node:crypto'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import { sourceOf } from '../limits/source.ts'

type Parts = {
  /** Null: no key is configured, and every key is wrong. */
  readonly apiKey: string | null
  readonly clock: Clock
  readonly log: Log
  /** Called for each wrong key. */
  readonly counted: () => void
}
export type KeyGuard = ReturnType<typeof createKeyGuard>
/** `wrongAt`: monotonic times within the window, oldest first. `answerAt`: when the last of the waiting answers is due. */
type Entry = { wrongAt: number[]; answerAt: number }

const WINDOW_MS = 60_000
/** Wrong keys of one address within the window. */
const MANY = 10
const FIRST_DELAY_MS = 100
const MAX_DELAY_MS = 3_000
/** Answers to one address follow each other. Further requests are refused at once, so that waiting connections do not pile up. */
const MAX_WAIT_MS = 10_000
const ADDRESSES = 1024

export function createKeyGuard({ apiKey, clock, log, counted }: Parts) {
  const key = apiKey === null ? null : digest(apiKey)
  // In the order of the first wrong key.
  const entries = new Map<string, Entry>()

  function entryOf(source: string): Entry {
    const entry = entries.get(source) ?? { wrongAt: [], answerAt: 0 }
    const from = clock.mono() - WINDOW_MS
    entry.wrongAt = entry.wrongAt.filter((at) => at > from)
    return entry
  }

  function tooMany(address: string, waitMs: number): Failure {
    const seconds = Math.max(1, Math.ceil(waitMs / 1000))
    return new Failure('TOO_MANY_WRONG_KEYS', `Too many wrong API keys came from ${address}. Wait ${seconds} s and send the right one.`, {
      retryAfterSeconds: seconds,
    })
  }

  return {
    isSet: key !== null,
    /** The comparison takes the same time for every text. */
    isRight: (text: string): boolean => key !== null && timingSafeEqual(digest(text), key),
    /** Called after a right key: the address has a clean record again. */
    forgive: (address: string): void => void entries.delete(sourceOf(address)),
    /** Counts a wrong key that needs no delay: its sender may read the key itself. */
    count: counted,
    /**
     * Counts and records a wrong key, and resolves when the answer may be sent. Throws TOO_MANY_WRONG_KEYS at once when too many answers wait,
     * and, if `isStrict`, after 10 wrong keys in 60 s.
     */
    async wrong(address: string, isStrict = false): Promise<void> {
      counted()
      const source = sourceOf(address)
      const entry = entryOf(source)
      const now = clock.mono()
      const from = Math.max(now, entry.answerAt)
      if (isStrict && entry.wrongAt.length >= MANY) throw tooMany(address, entry.wrongAt.at(-MANY)! + WINDOW_MS - now)
      if (from - now > MAX_WAIT_MS) throw tooMany(address, from - now)
      const isNews = entry.wrongAt.length === 0 || entry.wrongAt.length === MANY - 1
      entry.wrongAt = [...entry.wrongAt, now].slice(-MANY)
      entry.answerAt = from + Math.min(FIRST_DELAY_MS * 2 ** (entry.wrongAt.length - 1), MAX_DELAY_MS)
      if (isNews) log.warn({ address, wrong: entry.wrongAt.length }, 'a wrong API key was refused')
      entries.set(source, entry)
      for (const oldest of entries.keys()) if (entries.size > ADDRESSES) entries.delete(oldest)
      await clock.sleep(entry.answerAt - now)
    },
  }
}

// Digests have equal lengths, so the comparison does not reveal the length of the key.
const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
