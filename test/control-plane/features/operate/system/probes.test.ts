// The readiness of a studio, and the sizes of what it keeps.
import assert from 'node:assert/strict'
import { lstatSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import Registry from 'prom-client/lib/registry.js'
import { measureFolders } from '#control-plane/features/base/settings/storage/sizes.ts'
import { addFigures } from '#control-plane/features/operate/system/figures/figures.ts'
import { createStored } from '#control-plane/features/operate/system/figures/stored.ts'
import { createReady } from '#control-plane/features/operate/system/ready.ts'
import { type GaugeSource, gaugesOf } from '#control-plane/observe/gauges.ts'
import { createFakeClock } from '#test/support/doubles/fake-clock.ts'
import { eventually, temporaryFolder } from '#test/support/world/world.ts'

test('a studio is ready while its disk has space and its database can be read', async () => {
  const reader = { get: async () => null }
  const ready = (freeBytes: number, sizeBytes: number, jobs = reader) =>
    createReady({
      dataDir: '/',
      jobs,
      clock: createFakeClock(),
      spaceOf: async () => ({ bavail: freeBytes / 4096, blocks: sizeBytes / 4096, bsize: 4096 }),
    })()
  assert.deepEqual(await ready(1e9, 1e12), { status: 'ready' })
  assert.deepEqual(await ready(2e6, 1e8), { status: 'ready' }, 'a small disk')
  await assert.rejects(ready(10e6, 1e12), { code: 'STORAGE_FULL' })
  await assert.rejects(ready(0, 1e8), { code: 'STORAGE_FULL' })
  const broken = { get: () => Promise.reject(new Error('disk I/O error')) }
  await assert.rejects(ready(1e9, 1e12, broken), { code: 'NOT_READY' })
})

test('many callers share one look at the disk, and one that hangs is answered', async () => {
  const clock = createFakeClock()
  let looks = 0
  let space = async () => ({ bavail: 0, blocks: 1e6, bsize: 4096 })
  const spaceOf = () => {
    looks++
    return space()
  }
  const ready = createReady({ dataDir: '/', jobs: { get: async () => null }, clock, spaceOf })
  const failures = await Promise.all([1, 2, 3].map(() => ready().catch((error: unknown) => error)))
  assert.equal(new Set(failures).size, 1, 'the same failure, which is reported once')
  assert.doesNotMatch(String(failures[0]), /\d/, 'no figure for callers without a key')
  assert.equal(looks, 1)
  space = () => new Promise(() => {})
  for (let second = 0; second < 3; second++) {
    clock.advance(1_000)
    const late = assert.rejects(ready(), { code: 'NOT_READY' })
    clock.advance(250)
    await late
  }
  assert.equal(looks, 2, 'the look that hangs is the only one')
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
  const stored = createStored({ folder, measure: measureFolders, clock })
  assert.equal(stored.read().size, 0)
  await stored.settled()
  const sizes = { takes: 3000, database: 150, other: 7, temporary: lstatSync(join(folder, 'uploads')).size }
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

test('a figure whose source fails or hangs is left out, and the others are there', async (t) => {
  const clock = createFakeClock()
  const registry = new Registry()
  const parts = {
    ...{ addGauge: gaugesOf(registry), clock, dataDir: temporaryFolder(t), modelsFolder: temporaryFolder(t) },
    ...{ workers: { all: () => [] }, machines: { all: () => [] }, ledger: { live: () => [] } },
    identity: { expiresAt: () => 5_000, leaf: { certificatePem: 'none' } },
    jobs: { counts: () => Promise.reject(new Error('disk I/O error')) },
    notices: () => new Promise(() => {}),
  }
  addFigures(parts as unknown as Parameters<typeof addFigures>[0])
  const text = registry.metrics()
  await eventually(() => clock.waiting() === 1) // the notices
  clock.advance(1_000)
  const figures = (await text).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  assert.ok(figures.some((line) => line.startsWith('studio_disk_free_bytes{folder="data"}')))
  assert.ok(figures.some((line) => line.startsWith('studio_build_info')))
  assert.ok(!figures.some((line) => /^studio_(?:jobs|notices|certificate)/.test(line)))
})

test('a machine that reports other abilities at each scrape has a limited number of series', async (t) => {
  const sources: GaugeSource<string>[] = []
  let names: readonly string[] = []
  let machines = ['a', 'b']
  const parts = {
    addGauge: (source: GaugeSource<string>) => sources.push(source),
    ...{ clock: createFakeClock(), dataDir: temporaryFolder(t), measure: measureFolders, machines: { all: () => [] } },
    workers: { all: () => machines.map((id) => ({ id, revokedAt: null })) },
    view: ({ id }: { id: string }) => ({
      abilities: new Map(
        (id === 'a' ? names : ['kokoro::tts']).map((name) => [name, { resident: !name.startsWith('unloaded'), msPerUnit: 20 }]),
      ),
    }),
  }
  addFigures(parts as unknown as Parameters<typeof addFigures>[0])
  const { read } = sources.find(({ name }) => name === 'studio_worker_seconds_per_unit')!
  const seriesOf = async (own: readonly string[]) => {
    names = own
    return (await read()).map(([{ worker, ability }, value]) => `${worker} ${ability} ${value}`)
  }
  const many = (prefix: string) => Array.from({ length: 500 }, (_, at) => `${prefix}${at}`)
  assert.deepEqual(await seriesOf(['unloaded', 'first']), ['a first 0.02', 'b kokoro::tts 0.02'])
  const seen = await seriesOf(['unloaded', ...many('x'), 'first'])
  assert.equal(seen.length, 65)
  assert.ok(seen.includes('a first 0.02') && seen.includes('b kokoro::tts 0.02'))
  assert.deepEqual(await seriesOf(many('y')), ['b kokoro::tts 0.02'], 'other names add none')
  assert.equal((await seriesOf(['x0', 'y0'])).length, 2)
  // The series of a machine that was removed are dropped.
  machines = ['b']
  await seriesOf([])
  machines = ['a', 'b']
  assert.equal((await seriesOf(['y0'])).length, 2)
})
