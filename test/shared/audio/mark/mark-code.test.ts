import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CODE_BITS, crc16, decodePayload, encodePayload } from '#shared/audio/mark/mark-code.ts'
import { seeded } from '../signal.ts'

const PAYLOADS = [0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0xdeadbeef, 123456789]

test('the checksum is CRC-16/CCITT', () => {
  // Bitwise, from the definition, over the four bytes.
  const slow = (payload: number) => {
    let crc = 0xffff
    for (const byte of [24, 16, 8, 0].map((shift) => (payload >>> shift) & 255)) {
      crc ^= byte << 8
      for (let i = 0; i < 8; i++) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : crc << 1
    }
    return crc
  }
  for (const payload of PAYLOADS) assert.equal(crc16(payload), slow(payload))
})

test('a clean code is read back', () => {
  for (const payload of PAYLOADS) {
    const code = encodePayload(payload)
    assert.equal(code.length, CODE_BITS)
    assert.deepEqual(decodePayload(Float64Array.from(code)), { payload, isValid: true, score: CODE_BITS })
  }
})

test('a third of the bits lost or one in twelve wrong is corrected', () => {
  const random = seeded(3)
  for (let round = 0; round < 40; round++) {
    const payload = Math.floor(random() * 2 ** 32)
    const code = Float64Array.from(encodePayload(payload))
    assert.equal(decodePayload(code.map((bit) => (random() < 0.33 ? 0 : bit))).payload, payload)
    assert.equal(decodePayload(code.map((bit) => (random() < 0.08 ? -bit : bit))).payload, payload)
  }
})

test('noise is refused', () => {
  const random = seeded(11)
  const accepted = Array.from({ length: 400 }, () => decodePayload(Float64Array.from({ length: CODE_BITS }, () => random() - 0.5))).filter(
    ({ isValid }) => isValid,
  )
  assert.ok(accepted.length <= 1, `${accepted.length} of 400 passed`)
})
