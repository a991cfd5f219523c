import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createArtifacts } from '#control-plane/store/artifact.ts'
import { mayMount, smallDisk } from '#test/support/chaos/small-disk.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

async function collect(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const bytes of body) pieces.push(bytes)
  return Buffer.concat(pieces)
}
test('bytes from memory and from a file are kept under their digest and read back', async (t) => {
  const folder = temporaryFolder(t)
  const artifacts = createArtifacts(folder)
  await artifacts.keep('d1', { chunks: [Buffer.from('one '), Buffer.from('two')] })
  writeFileSync(join(folder, 'spilled'), Buffer.alloc(600_000, 7))
  await artifacts.keep('d2', { file: join(folder, 'spilled') })

  const read = (digest: string) => collect(artifacts.read(digest))
  assert.equal((await read('d1')).toString(), 'one two')
  assert.deepEqual(await read('d2'), Buffer.alloc(600_000, 7))
  assert.equal(existsSync(join(folder, 'spilled')), false, 'moved, not copied')
  assert.equal(statSync(artifacts.pathOf('d1')).mode & 0o777, 0o600)
  assert.equal(statSync(join(folder, 'artifacts')).mode & 0o777, 0o700)
  await artifacts.remove('d1')
  await artifacts.remove('d1')
  await assert.rejects(read('d1'), { code: 'ENOENT' })
})

test('a source that fails leaves no file behind, and does not damage the earlier one', async (t) => {
  const folder = temporaryFolder(t)
  const artifacts = createArtifacts(folder)
  await artifacts.keep('d', { chunks: [Buffer.from('good')] })
  const broken = function* () {
    yield Buffer.from('half')
    throw new Error('the spool is gone')
  }
  await assert.rejects(artifacts.keep('d', { chunks: broken() }), /the spool is gone/)
  await assert.rejects(artifacts.keep('e', { file: join(folder, 'missing') }), { code: 'ENOENT' })
  assert.deepEqual(readdirSync(join(folder, 'artifacts')), ['d'])
  assert.equal(readFileSync(artifacts.pathOf('d'), 'utf8'), 'good')
})

test('the sweep removes old files that no namer needs', async (t) => {
  const artifacts = createArtifacts(temporaryFolder(t))
  for (const digest of ['named', 'old', 'young']) await artifacts.keep(digest, { chunks: [Buffer.from(digest)] })
  for (const digest of ['named', 'old']) utimesSync(artifacts.pathOf(digest), 1000, 1000)
  assert.equal(await artifacts.sweep(2_000_000), 0, 'without a namer nothing is removed')
  artifacts.addNamer(async (digests) => new Set(digests.filter((digest) => digest === 'named')))
  artifacts.addNamer(async () => new Set())
  assert.equal(await artifacts.sweep(2_000_000), 1)
  assert.deepEqual(
    ['named', 'old', 'young'].map((digest) => existsSync(artifacts.pathOf(digest))),
    [true, false, true],
  )
})

test('bytes that do not fit on the disk leave no file', { skip: mayMount ? false : 'mounting is not permitted here' }, async (t) => {
  const disk = smallDisk(t, 'size=64k')
  const artifacts = createArtifacts(disk)
  await assert.rejects(artifacts.keep('d', { chunks: [Buffer.alloc(200_000)] }), { code: 'ENOSPC' })
  assert.deepEqual(readdirSync(join(disk, 'artifacts')), [])
})
