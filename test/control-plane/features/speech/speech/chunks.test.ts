import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { cutWhereChunksEnd, joined, silentParts } from '#control-plane/features/speech/speech/chunks.ts'
import { keepFile } from '#control-plane/media/keep-file.ts'
import type { OutputPiece } from '#control-plane/tasks/output.ts'
import { crossfade } from '#shared/audio/crossfade.ts'
import { fromS16, toS16 } from '#shared/audio/pcm.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

/** Samples as they come back from s16le, so that comparisons are exact. */
const sound = (samples: number, from = 1) =>
  fromS16(toS16(Float32Array.from({ length: samples }, (_, index) => ((index * 37 + from * 11) % 90) / 100 + 0.01)))
/** Bytes in pieces of the given sizes, all reported as part 0, as when read back from disk. */
async function* inPieces(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<OutputPiece> {
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length]!
    yield { part: 0, bytes: Buffer.from(bytes.subarray(at, at + size)) }
    at += size
  }
}
async function collect(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const bytes of body) pieces.push(bytes)
  return Buffer.concat(pieces)
}
const bytesOf = (chunks: readonly Float32Array[]) => Buffer.concat(chunks.map(toS16))

test('chunks are joined at their ends for any split of the bytes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 5 }),
      fc.array(fc.integer({ min: 1, max: 33 }), { minLength: 1, maxLength: 4 }),
      fc.nat(12),
      async (lengths, sizes, overlap) => {
        const chunks = lengths.map(sound)
        const parts = lengths.map((samples) => ({ samples }))
        const silent = await silentParts(inPieces(bytesOf(chunks), sizes), parts)
        const whole = await collect(joined(inPieces(bytesOf(chunks), sizes), parts, overlap, silent))
        assert.deepEqual(whole, Buffer.from(toS16(crossfade(chunks, overlap))))
        assert.equal(silent.size, 0)
      },
    ),
    { numRuns: 100, seed: 9 },
  )
})

test('silent chunks are omitted and reported', async () => {
  const chunks = [sound(20), new Float32Array(30), sound(10, 2), new Float32Array(0)]
  const parts = chunks.map(({ length }) => ({ samples: length }))
  const silent = await silentParts(inPieces(bytesOf(chunks), [7]), parts)
  const whole = await collect(joined(inPieces(bytesOf(chunks), [7]), parts, 0, silent))
  assert.deepEqual(whole, bytesOf([chunks[0]!, chunks[2]!]))
  assert.deepEqual([...silent], [1, 3])
})

test('bytes beyond the reported lengths are ignored', async () => {
  const chunk = sound(10)
  const whole = await collect(joined(inPieces(bytesOf([chunk, sound(5)]), [64]), [{ samples: 10 }], 0, new Set()))
  assert.deepEqual(whole, bytesOf([chunk]))
})

async function* parted(chunks: readonly Buffer[]): AsyncGenerator<OutputPiece> {
  for (const [part, bytes] of chunks.entries()) {
    const middle = bytes.length >> 1
    yield { part, bytes: bytes.subarray(0, middle) }
    yield { part, bytes: bytes.subarray(middle) }
  }
}

test('a take rendered as one piece is cut where each chunk ended', async () => {
  const chunks = ['one', 'three', '', 'four'].map((text) => Buffer.from(text))
  /** Keeps the length and returns pieces that match no chunk. */
  const render = async (source: AsyncIterable<Uint8Array>) =>
    (async function* () {
      const all = (await collect(source)).map((byte) => byte ^ 1)
      for (let at = 0; at < all.length; at += 5) yield all.subarray(at, at + 5)
    })()
  const received: string[] = []
  for await (const { seq, pcm } of cutWhereChunksEnd(parted(chunks), 4, render))
    received.push(`${seq} ${Buffer.from(pcm.map((byte) => byte ^ 1))}`)
  assert.deepEqual(received, ['0 one', '1 three', '2 ', '3 four'])
})

test('a chunk is emitted as soon as the next one starts', async () => {
  let isSecondRead = false
  async function* source(): AsyncGenerator<OutputPiece> {
    yield { part: 0, bytes: Buffer.from('first') }
    yield { part: 1, bytes: Buffer.from('s') }
    isSecondRead = true
    yield { part: 1, bytes: Buffer.from('econd') }
  }
  const chunks = cutWhereChunksEnd(source(), 2, async (bytes) => bytes)
  assert.equal((await chunks.next()).value?.pcm.toString(), 'first')
  assert.equal(isSecondRead, false)
  assert.equal((await chunks.next()).value?.pcm.toString(), 'second')
})

test('a file is written completely, for its owner only, or not at all', async (t) => {
  const folder = temporaryFolder(t)
  await keepFile(join(folder, 'take.wav'), Buffer.from('sound'))
  assert.equal(readFileSync(join(folder, 'take.wav'), 'utf8'), 'sound')
  assert.equal(statSync(join(folder, 'take.wav')).mode & 0o777, 0o600)
  mkdirSync(join(folder, 'blocked', 'inside'), { recursive: true })
  await assert.rejects(keepFile(join(folder, 'blocked'), Buffer.from('sound')))
  await assert.rejects(keepFile(join(folder, 'missing', 'take.wav'), Buffer.from('sound')), { code: 'ENOENT' })
  assert.deepEqual(readdirSync(folder).sort(), ['blocked', 'take.wav'])
})
