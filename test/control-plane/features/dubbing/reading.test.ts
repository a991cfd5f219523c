import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { longWavHeader, wavView } from '#control-plane/features/dubbing/film/reading/wav-view.ts'
import { isJobOf } from '#control-plane/features/dubbing/store/abort.service.ts'
import { writeBlocks } from '#control-plane/media/film/sound/blocks.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

test('sound beyond 4 GiB has the header of RF64', () => {
  const shape = { sampleRate: 48_000, channels: 2, samples: 7 * 3600 * 48_000 }
  const header = Buffer.from(longWavHeader(shape))
  assert.deepEqual([header.toString('latin1', 0, 4), header.toString('latin1', 8, 16)], ['RF64', 'WAVEds64'])
  assert.equal(header.readBigUInt64LE(28), BigInt(shape.samples * 4))
  assert.equal(header.readBigUInt64LE(20), BigInt(shape.samples * 4 + header.length - 8))
  assert.equal(header.readBigUInt64LE(36), BigInt(shape.samples))
  assert.equal(header.toString('latin1', 48, 52), 'fmt ')
  assert.equal(header.toString('latin1', header.length - 8, header.length - 4), 'data')
  assert.equal(longWavHeader({ ...shape, samples: 100 }).length, 44)
})

test('any range of the sound equals that part of the whole file', async (t) => {
  const folder = join(temporaryFolder(t), 'sound')
  const blocks = await writeBlocks(folder, { sampleRate: 2_000, channels: 2, encoding: 's16' })
  await blocks.write(Buffer.from(Uint8Array.from({ length: 4 * 2_000 * 61 }, (_, at) => (at * 7) % 251)))
  await blocks.seal()
  const { size, read } = await wavView(folder)
  async function part(from: number, to: number): Promise<Buffer> {
    const pieces: Uint8Array[] = []
    for await (const piece of read(from, to)) pieces.push(piece)
    return Buffer.concat(pieces)
  }
  const whole = await part(0, size - 1)
  assert.equal(whole.length, size)
  for (const [from, to] of [
    [0, 0],
    [40, 50],
    [43, 44],
    [45, 46],
    [1_001, 1_003],
    [479_999, 480_101],
    [size - 3, size - 1],
  ] as const)
    assert.ok((await part(from, to)).equals(whole.subarray(from, to + 1)), `${from} to ${to}`)
})

test('the jobs of a dub are told from those of a dub with a similar id', () => {
  for (const id of ['prep_a', 'asr_a_17', 'dub_a_17']) assert.equal(isJobOf('a', id), true, id)
  for (const id of ['prep_a_b', 'dub_a_b_17', 'dub_a_', 'dub_a', 'prep_']) assert.equal(isJobOf('a', id), false, id)
})
