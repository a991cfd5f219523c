import assert from 'node:assert/strict'
import { readdirSync, rmSync } from 'node:fs'
import { test } from 'node:test'
import { createAudioSpool } from '#control-plane/media/audio-spool.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const piece = (size: number, from: number) => Buffer.from(Array.from({ length: size }, (_, index) => (index * 7 + from) % 251))
async function all(read: () => Promise<Uint8Array | null>): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for (let next = await read(); next; next = await read()) pieces.push(next)
  return Buffer.concat(pieces)
}

test('a spool returns what was written, from memory and from a file without a name', async (t) => {
  for (const count of [0, 3, 90]) {
    const folder = temporaryFolder(t)
    const spool = createAudioSpool(folder)
    const pieces = Array.from({ length: count }, (_, index) => piece(64 * 1024 + index, index))
    for (const each of pieces) await spool.write(each)
    assert.deepEqual(readdirSync(folder), [])
    assert.equal(spool.size(), Buffer.concat(pieces).length)
    assert.ok((await all(spool.read)).equals(Buffer.concat(pieces)))
    await spool.close()
    await spool.close()
  }
})

test('a spool that cannot write says so', async (t) => {
  const folder = temporaryFolder(t)
  const spool = createAudioSpool(folder)
  rmSync(folder, { recursive: true })
  await spool.write(piece(10, 0))
  await assert.rejects(spool.write(Buffer.alloc(5 * 1024 * 1024)), { code: 'STORAGE_FULL' })
  await spool.close()
})
