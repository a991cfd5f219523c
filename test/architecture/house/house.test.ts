import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AREAS } from '#control-plane/registry/areas.ts'
import { allSources, importsOf, type Source, typescript } from '../source.ts'
import { dubbingArrowsBack, FAMILIES, familyArrowsBack, featureCrossings, placeOf, rankOf } from './features.ts'
import { FLOORS, farRelativeImports, knotOf } from './knots.ts'

const sources = typescript(allSources())
const product = sources.filter(({ path }) => !path.startsWith('test/'))
const features = sources.filter(({ path }) => path.startsWith('control-plane/features/'))
const planted = (path: string, text: string): Source => ({ path, text })

const needsOf = (name: string): readonly string[] => AREAS.find((area) => area.name === name)?.needs ?? []

test('an area comes after every area that it needs, so the list has no cycle', () => {
  const names = AREAS.map(({ name }) => name)
  assert.equal(new Set(names).size, names.length)
  for (const [at, { name, needs }] of AREAS.entries())
    for (const need of needs) assert.ok(names.slice(0, at).includes(need), `${name} needs ${need}, which comes later`)
})

test('every folder of a family is an area of the list', () => {
  const folders = new Set(features.flatMap(({ path }) => placeOf(path)?.feature ?? []))
  assert.deepEqual([...folders].sort(), AREAS.map(({ name }) => name as string).sort())
  assert.deepEqual([...new Set(features.flatMap(({ path }) => placeOf(path)?.family ?? []))].sort(), FAMILIES.flat().sort())
})

test('an area needs only areas of its own family and of those below', () => {
  const families = new Map(
    features.flatMap(({ path }) => [placeOf(path)].flatMap((place) => (place ? [[place.feature, place.family]] : []))),
  )
  const back = AREAS.flatMap(({ name, needs }) =>
    needs.flatMap((need) => {
      const [own, other] = [families.get(name)!, families.get(need)!]
      return own === other || rankOf(other) < rankOf(own) ? [] : [`${name} (${own}) needs ${need} (${other})`]
    }),
  )
  assert.deepEqual(back, [])
})

test('an api is imported only by an area that names it in its needs', () => {
  for (const source of features)
    for (const { target } of importsOf(source)) {
      const [area, other] = [placeOf(source.path)?.feature, placeOf(target)?.feature]
      if (!area || !other || area === other || !target.endsWith('/api.ts')) continue
      assert.ok(needsOf(area).includes(other), `${source.path} uses ${other} without naming it in its needs`)
    }
})

test('imports go down from family to family, and from room to room of dubbing', () => {
  assert.deepEqual(familyArrowsBack(sources), [])
  assert.deepEqual(dubbingArrowsBack(sources), [])
})

test('an import that goes up is reported', () => {
  const speech = (line: string) => familyArrowsBack([planted('control-plane/features/speech/speech/x.ts', line)]).length
  assert.equal(speech("import type { A } from '#control-plane/features/books/api.ts'"), 1)
  assert.equal(speech("import type { A } from '#control-plane/features/speech/openai/api.ts'"), 0)
  assert.equal(speech("import type { A } from '#control-plane/features/voices/profiles/api.ts'"), 0)
  const books = "import type { A } from '#control-plane/features/dubbing/api.ts'"
  assert.equal(familyArrowsBack([planted('control-plane/features/books/x.ts', books)]).length, 1)
  const film = (line: string) => dubbingArrowsBack([planted('control-plane/features/dubbing/film/prep/x.ts', line)]).length
  assert.equal(film("import type { A } from '#control-plane/features/dubbing/lines/x.ts'"), 1)
  assert.equal(film("import type { A } from '#control-plane/features/dubbing/area.ts'"), 1)
  assert.equal(film("import type { A } from '#control-plane/features/dubbing/elsewhere/x.ts'"), 1)
  assert.equal(film("import type { A } from '#control-plane/features/dubbing/store/core.ts'"), 0)
})

test('features do not import each other', () => {
  assert.deepEqual(featureCrossings(sources), [])
})

test('an import from one feature into another is reported, the type of an api is not', () => {
  const crossing = (line: string) => featureCrossings([planted('control-plane/features/speech/speech/x.ts', line)]).length
  assert.equal(crossing("import { a } from '#control-plane/features/machines/engines/a.ts'"), 1)
  assert.equal(crossing("import type { A } from '#control-plane/features/machines/engines/a.service.ts'"), 1)
  assert.equal(crossing("import type { EnginesApi } from '#control-plane/features/machines/engines/api.ts'"), 0)
  assert.equal(crossing("import { b } from './b.ts'"), 0)
})

for (const folder of FLOORS)
  test(`the rooms of ${folder || 'the project'} form no circle, types included`, () => {
    assert.deepEqual(knotOf(product, folder), [])
  })

test('a circle of rooms is reported', () => {
  const files = [
    planted('agent/a/one.ts', "import { two } from '#agent/b/two.ts'"),
    planted('agent/b/two.ts', "import type { three } from '#agent/main.ts'"),
    planted('agent/main.ts', "import { one } from './a/one.ts'\nimport { low } from '#agent/c/low.ts'"),
    planted('agent/c/low.ts', ''),
  ]
  assert.deepEqual(knotOf(files, 'agent'), [
    'agent/a/one.ts -> agent/b/two.ts',
    'agent/b/two.ts -> agent/main.ts',
    'agent/main.ts -> agent/a/one.ts',
  ])
})

test('a file of another room is imported by its path from the root', () => {
  assert.deepEqual(farRelativeImports(sources), [])
})

test('a relative import that leaves its room or climbs far is reported', () => {
  const reported = (path: string, target: string, specifier: string) =>
    farRelativeImports([planted(path, `import { b } from '${specifier}'`), planted(target, '')]).length
  assert.equal(reported('agent/tenancy/a.ts', 'agent/connection/b.ts', '../connection/b.ts'), 1)
  assert.equal(reported('agent/tenancy/a.ts', 'agent/tenancy/b.ts', './b.ts'), 0)
  assert.equal(reported('control-plane/http/input/a.ts', 'control-plane/http/contract/b.ts', '../contract/b.ts'), 0)
  assert.equal(reported('control-plane/http/input/deep/a.ts', 'control-plane/http/contract/b.ts', '../../contract/b.ts'), 1)
})
