import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromS16, toS16 } from '#shared/audio/pcm.ts'
import { parseWav, planWav, wavHeader } from '#shared/audio/wav.ts'
import { tone } from './signal.ts'

const sound = fromS16(toS16(tone(0.1, 16000, 440, 0.5)))

const chunk = (id: string, body: Uint8Array, size = body.length): Buffer => {
  const head = Buffer.alloc(8)
  head.write(id, 'latin1')
  head.writeUInt32LE(size, 4)
  return Buffer.concat([head, body, Buffer.alloc(body.length % 2)])
}
const format = (kind: number, channels: number, bits: number, more = Buffer.alloc(0)): Buffer => {
  const body = Buffer.alloc(16)
  body.writeUInt16LE(kind, 0)
  body.writeUInt16LE(channels, 2)
  body.writeUInt32LE(16000, 4)
  body.writeUInt32LE((16000 * channels * bits) / 8, 8)
  body.writeUInt16LE((channels * bits) / 8, 12)
  body.writeUInt16LE(bits, 14)
  return chunk('fmt ', Buffer.concat([body, more]))
}
const riff = (...chunks: Buffer[]): Buffer => chunk('RIFF', Buffer.concat([Buffer.from('WAVE'), ...chunks]))
const s24 = Buffer.concat(
  [...sound].map((sample) => {
    const bytes = Buffer.alloc(3)
    bytes.writeIntLE(sample * 2 ** 23, 0, 3)
    return bytes
  }),
)

test('a written file is read back, and its header has the true sizes', () => {
  const file = Buffer.concat([wavHeader({ sampleRate: 16000, channels: 1, samples: sound.length }), toS16(sound)])
  assert.equal(file.readUInt32LE(4), file.length - 8)
  assert.equal(file.readUInt32LE(40), sound.length * 2)
  assert.deepEqual(parseWav(file), { sampleRate: 16000, channels: 1, samples: sound })
})

test('24 bit, float, extensible and unknown chunks are read', () => {
  const float = Buffer.from(sound.buffer)
  const guid = Buffer.concat([Buffer.from([22, 0, 16, 0, 4, 0, 0, 0, 1, 0]), Buffer.alloc(14)])
  for (const [name, file] of Object.entries({
    s24: riff(format(1, 1, 24), chunk('data', s24)),
    f32: riff(format(3, 1, 32), chunk('data', float)),
    extensible: riff(format(0xfffe, 1, 16, guid), chunk('data', toS16(sound))),
    'odd chunks': riff(chunk('JUNK', Buffer.from('abc')), format(1, 1, 16), chunk('LIST', Buffer.alloc(7)), chunk('data', toS16(sound))),
    'after other bytes': Buffer.concat([Buffer.from('?'), riff(format(1, 1, 16), chunk('data', toS16(sound)))]).subarray(1),
  })) {
    assert.deepEqual(parseWav(file).samples, sound, name)
  }
})

test('an unknown size means to the end', () => {
  for (const size of [0xffffffff, 0, 2 ** 30])
    assert.deepEqual(parseWav(riff(format(1, 1, 16), chunk('data', toS16(sound), size))).samples, sound)
})

test('channels are mixed to one', () => {
  const stereo = toS16(Float32Array.of(0.5, -0.25, 0.125, 0.375))
  assert.deepEqual(parseWav(riff(format(1, 2, 16), chunk('data', stereo))), {
    sampleRate: 16000,
    channels: 2,
    samples: Float32Array.of(0.125, 0.25),
  })
})

test('one channel can be read without the others', () => {
  const file = riff(format(1, 2, 16), chunk('data', toS16(Float32Array.of(0.5, -0.25, 0.125, 0.375))))
  const plan = planWav(file, file.length)
  const frames = file.subarray(plan.start, plan.end)
  assert.deepEqual(plan.readChannel(frames, 0), Float32Array.of(0.5, 0.125))
  assert.deepEqual(plan.readChannel(frames.subarray(4), 1), Float32Array.of(0.375))
})

test('other data is refused with the reason', () => {
  for (const [file, reason] of [
    [Buffer.from('ID3 something else'), /not a WAV/],
    [Buffer.alloc(0), /not a WAV/],
    [riff(chunk('data', toS16(sound))), /no format/],
    [riff(format(1, 1, 16)), /no samples/],
    [riff(format(6, 1, 8), chunk('data', Buffer.alloc(8))), /not supported/],
    [riff(format(1, 0, 16), chunk('data', Buffer.alloc(8))), /no channel/],
    [riff(format(1, 1, 16)).subarray(0, 30), /cut off/],
  ] as const) {
    assert.throws(() => parseWav(file), { name: 'RangeError', message: reason })
  }
})

test('16 bit samples have the same values wherever they lie in memory', () => {
  const values = [32767, -32768, 32767, 32767, -32768, -32768, 1, -2]
  const data = Buffer.alloc(values.length * 2)
  for (const [at, value] of values.entries()) data.writeInt16LE(value, at * 2)
  for (const channels of [1, 2]) {
    const header = wavHeader({ sampleRate: 8000, channels, samples: values.length / channels })
    const expected = Float32Array.from({ length: values.length / channels }, (_, i) => {
      const frame = values.slice(i * channels, (i + 1) * channels)
      return frame.reduce((sum, value) => sum + value, 0) / channels / 32768
    })
    for (const offset of [0, 1, 2]) {
      const memory = Buffer.concat([Buffer.alloc(offset), header, data])
      assert.deepEqual(parseWav(memory.subarray(offset)).samples, expected, `${channels} channels at ${offset}`)
    }
  }
})
