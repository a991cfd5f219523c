import assert from 'node:assert/strict'
import { readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { writeSound } from '#control-plane/media/film/export/export-sound.ts'
import { inWorkspace } from '#control-plane/media/film/guard/workspace.ts'
import { blockNames, openBlocks, writeBlocks } from '#control-plane/media/film/sound/blocks.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { make, never, scratch, withPrograms } from './corpus.ts'
import { newPath } from './sound.ts'

const FORMAT = { sampleRate: 1000, channels: 2, encoding: 's16' } as const
/** 150 seconds whose frame n is (n, -n) in 16 bit. */
const SOUND = Buffer.alloc(150_000 * 4)
for (let i = 0; i < 150_000; i++) {
  SOUND.writeInt16LE(i % 32_000, 4 * i)
  SOUND.writeInt16LE(-(i % 32_000), 4 * i + 2)
}
async function stored(pieceFrames: number) {
  const folder = newPath()
  const writer = await writeBlocks(folder, FORMAT)
  for (let at = 0; at < SOUND.length; at += pieceFrames * 4) await writer.write(SOUND.subarray(at, at + pieceFrames * 4))
  return { folder, shape: await writer.seal() }
}

test('any range is read back, with silence before and after it', async () => {
  const { folder, shape } = await stored(7777)
  assert.deepEqual(await blockNames(folder), ['000000.raw', '000001.raw', '000002.raw'])
  const sound = await openBlocks(folder)
  for (const [from, count] of [
    [0, 150_000],
    [59_990, 20],
    [60_000, 1],
    [119_999, 30_001],
    [5, 0],
  ] as const)
    assert.ok((await sound.read(from, count)).equals(SOUND.subarray(from * 4, (from + count) * 4)), `${from}`)
  assert.ok((await sound.read(-10, 20)).equals(Buffer.concat([Buffer.alloc(40), SOUND.subarray(0, 40)])))
  assert.ok((await sound.read(149_990, 20)).equals(Buffer.concat([SOUND.subarray(-40), Buffer.alloc(40)])))
  assert.deepEqual(await sound.read(-100, 50), Buffer.alloc(200))
  assert.equal((await stored(13)).shape.digest, shape.digest, 'the size of pieces does not matter')
})

test('sound without its index, or with a damaged part, is not read', async () => {
  const open = newPath()
  const writer = await writeBlocks(open, FORMAT)
  await writer.write(SOUND)
  await assert.rejects(openBlocks(open), { code: 'INPUT_UNAVAILABLE' })
  await assert.rejects(writer.write(Buffer.alloc(3)), RangeError)
  const { folder } = await stored(50_000)
  await truncate(join(folder, '000001.raw'), 100)
  await assert.rejects((await openBlocks(folder)).read(60_000, 1), { code: 'INPUT_CORRUPT' })
  await rm(join(folder, '000001.raw'))
  await assert.rejects((await openBlocks(folder)).read(60_000, 1), { code: 'INPUT_UNAVAILABLE' })
  await writeFile(join(folder, 'index.json'), '{"version":2}')
  await assert.rejects(openBlocks(folder), { code: 'INPUT_CORRUPT' })
})

test('silent minutes take no space, and have the digest of silence', async () => {
  const [sparse, full] = [newPath(), newPath()]
  const digests: string[] = []
  for (const folder of [sparse, full]) {
    const writer = await writeBlocks(folder, FORMAT, { sparse: folder === sparse })
    await writer.writeSilence(120_000)
    await writer.write(SOUND.subarray(0, 4000))
    digests.push((await writer.seal()).digest)
  }
  assert.equal(digests[0], digests[1])
  assert.deepEqual((await readdir(sparse)).sort(), ['000002.raw', 'index.json'])
  assert.ok((await (await openBlocks(sparse)).read(119_990, 20)).equals(Buffer.concat([Buffer.alloc(40), SOUND.subarray(0, 40)])))
  await assert.rejects(blockNames(sparse), RangeError)
})

test('sound that is too long for WAV becomes RF64, which ffmpeg reads', withPrograms, async () => {
  const { folder } = await stored(150_000)
  const to = `${newPath()}.wav`
  const tools = { ffmpeg: () => '', ffprobe: () => '', threads: 1, signal: never, mostWavBytes: 1000 }
  const plan = { sound: folder, format: 'wav', kbps: 0, title: null, language: null, to } as const
  await inWorkspace({ scratch, clock: systemClock, roomBytes: 2 ** 30 }, null, never, (workspace) =>
    writeSound(tools, workspace, plan, () => {}),
  )
  const back = `${newPath()}.raw`
  await make(['-i', to, '-f', 's16le', back])
  assert.equal((await readFile(to)).toString('latin1', 0, 4), 'RF64')
  assert.ok((await readFile(back)).equals(SOUND))
})
