import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as shape from './shape.ts'
import { allSources, type Source, typescript } from './source.ts'

const sources = allSources()
const code = typescript(sources)
const planted = (path: string, text: string): Source => ({ path, text })

test('files are short: none over the limit, and the median and the 90th percentile within theirs', (t) => {
  assert.deepEqual(shape.overlongFiles(code), [])
  const { files, median, p90, longest } = shape.fileLengths(code)
  t.diagnostic(`${files} files: median ${median} lines, 90th percentile ${p90}, longest ${longest}`)
  assert.ok(median <= shape.LIMITS.medianLines, `the median file has ${median} lines`)
  assert.ok(p90 <= shape.LIMITS.p90Lines, `the 90th percentile has ${p90} lines`)
})

test('a file over the limit is reported', () => {
  assert.deepEqual(shape.overlongFiles([planted('a.ts', 'x\n'.repeat(401)), planted('b.ts', 'x\n'.repeat(400))]), ['a.ts: 401 lines'])
  assert.deepEqual(shape.overlongFiles([planted('a/generated/b.ts', 'x\n'.repeat(401))]), [])
  assert.deepEqual(shape.fileLengths([planted('a.ts', 'x\n'), planted('b.ts', 'x\nx\n'), planted('test/c.ts', 'x\n'.repeat(9))]), {
    files: 2,
    median: 2,
    p90: 2,
    longest: 2,
  })
})

test('the composition root is short', () => {
  const root = code.find(({ path }) => path === 'control-plane/build.ts')
  const lines = (root?.text.split('\n').length ?? 0) - 1
  assert.ok(lines > 0 && lines <= 120, `control-plane/build.ts has ${lines} lines`)
})

test('imports have no cycle, types included', () => {
  assert.deepEqual(shape.importCycles(code), [])
})

test('a cycle is reported, one of types too, one through a dynamic import not', () => {
  const ring = (line: string) => [
    planted('a/one.ts', "import { two } from './two.ts'\nimport { leaf } from './leaf.ts'"),
    planted('a/two.ts', "import { three } from '#a/three.ts'"),
    planted('a/three.ts', `${line}\nimport { leaf } from './leaf.ts'`),
    planted('a/leaf.ts', ''),
  ]
  const cycle = ['a/one.ts -> a/two.ts -> a/three.ts -> a/one.ts']
  assert.deepEqual(shape.importCycles(ring("import { one } from './one.ts'")), cycle)
  assert.deepEqual(shape.importCycles(ring("export { one } from './one.ts'")), cycle)
  assert.deepEqual(shape.importCycles(ring("import type { one } from './one.ts'")), cycle)
  assert.deepEqual(shape.importCycles(ring("const one = () => import('./one.ts')")), [])
})

test('no folder holds more files than a reader takes in, except siblings of one kind', () => {
  assert.deepEqual(shape.crowdedFolders(sources), [])
})

test('every room of more than six files has a README', () => {
  assert.deepEqual(shape.roomsWithoutReadme(sources), [])
})

test('a crowded folder and a room without a README are reported', () => {
  const files = (count: number) => Array.from({ length: count }, (_, index) => planted(`agent/x/${index}.ts`, ''))
  assert.deepEqual(shape.crowdedFolders(files(12)), [])
  assert.deepEqual(shape.crowdedFolders(files(13)), ['agent/x: 13 files'])
  assert.deepEqual(shape.roomsWithoutReadme(files(6)), [])
  assert.deepEqual(shape.roomsWithoutReadme(files(7)), ['agent/x: 7 files and no README.md'])
  assert.deepEqual(shape.roomsWithoutReadme([...files(7), planted('agent/x/README.md', '')]), [])
})

test('a long factory gives its reason', () => {
  assert.deepEqual(shape.overlongFactories(code), [])
})

test('a long factory without a reason is reported', () => {
  const body = '  x()\n'.repeat(149)
  const objections = (text: string) => shape.overlongFactories([planted('agent/x.ts', text)])
  assert.deepEqual(objections(`export function createX() {\n${body}}\n`), [
    `agent/x.ts: createX has 151 lines and no "${shape.LONG_FACTORY_MARKER}"`,
  ])
  assert.deepEqual(objections(`/** ${shape.LONG_FACTORY_MARKER} one state. */\nexport function createX() {\n${body}}\n`), [])
  assert.deepEqual(objections(`export function createX() {\n${body.slice(6)}}\n`), [])
  assert.equal(objections(`export const createX = () => {\n${body}}\n`).length, 1)
})

test('no exported name stands for two things', () => {
  assert.deepEqual(shape.ambiguousNames(code), [])
})

test('an ambiguous name is reported', () => {
  const twice = (name: string) => [planted('agent/a.ts', `export const ${name} = 1`), planted('shared/b.ts', `export type ${name} = 1`)]
  assert.deepEqual(shape.ambiguousNames(twice('Line')), ['Line: agent/a.ts, shared/b.ts'])
  assert.deepEqual(shape.ambiguousNames(twice('run')), [])
})
