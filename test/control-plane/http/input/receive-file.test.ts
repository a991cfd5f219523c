import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { receiveFile } from '#control-plane/http/input/receive-file.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const KIB = 1024
async function* sourceOf(pieces: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* pieces
}
/** Different bytes in memory of their own. */
const piece = (bytes: number, seed: number): Buffer =>
  Buffer.from(Uint8Array.from({ length: bytes }, (_, at) => (at * 7 + seed) % 251).buffer)

test('a received file has the bytes and the digest of its pieces of any size', async (t) => {
  const folder = temporaryFolder(t)
  for (const [index, sizes] of [
    [],
    [0],
    [1],
    [64 * KIB, 3],
    Array(40).fill(64 * KIB),
    [1_500 * KIB, 5, 700 * KIB],
    Array(3_000).fill(400),
  ].entries()) {
    const pieces = sizes.map(piece)
    const all = Buffer.concat(pieces)
    const digest = createHash('sha256').update(all).digest('hex')
    const path = join(folder, String(index))
    let taken = 0
    const take = async (bytes: number) => {
      taken += bytes
    }
    assert.deepEqual(await receiveFile(sourceOf(pieces), path, { take, isHashed: true }), { size: all.length, digest })
    assert.ok(readFileSync(path).equals(all))
    assert.equal(taken, all.length)
    if (process.platform !== 'win32') assert.equal(statSync(path).mode & 0o777, 0o600)
  }
  const plain = await receiveFile(sourceOf([piece(5, 1)]), join(folder, 'plain'), { take: async () => {}, isHashed: false })
  assert.deepEqual(plain, { size: 5 })
})

test('nothing is written that was refused, and failures of the source and of the file are reported', async (t) => {
  const folder = temporaryFolder(t)
  const path = join(folder, 'refused')
  let taken = 0
  const take = async (bytes: number) => {
    taken += bytes
    if (taken > KIB ** 2) throw new Error('enough')
  }
  const pieces = Array.from({ length: 64 }, (_, at) => piece(64 * KIB, at))
  await assert.rejects(receiveFile(sourceOf(pieces), path, { take, isHashed: true }), /enough/)
  assert.ok(statSync(path).size <= KIB ** 2)
  async function* broken(): AsyncGenerator<Buffer> {
    yield piece(KIB ** 2, 1)
    throw new Error('gone')
  }
  const options = { take: async () => {}, isHashed: false }
  await assert.rejects(receiveFile(broken(), join(folder, 'broken'), options), /gone/)
  await assert.rejects(receiveFile(sourceOf(pieces), path, options), { code: 'EEXIST' })
})
