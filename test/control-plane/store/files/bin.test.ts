// The bin after a kill at each step: what rows name is at home, and nothing else is left.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { BINNED_MS, createBin } from '#control-plane/store/files/bin.ts'
import { systemRandom as random } from '#shared/runtime/random.ts'
import { createFakeClock } from '#test/support/doubles/fake-clock.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

type Files = readonly string[]
/** Steps of `put` and `giveBack` after which the studio was killed. */
const STEPS: readonly { readonly name: string; readonly rows: Files; readonly home: Files; readonly bin: Files; readonly left: Files }[] = [
  { name: 'the list is written', rows: ['a', 'b'], home: ['a', 'b'], bin: [], left: ['a', 'b'] },
  { name: 'the rows are deleted', rows: [], home: ['a', 'b'], bin: [], left: [] },
  { name: 'one file is moved', rows: [], home: ['b'], bin: ['a'], left: [] },
  { name: 'both files are moved', rows: [], home: [], bin: ['a', 'b'], left: [] },
  { name: 'one file is back', rows: [], home: ['a'], bin: ['b'], left: [] },
  { name: 'both are back', rows: [], home: ['a', 'b'], bin: [], left: [] },
  { name: 'their rows are stored', rows: ['a', 'b'], home: ['a', 'b'], bin: [], left: ['a', 'b'] },
  { name: 'a row is back whose file is not', rows: ['a'], home: [], bin: ['a', 'b'], left: ['a'] },
]

for (const { name, rows, home, bin, left } of STEPS)
  test(`a start after a kill when ${name}`, async (t) => {
    const [folder, ours] = [temporaryFolder(t), temporaryFolder(t)]
    writeFileSync(join(folder, '0123456789abcdef.list'), 'a\nb')
    writeFileSync(join(folder, 'without a list'), '')
    mkdirSync(join(folder, 'a folder'))
    writeFileSync(join(ours, 'of another object'), '')
    for (const file of home) writeFileSync(join(ours, file), file)
    for (const file of bin) writeFileSync(join(folder, file), file)
    const { service } = createBin({ clock: createFakeClock(), random, folder, home: ours, isNamed: (file) => rows.includes(file) })
    await service.start()
    for (let turns = 0; turns < 10 && readdirSync(folder).length > 0; turns++) await new Promise((resolve) => setImmediate(resolve))
    await service.stop()
    assert.deepEqual(readdirSync(ours).sort(), [...left, 'of another object'])
    assert.deepEqual(readdirSync(folder), [])
  })

test('names in a damaged list lead nowhere else', async (t) => {
  const [folder, outside] = [join(temporaryFolder(t), 'bin'), temporaryFolder(t)]
  mkdirSync(folder)
  const home = join(outside, 'home')
  mkdirSync(home)
  writeFileSync(join(outside, 'kept'), '')
  writeFileSync(
    join(folder, '0123456789abcdef.list'),
    ['../kept', join(outside, 'kept'), '..', '.', '', 'a\0b', 'x'.repeat(5000)].join('\n'),
  )
  const { service } = createBin({ clock: createFakeClock(), random, folder, home, isNamed: () => false })
  await service.start()
  await service.stop()
  assert.ok(existsSync(join(outside, 'kept')) && existsSync(home))
})

test('rows that could not be deleted keep their files, and a bin without files has none', async (t) => {
  const [folder, home] = [temporaryFolder(t), temporaryFolder(t)]
  const clock = createFakeClock()
  const bin = createBin({ clock, random, folder, home, isNamed: () => false })
  writeFileSync(join(home, 'a'), '')
  const remove = () => {
    throw new Error('the disk is full')
  }
  assert.throws(() => bin.put({ files: ['a'], remove, forget: () => {} }), /the disk is full/)
  assert.deepEqual([readdirSync(home), readdirSync(folder)], [['a'], []])
  let forgotten = 0
  await bin.put({ files: [], remove: () => {}, forget: () => forgotten++ })
  clock.advance(BINNED_MS - 1)
  assert.equal(forgotten, 0)
  clock.advance(1)
  assert.equal(forgotten, 1)
  await bin.service.stop()
  assert.deepEqual(readdirSync(folder), [])
})

test('objects that could not come back, or not in time, leave no files at home', async (t) => {
  const [folder, home] = [temporaryFolder(t), temporaryFolder(t)]
  const clock = createFakeClock()
  const rows = new Set(['back'])
  const bin = createBin({ clock, random, folder, home, isNamed: (file) => rows.has(file) })
  const files = ['back', ...Array.from({ length: 120 }, (_, index) => `file-${index}`)]
  for (const file of files) writeFileSync(join(home, file), '')
  await bin.put({ files, remove: () => rows.clear(), forget: () => {} })
  assert.deepEqual(readdirSync(home), [])
  const restore = () => {
    throw new Error('the disk is full')
  }
  await assert.rejects(bin.giveBack(files, restore), /the disk is full/)
  // One of them comes back; the minute of the others ends while their files are moved.
  await bin.giveBack(['back'], () => rows.add('back'))
  const late = bin.giveBack(files, () => {})
  clock.advance(BINNED_MS)
  await late
  await bin.service.stop()
  assert.deepEqual([readdirSync(home), readdirSync(folder)], [['back'], []])
})
