// The areas: each comes after the areas it needs, and imports the api of no other. shape.test.ts checks the remaining imports.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AREAS } from '#control-plane/registry/areas.ts'
import { allSources, importsOf, typescript } from './source.ts'

const IN_AREA = /^control-plane\/areas\/([a-z-]+)\//
const areaOf = (path: string): string | undefined => IN_AREA.exec(path)?.[1]

const needsOf = (name: string): readonly string[] => AREAS.find((area) => area.name === name)?.needs ?? []

test('an area comes after every area that it needs, so the list has no cycle', () => {
  const names = AREAS.map(({ name }) => name)
  assert.equal(new Set(names).size, names.length)
  for (const [at, { name, needs }] of AREAS.entries())
    for (const need of needs) assert.ok(names.slice(0, at).includes(need), `${name} needs ${need}, which comes later`)
})

test('every folder with services is an area of the list', () => {
  const folders = new Set(typescript(allSources('control-plane/areas')).flatMap(({ path }) => areaOf(path) ?? []))
  assert.deepEqual([...folders].sort(), AREAS.map(({ name }) => name as string).sort())
})

test('an api is imported only by an area that names it in its needs', () => {
  for (const source of typescript(allSources('control-plane/areas')))
    for (const { target } of importsOf(source)) {
      const [area, other] = [areaOf(source.path), areaOf(target)]
      if (!area || !other || area === other || !target.endsWith('/api.ts')) continue
      assert.ok(needsOf(area).includes(other), `${source.path} uses ${other} without naming it in its needs`)
    }
})
