// Error protection for the 32 bits of a mark: a checksum and a tail-biting convolutional code with soft-decision decoding. A tail-biting
// coder starts in the state in which it ends, so no bits are spent on a reset.

export const PAYLOAD_BITS = 32
const CRC_BITS = 16
const MEMORY = 8
const STATES = 1 << MEMORY
// The usual three generators of constraint length 9.
const GENERATORS = [0o557, 0o663, 0o711]
const MESSAGE_BITS = PAYLOAD_BITS + CRC_BITS
/** Code bits of one mark. */
export const CODE_BITS = MESSAGE_BITS * GENERATORS.length

/** The three output bits, as a number, for each coder register (newest bit on top). */
const OUTPUTS = Uint8Array.from({ length: STATES * 2 }, (_, register) =>
  GENERATORS.reduce((bits, generator, i) => bits | (parity(register & generator) << i), 0),
)

function parity(bits: number): number {
  let odd = 0
  for (let rest = bits; rest; rest &= rest - 1) odd ^= 1
  return odd
}

/** CRC-16 (CCITT) of 32 bits, most significant first. The start value prevents an all-zero message from passing. */
export function crc16(payload: number): number {
  let crc = 0xffff
  for (let i = PAYLOAD_BITS - 1; i >= 0; i--) {
    const top = ((crc >> 15) ^ (payload >>> i)) & 1
    crc = ((crc << 1) & 0xffff) ^ (top ? 0x1021 : 0)
  }
  return crc
}

/** The code bits of a payload (an unsigned 32-bit integer) as +1 and -1. */
export const encodePayload = (payload: number): Int8Array => encode(messageOf(payload))

const messageOf = (payload: number): Uint8Array => {
  const crc = crc16(payload)
  return Uint8Array.from({ length: MESSAGE_BITS }, (_, i) =>
    i < PAYLOAD_BITS ? (payload >>> (PAYLOAD_BITS - 1 - i)) & 1 : (crc >> (MESSAGE_BITS - 1 - i)) & 1,
  )
}

function encode(message: Uint8Array): Int8Array {
  const code = new Int8Array(CODE_BITS)
  let register = 0
  const shift = (bit: number) => {
    register = (register >> 1) | (bit << MEMORY)
  }
  message.subarray(-MEMORY).forEach(shift)
  message.forEach((bit, i) => {
    shift(bit)
    const outputs = OUTPUTS[register]!
    for (let g = 0; g < GENERATORS.length; g++) code[i * GENERATORS.length + g] = (outputs >> g) & 1 ? 1 : -1
  })
  return code
}

export type Decoded = {
  readonly payload: number
  readonly isValid: boolean
  /** Correlation of the soft bits with the code bits of the decoded message. */
  readonly score: number
}

/** The most likely payload of the soft bits (positive means +1, the magnitude is confidence), and whether its checksum is right. */
export function decodePayload(soft: Float64Array): Decoded {
  // The start and end states are unknown: of three laps over the soft bits, the second is read back.
  const laps = 3
  const from = new Uint8Array(laps * MESSAGE_BITS * STATES)
  const gains = Array.from({ length: MESSAGE_BITS }, (_, i) => gainsOf(soft, i * GENERATORS.length))
  let score = new Float64Array(STATES)
  let next = new Float64Array(STATES)
  for (let i = 0; i < laps * MESSAGE_BITS; i++) {
    const gain = gains[i % MESSAGE_BITS]!
    for (let to = 0; to < STATES; to++) {
      // A register is a state with one bit added on top; its next state drops the lowest bit.
      const [even, odd] = [2 * to, 2 * to + 1]
      const a = score[even & (STATES - 1)]! + gain[OUTPUTS[even]!]!
      const b = score[odd & (STATES - 1)]! + gain[OUTPUTS[odd]!]!
      next[to] = a >= b ? a : b
      from[i * STATES + to] = (a >= b ? even : odd) & (STATES - 1)
    }
    ;[score, next] = [next, score]
  }
  const message = readBack(from, score.indexOf(Math.max(...score)))
  const code = encode(message)
  const number = (bits: Uint8Array) => bits.reduce((value, bit) => ((value << 1) | bit) >>> 0, 0)
  const payload = number(message.subarray(0, PAYLOAD_BITS))
  return {
    payload,
    isValid: crc16(payload) === number(message.subarray(PAYLOAD_BITS)),
    score: code.reduce((sum, bit, i) => sum + bit * soft[i]!, 0),
  }
}

/** The score of each of the eight possible outputs. */
function gainsOf(soft: Float64Array, at: number): Float64Array {
  return Float64Array.from({ length: 1 << GENERATORS.length }, (_, outputs) =>
    GENERATORS.reduce((sum, _generator, i) => sum + ((outputs >> i) & 1 ? soft[at + i]! : -soft[at + i]!), 0),
  )
}

/** The message bits of the second last lap on the path that ends in `state`. */
function readBack(from: Uint8Array, state: number): Uint8Array {
  const message = new Uint8Array(MESSAGE_BITS)
  for (let step = from.length / STATES - 1, left = 2 * MESSAGE_BITS - 1; left >= 0; step--, left--) {
    if (left < MESSAGE_BITS) message[left] = state >> (MEMORY - 1)
    state = from[step * STATES + state]!
  }
  return message
}
