// Mutations that find faults in decoders: flipped bits, truncation, pieces of one message inside another, false lengths, endless lists,
// unknown fields, unlimited nesting.
import fc from 'fast-check'

export type Damage =
  | { readonly kind: 'flip'; readonly at: number; readonly bit: number }
  | { readonly kind: 'cut'; readonly at: number }
  | { readonly kind: 'splice'; readonly at: number; readonly bytes: Uint8Array }
  | { readonly kind: 'repeat'; readonly at: number; readonly length: number; readonly times: number }
  | { readonly kind: 'drop'; readonly at: number; readonly length: number }

const at = fc.nat({ max: 1 << 20 })
const varint = (value: bigint): number[] => (value < 128n ? [Number(value)] : [Number(value & 127n) | 128, ...varint(value >> 7n)])
const number = fc.integer({ min: 1, max: 30 })

/** Bytes that only a hostile encoder writes. */
const hostileField = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  // A length of up to 2^64 without content.
  fc
    .record({ number, length: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }) })
    .map((field) => [field.number * 8 + 2, ...varint(field.length)]),
  // A number that exceeds 53 bits, or the maximum size.
  fc.record({ number, value: fc.bigInt({ min: 2n ** 52n, max: 2n ** 80n }) }).map((field) => [field.number * 8, ...varint(field.value)]),
  // Any wire type for any field number, groups included.
  fc
    .record({ number, wire: fc.nat({ max: 7 }), rest: fc.uint8Array({ maxLength: 12 }) })
    .map((field) => [...varint(BigInt(field.number * 8 + field.wire)), ...field.rest]),
  // An unused field number.
  fc
    .record({ number: fc.bigInt({ min: 100n, max: 2n ** 29n - 1n }), bytes: fc.uint8Array({ maxLength: 100 }) })
    .map((field) => [...varint(field.number * 8n + 2n), ...varint(BigInt(field.bytes.length)), ...field.bytes]),
  // Groups in groups, and messages in messages.
  fc.record({ number, depth: fc.nat({ max: 20_000 }) }).map((field) => Array<number>(field.depth).fill(field.number * 8 + 3)),
  fc.record({ number, depth: fc.nat({ max: 200 }) }).map((field) => {
    let bytes: number[] = []
    for (let depth = 0; depth < field.depth; depth++) bytes = [field.number * 8 + 2, ...varint(BigInt(bytes.length)), ...bytes]
    return bytes
  }),
)

const damage: fc.Arbitrary<Damage> = fc.oneof(
  fc.record({ kind: fc.constant('flip' as const), at, bit: fc.nat({ max: 7 }) }),
  fc.record({ kind: fc.constant('cut' as const), at }),
  fc.record({ kind: fc.constant('splice' as const), at, bytes: hostileField.map((bytes) => Uint8Array.from(bytes)) }),
  fc.record({
    kind: fc.constant('repeat' as const),
    at,
    length: fc.integer({ min: 1, max: 40 }),
    times: fc.oneof({ weight: 20, arbitrary: fc.nat({ max: 50 }) }, { weight: 1, arbitrary: fc.nat({ max: 200_000 }) }),
  }),
  fc.record({ kind: fc.constant('drop' as const), at, length: fc.integer({ min: 1, max: 40 }) }),
)
/** Half of them are single: a large message rarely decodes after several, and then its consumer is not tested. */
export const damages: fc.Arbitrary<Damage[]> = fc.oneof(
  damage.map((one) => [one]),
  fc.array(damage, { minLength: 1, maxLength: 6 }),
)

/** Limited to the size that the transport accepts. */
export const LIMIT_BYTES = 4 * 1024 * 1024

export function mutate(bytes: Uint8Array, list: readonly Damage[]): Buffer {
  return list.reduce<Buffer>((now, step) => {
    const place = now.length === 0 ? 0 : step.at % (now.length + 1)
    const head = now.subarray(0, place)
    const tail = now.subarray(place)
    if (step.kind === 'cut') return head
    if (step.kind === 'drop') return Buffer.concat([head, tail.subarray(step.length)])
    if (step.kind === 'splice') return Buffer.concat([head, step.bytes, tail])
    if (step.kind === 'repeat') {
      const piece = tail.subarray(0, step.length)
      const times = Math.min(step.times, Math.floor((LIMIT_BYTES - now.length) / Math.max(piece.length, 1)))
      return Buffer.concat([head, ...Array<Buffer>(Math.max(times, 0)).fill(piece), tail])
    }
    const copy = Buffer.from(now)
    if (copy.length > 0) copy[place % copy.length]! ^= 1 << step.bit
    return copy
  }, Buffer.from(bytes))
}
