// The sizes of folders, the warnings of the report, and which temporary files are old enough.
import assert from 'node:assert/strict'
import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { sizeOfFolder } from '#control-plane/features/base/settings/storage/folder-size.ts'
import { measureFolders } from '#control-plane/features/base/settings/storage/sizes.ts'
import { createStorage, warningsOf } from '#control-plane/features/base/settings/storage/storage.service.ts'
import { agesSince, temporaryEntries } from '#control-plane/features/base/settings/storage/temporary.ts'
import { createFakeClock } from '#test/support/doubles/fake-clock.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const request = (path: string, more: { exclude?: string; entries?: number; limitMs?: number } = {}) => ({
  path,
  exclude: null,
  entries: 10,
  limitMs: 10_000,
  ...more,
})
const still = () => 0

const DAY_MS = 24 * 3600 * 1000

test('a folder is measured without following links, largest entries first', (t) => {
  const folder = temporaryFolder(t)
  mkdirSync(join(folder, 'big/inner'), { recursive: true })
  writeFileSync(join(folder, 'big/inner/a'), Buffer.alloc(5_000))
  writeFileSync(join(folder, 'small'), Buffer.alloc(100))
  mkdirSync(join(folder, 'skipped'))
  writeFileSync(join(folder, 'skipped/b'), Buffer.alloc(9_000))
  symlinkSync('/', join(folder, 'root'))
  symlinkSync('/nowhere', join(folder, 'broken'))
  const { exists, bytes, complete, unreadable, entries } = sizeOfFolder(
    request(folder, { exclude: join(folder, 'skipped'), entries: 2 }),
    still,
  )
  assert.deepEqual([exists, complete, unreadable], [true, true, false])
  assert.ok(bytes >= 5_100 && bytes < 5_200, 'the links themselves have a few bytes')
  assert.deepEqual(
    entries.map(({ name }) => name),
    ['big', 'small'],
  )
  assert.deepEqual(sizeOfFolder(request('/nowhere'), still), { exists: false, bytes: 0, complete: true, unreadable: false, entries: [] })
})

test('a time limit gives a lower bound, and a very deep folder does not overflow', (t) => {
  const folder = temporaryFolder(t)
  let deep = folder
  for (let level = 0; level < 1_000; level++) deep = join(deep, 'd')
  mkdirSync(deep, { recursive: true })
  writeFileSync(join(deep, 'x'), 'x')
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  assert.deepEqual([sizeOfFolder(request(folder), still).bytes, sizeOfFolder(request(folder), still).complete], [1, true])
  let now = 0
  const late = sizeOfFolder(request(folder, { limitMs: 10 }), () => now++)
  assert.deepEqual([late.bytes, late.complete], [0, false])
})

test('folders are measured in a thread', async (t) => {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'a'), Buffer.alloc(10))
  const sizes = await measureFolders([{ id: 'one', ...request(folder) }])
  assert.equal(sizes['one']!.bytes, 10)
})

test('little free space and a full disk are warnings', () => {
  const volume = (free: number, used: number) => ({
    path: '/',
    total_bytes: 1e12,
    used_bytes: 0,
    free_bytes: free * 1e9,
    used_percent: used,
    roots: [],
  })
  const kinds = (free: number, used: number) =>
    warningsOf(volume(free, used)).map((one) => [one.kind, 'severity' in one ? one.severity : null])
  assert.deepEqual(kinds(9, 50), [['low_disk', 'critical']])
  assert.deepEqual(kinds(15, 95), [
    ['low_disk', 'low'],
    ['volume_pressure', null],
  ])
  assert.deepEqual(kinds(20, 90), [])
})

test('a file of this run is no older than the run, although the clock jumps', () => {
  const clock = createFakeClock()
  const before = clock.now() - 2 * DAY_MS
  const ageOf = agesSince(clock)
  clock.advance(60_000)
  const written = clock.now()
  clock.advance(5_000)
  clock.jump(DAY_MS)
  assert.deepEqual([ageOf(written) <= 65_000, ageOf(before) > 2 * DAY_MS], [true, true])
  clock.jump(-2 * DAY_MS)
  assert.ok(ageOf(written) <= 65_000)
  clock.jump(DAY_MS)
  clock.advance(2 * DAY_MS)
  assert.ok(ageOf(written) > DAY_MS)
})

test('only old entries with the names of the studio count as temporary, and a failed report is not kept', async (t) => {
  const folder = temporaryFolder(t)
  const at = (name: string, hours: number) => {
    writeFileSync(join(folder, name), 'x')
    utimesSync(join(folder, name), 1_000_000 - hours * 3600, 1_000_000 - hours * 3600)
  }
  at('.copy-Ab1234', 2)
  at('.copy-Cd1234', 0.5)
  at('.voice-00000000-0000-0000-0000-000000000000', 25)
  at('.voice-11111111-0000-0000-0000-000000000000', 23)
  at('.copy-mine', 99)
  const places = { dataDir: folder, systemFolder: folder, userId: process.getuid!() }
  const ageOf = (changedAt: number) => 1_000_000_000 - changedAt
  const names = () => temporaryEntries(places, ageOf).map((path) => path.slice(folder.length + 1))
  assert.deepEqual(names(), ['.copy-Ab1234', '.voice-00000000-0000-0000-0000-000000000000'])
  assert.deepEqual(temporaryEntries({ ...places, userId: 4_000_000 }, ageOf), [], 'files of other users stay')

  let fails = true
  const measure = async (...args: Parameters<typeof measureFolders>) => {
    if (fails) throw new Error('no thread')
    return await measureFolders(...args)
  }
  const storage = createStorage({ places, modelsFolder: join(folder, 'models'), measure, clock: createFakeClock() })
  await assert.rejects(storage.report(false), /no thread/)
  fails = false
  assert.deepEqual([(await storage.report(false)).cached, (await storage.report(false)).cached], [false, true])
})
