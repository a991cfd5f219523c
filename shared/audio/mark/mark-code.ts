// Error protection for the 32 bits of a mark: a checksum and a convolutional code with soft-decision decoding.

export const PAYLOAD_BITS = 32
const CRC_BITS = 16
const MEMORY = 6
const STATES = 1 << MEMORY
// The usual three generators of constraint length 7.
const GENERATORS = [0o133, 0o171, 0o165]
const MESSAGE_BITS = PAYLOAD_BITS + CRC_BITS + MEMORY
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

/** The code bits of a payload (an unsigned 32-bit integer) as +1 and -1; trailing zeros reset the coder. */
export function encodePayload(payload: number): Int8Array {
  const crc = crc16(payload)
  const code = new Int8Array(CODE_BITS)
  let register = 0
  for (let i = 0; i < MESSAGE_BITS; i++) {
    const bit = i < PAYLOAD_BITS ? payload >>> (31 - i) : i < PAYLOAD_BITS + CRC_BITS ? crc >> (CRC_BITS - 1 - (i - PAYLOAD_BITS)) : 0
    register = (register >> 1) | ((bit & 1) << MEMORY)
    writeOutputs(OUTPUTS[register]!, code, i * GENERATORS.length)
  }
  return code
}

const writeOutputs = (outputs: number, code: Int8Array, at: number) =>
  GENERATORS.forEach((_, i) => {
    code[at + i] = (outputs >> i) & 1 ? 1 : -1
  })

/** The most likely payload of the soft bits (positive means +1, the magnitude is confidence), or null for a wrong checksum. */
export function decodePayload(soft: Float64Array): number | null {
  const from = Array.from({ length: MESSAGE_BITS }, () => new Uint8Array(STATES))
  let score = new Float64Array(STATES).fill(Number.NEGATIVE_INFINITY)
  score[0] = 0
  for (let i = 0; i < MESSAGE_BITS; i++) {
    const next = new Float64Array(STATES).fill(Number.NEGATIVE_INFINITY)
    const gains = gainsOf(soft, i * GENERATORS.length)
    for (let register = 0; register < STATES * 2; register++) {
      // A register is a state with one bit added on top; its next state drops the lowest bit.
      const state = register & (STATES - 1)
      const to = register >> 1
      const reached = score[state]! + gains[OUTPUTS[register]!]!
      if (reached <= next[to]!) continue
      next[to] = reached
      from[i]![to] = state
    }
    score = next
  }
  return readBack(from)
}

/** The score of each of the eight possible outputs. */
function gainsOf(soft: Float64Array, at: number): Float64Array {
  return Float64Array.from({ length: 1 << GENERATORS.length }, (_, outputs) =>
    GENERATORS.reduce((sum, _generator, i) => sum + ((outputs >> i) & 1 ? soft[at + i]! : -soft[at + i]!), 0),
  )
}

function readBack(from: readonly Uint8Array[]): number | null {
  let payload = 0
  let crc = 0
  for (let i = MESSAGE_BITS - 1, state = 0; i >= 0; i--) {
    const bit = state >> (MEMORY - 1)
    if (i < PAYLOAD_BITS) payload |= bit << (31 - i)
    else if (i < PAYLOAD_BITS + CRC_BITS) crc |= bit << (CRC_BITS - 1 - (i - PAYLOAD_BITS))
    state = from[i]![state]!
  }
  return crc16(payload >>> 0) === crc ? payload >>> 0 : null
}
