// The PIN of the shared port. A PIN has 10^6 values, so the number of different wrong ones bounds the chance of a guess: after 100, new
// devices are refused until sharing is turned on again with another PIN. Devices that have sent the right PIN keep a token and are not
// affected. The same wrong PIN counts once, so a device that repeats an old PIN does not use the guesses up.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { Random } from '#shared/runtime/random.ts'
import { sourceOf } from '../limits/source.ts'

type Deps = { readonly clock: Clock; readonly random: Random; readonly log: Log }
type Current = {
  readonly pin: string
  /** Signs the tokens of devices. */
  readonly secret: Buffer
  readonly wrong: Set<string>
  /** Monotonic times of different wrong PINs by source, oldest first. */
  readonly times: Map<string, number[]>
}
export type SharePin = ReturnType<typeof createSharePin>

export const PIN_COOKIE = 'svc_pin'
export const PIN_HEADER = 'x-svc-pin'
const DIGITS = 6
const VALUES = 10 ** DIGITS
const PIN = /^\d{6}$/
const TOKEN_PREFIX = 'svc_pin_'
const SECRET_BYTES = 32
/** Bytes of each of the two parts of a token. */
const ID_BYTES = 16
const TOKEN = /^svc_pin_[A-Za-z0-9_-]{43}$/
/** Different wrong PINs until new devices are refused: a chance of 1 in 10,000. */
export const GUESSES = 100
/** Different wrong PINs of one source within the window. */
const SOURCE_GUESSES = 10
const WINDOW_MS = 60_000

export function createSharePin({ clock, random, log }: Deps) {
  let current: Current | null = null

  function tooMany(message: string, seconds: number): Failure {
    return new Failure('TOO_MANY_WRONG_PINS', message, { retryAfterSeconds: seconds })
  }

  /** Throws TOO_MANY_WRONG_PINS. */
  function count({ wrong, times }: Current, guess: string, source: string): void {
    if (wrong.has(guess)) return
    const now = clock.mono()
    const recent = (times.get(source) ?? []).filter((at) => at > now - WINDOW_MS)
    wrong.add(guess)
    times.set(source, [...recent, now])
    if (wrong.size === GUESSES) log.warn({ wrong: wrong.size }, 'too many wrong PINs: the shared port accepts no new devices')
    else if (wrong.size % SOURCE_GUESSES === 1) log.warn({ address: source, wrong: wrong.size }, 'a wrong PIN was refused')
  }

  return {
    /** Draws a new PIN and ends the devices of the last one. */
    begin(): string {
      const pin = String(uniform(random)).padStart(DIGITS, '0')
      current = { pin, secret: random.bytes(SECRET_BYTES), wrong: new Set(), times: new Map() }
      return pin
    },
    end(): void {
      current = null
    },
    /** Null while sharing is off. */
    pin: (): string | null => current?.pin ?? null,
    /** The id of the device that received this token for the PIN; null for another text. */
    deviceOf: (text: string): string | null => {
      const id = current && idIn(text)
      return current && id && isSame(text, tokenOf(id, current)) ? id.toString('base64url') : null
    },
    /**
     * The token for a device that sent the right PIN; null for a wrong one. A device that has the token of an earlier PIN keeps its id. Throws
     * TOO_MANY_WRONG_PINS, without a comparison, after 10 different wrong PINs of this source in 60 s, and after 100 of all sources.
     */
    redeem(text: string, address: string, earlier = ''): string | null {
      if (current === null || !PIN.test(text)) return null
      if (current.wrong.size >= GUESSES)
        throw tooMany('Too many wrong PINs were sent. Turn sharing off and on again on the machine of the studio for a new PIN.', 3600)
      const source = sourceOf(address)
      const tenth = (current.times.get(source) ?? []).at(-SOURCE_GUESSES)
      const waitMs = tenth === undefined ? 0 : tenth + WINDOW_MS - clock.mono()
      if (waitMs > 0) {
        const seconds = Math.ceil(waitMs / 1000)
        throw tooMany(`Too many wrong PINs came from ${source}. Wait ${seconds} s and send the right one.`, seconds)
      }
      if (isSame(text, current.pin)) return tokenOf(idIn(earlier) ?? random.bytes(ID_BYTES), current)
      count(current, text, source)
      return null
    },
  }
}

/** A token is the id of a device and its signature. */
const tokenOf = (id: Buffer, { secret }: Current): string =>
  TOKEN_PREFIX + Buffer.concat([id, createHmac('sha256', secret).update(id).digest().subarray(0, ID_BYTES)]).toString('base64url')
const idIn = (token: string): Buffer | null =>
  TOKEN.test(token) ? Buffer.from(token.slice(TOKEN_PREFIX.length), 'base64url').subarray(0, ID_BYTES) : null

/** A random value without the bias of a remainder: values of the last incomplete block are drawn again. */
function uniform(random: Random): number {
  const limit = 2 ** 32 - (2 ** 32 % VALUES)
  for (;;) {
    const drawn = random.bytes(4).readUInt32BE()
    if (drawn < limit) return drawn % VALUES
  }
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
/** Takes the same time for every text of one length. */
const isSame = (text: string, expected: string): boolean => timingSafeEqual(digest(text), digest(expected))
