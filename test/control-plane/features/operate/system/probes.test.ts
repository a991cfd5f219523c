// The readiness of a studio, and the sizes of what it keeps.
import assert from 'node:assert/strict'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createStored } from '#control-plane/features/operate/system/figures/stored.ts'
import { createReady } from '#control-plane/features/operate/system/ready.ts'
import { createFakeClock } from '#test/support/doubles/fake-clock.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

test('a studio is ready while its disk has space and its database can be read', async () => {
  const reader = { get: async () => null }
  const ready = (freeBytes: number, sizeBytes: number, jobs = reader) =>
    createReady({ dataDir: '/', jobs, spaceOf: async () => ({ bavail: freeBytes / 4096, blocks: sizeBytes / 4096, bsize: 4096 }) })()
  assert.deepEqual(await ready(1e9, 1e12), { status: 'ready' })
  assert.deepEqual(await ready(2e6, 1e8), { status: 'ready' }, 'a small disk')
  await assert.rejects(ready(10e6, 1e12), { code: 'STORAGE_FULL' })
  await assert.rejects(ready(0, 1e8), { code: 'STORAGE_FULL' })
  const broken = { get: () => Promise.reject(new Error('disk I/O error')) }
  await assert.rejects(ready(1e9, 1e12, broken), { code: 'NOT_READY' })
})

test('stored files are counted by kind, without following links, and again after a quarter of an hour', async (t) => {
  const folder = temporaryFolder(t)
  const clock = createFakeClock()
  mkdirSync(join(folder, 'outputs/deeper'), { recursive: true })
  writeFileSync(join(folder, 'outputs/deeper/take.wav'), Buffer.alloc(3000))
  writeFileSync(join(folder, 'studio.db-wal'), Buffer.alloc(50))
  writeFileSync(join(folder, 'studio.db'), Buffer.alloc(100))
  writeFileSync(join(folder, 'notes of the owner.txt'), 'seven b')
  symlinkSync('/', join(folder, 'uploads'))
  const stored = createStored({ folder, clock })
  assert.equal(stored.read().size, 0)
  await stored.settled()
  const sizes = { takes: 3000, database: 150, other: 7, temporary: 0 }
  assert.deepEqual(Object.fromEntries(stored.read()), sizes)
  writeFileSync(join(folder, 'outputs/second.wav'), Buffer.alloc(500))
  stored.read()
  await stored.settled()
  assert.equal(stored.read().get('takes'), 3000)
  clock.advance(15 * 60_000)
  stored.read()
  await stored.settled()
  assert.equal(stored.read().get('takes'), 3500)
})
