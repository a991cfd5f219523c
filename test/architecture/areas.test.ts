// The areas: each comes after the areas it needs, and uses them only through their api.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AREAS } from '#control-plane/areas/areas.ts'
import { allSources, importsOf, type Source, typescript } from './source.ts'

const IN_AREA = /^control-plane\/areas\/([a-z-]+)\//
const areaOf = (path: string): string | undefined => IN_AREA.exec(path)?.[1]
/** Types of the api, and schemas: both are data that no running service stands behind. */
const isShared = (target: string, kind: string) =>
  (kind === 'type' && target.endsWith('/api.ts')) || /\.(schema|contract)\.ts$/.test(target)

/** Imports that wait for the rooms `inference` and `shared/engines.ts`. The list may only shrink. */
const PENDING: readonly string[] = [
  'control-plane/areas/dictation/dictation.service.ts -> control-plane/areas/engines/rows.ts',
  'control-plane/areas/recognition/cleaning.service.ts -> control-plane/areas/speech/chunks.ts',
  'control-plane/areas/recognition/cleaning.service.ts -> control-plane/areas/speech/synthesis.ts',
  'control-plane/areas/recognition/recognition.service.ts -> control-plane/areas/speech/synthesis.ts',
  ...['engines.routes', 'engines.service', 'loaded.service', 'rows', 'translation'].map(
    (file) => `control-plane/areas/engines/${file}.ts -> control-plane/areas/speech/backends.ts`,
  ),
  'control-plane/areas/dictation/dictation.service.ts -> control-plane/areas/speech/backends.ts',
  'control-plane/areas/recognition/recognisers.ts -> control-plane/areas/speech/backends.ts',
  'control-plane/areas/setup/area.ts -> control-plane/areas/engines/known.ts',
  'control-plane/areas/speech/backends.ts -> control-plane/areas/engines/known.ts',
  'control-plane/areas/speech/cloning.rules.ts -> control-plane/areas/engines/known.ts',
]

const needsOf = (name: string): readonly string[] => AREAS.find((area) => area.name === name)?.needs ?? []

function crossings(sources: readonly Source[]): string[] {
  return sources.flatMap((source) => {
    const area = areaOf(source.path)
    if (area === undefined) return []
    return importsOf(source).flatMap(({ target, kind }) => {
      const other = areaOf(target)
      if (other === undefined || other === area || isShared(target, kind)) return []
      return [`${source.path} -> ${target}`]
    })
  })
}

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

test('an area imports from another one its api types and its schemas, nothing else', () => {
  assert.deepEqual(crossings(typescript(allSources('control-plane/areas'))).sort(), [...PENDING].sort())
})

test('an api is imported only by an area that names it in its needs', () => {
  for (const source of typescript(allSources('control-plane/areas')))
    for (const { target } of importsOf(source)) {
      const [area, other] = [areaOf(source.path), areaOf(target)]
      if (!area || !other || area === other || !target.endsWith('/api.ts')) continue
      assert.ok(needsOf(area).includes(other), `${source.path} uses ${other} without naming it in its needs`)
    }
})

test('a service of another area is reported', () => {
  const text = "import { createFleet } from '../workers/fleet.service.ts'\nimport type { WorkersApi } from '../workers/api.ts'"
  assert.deepEqual(crossings([{ path: 'control-plane/areas/models/x.ts', text }]), [
    'control-plane/areas/models/x.ts -> control-plane/areas/workers/fleet.service.ts',
  ])
})
