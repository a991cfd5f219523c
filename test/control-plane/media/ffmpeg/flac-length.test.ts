import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withFlacLength } from '#control-plane/media/ffmpeg/flac-length.ts'

/** The header of a mono file with 16 bits and 24,000 Hz. */
function header(samples = 0): Uint8Array {
  const bytes = new Uint8Array(50)
  bytes.set(Buffer.from('fLaC'))
  bytes.set([0x80, 0, 0, 34], 4)
  bytes.set([0x05, 0xdc, 0x00, 0xf0 | Math.floor(samples / 2 ** 32)], 18)
  new DataView(bytes.buffer).setUint32(22, samples % 2 ** 32)
  return bytes
}

test('the number of samples is written into a header without one', () => {
  for (const samples of [0, 1, 24_000, 2 ** 32 - 1, 2 ** 32, 2 ** 36 - 1])
    assert.deepEqual(withFlacLength(header(), samples), header(samples), String(samples))
})

test('what is no header, and a header with a length, stay as they are', () => {
  const broken = (at: number, byte: number) => Uint8Array.from(header(), (one, index) => (index === at ? byte : one))
  for (const bytes of [header(77), broken(0, 0), broken(4, 4), broken(7, 33), header().subarray(0, 41), new Uint8Array()])
    assert.equal(withFlacLength(bytes, 5), bytes)
  const plain = header()
  assert.equal(withFlacLength(plain, 2 ** 36), plain, 'more samples than its field can count')
})
