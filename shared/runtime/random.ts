// Randomness as an argument.
import { randomBytes, randomInt } from 'node:crypto'

export type Random = {
  /** A number in [0, 1). Not for secrets. */
  readonly unit: () => number
  /** `bytes` random bytes as lower-case hex; strong enough for ids and secrets. */
  readonly hex: (bytes: number) => string
  readonly bytes: (count: number) => Buffer
}

// A call of the generator costs more than its bytes, so they are drawn in pages and used once each.
const PAGE_BYTES = 4096
let page = Buffer.alloc(0)
function takeBytes(bytes: number): Buffer {
  if (page.length < bytes) page = randomBytes(Math.max(PAGE_BYTES, bytes))
  const drawn = page.subarray(0, bytes)
  page = page.subarray(bytes)
  return drawn
}

export const systemRandom: Random = {
  unit: () => randomInt(0, 2 ** 32) / 2 ** 32,
  hex: (bytes) => takeBytes(bytes).toString('hex'),
  bytes: (count) => randomBytes(count),
}
