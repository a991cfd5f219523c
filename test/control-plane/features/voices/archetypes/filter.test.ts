// Pages of archetypes: every walk yields each match once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ArchetypeFilter } from '#control-plane/features/voices/archetypes/archetypes.schema.ts'
import { pageOf, searchable } from '#control-plane/features/voices/archetypes/filter.rules.ts'
import { buildArchetypes } from '#shared/voices/taxonomy.ts'
import { tokensOf } from '#shared/voices/words.ts'

const all = buildArchetypes()
const rows = searchable(all)
const page = (query: Record<string, unknown>) => pageOf(rows, ArchetypeFilter.parse(query))

test('filters compare whole values, without regard to case', () => {
  assert.deepEqual(page({ gender: 'MALE', limit: 500 }).items, all.filter(({ facets }) => facets.gender === 'male').slice(0, 500))
  assert.equal(page({ accent: '四川话' }).total, 42)
  assert.equal(page({ lang: 'chinese' }).total, 504)
  assert.equal(page({ accent: 'sichuan' }).total, 0)
  assert.equal(page({ q: 'QUIET conf' }).items[0]?.name, 'Quiet Confidant')
  assert.equal(page({ q: 'sichuan' }).total, 42)
  assert.equal(page({ q: '', gender: '' }).total, 1126)
  assert.equal(page({ featured: 'false' }).total, 1075)
})

test('any walk through the pages of any filter yields each match once', () => {
  const maybe = (words: readonly string[]) => fc.option(fc.constantFrom(...words, 'unknown'), { nil: undefined })
  const filters = fc.record({
    q: maybe(['man', 'deep', 'british', '话']),
    gender: maybe(tokensOf('Gender')),
    age: maybe(tokensOf('Age')),
    pitch: maybe(tokensOf('Pitch')),
    accent: maybe([...tokensOf('EnglishAccent'), ...tokensOf('ChineseDialect')]),
    lang: maybe(['English', 'Chinese', 'Hindi']),
    whisper: maybe(['true', 'false']).filter((value) => value !== 'unknown'),
    limit: fc.integer({ min: 40, max: 500 }),
  })
  fc.assert(
    fc.property(filters, ({ limit, ...filter }) => {
      const found: string[] = []
      const { total } = page(filter)
      for (let offset = 0; offset < total; offset += limit) found.push(...page({ ...filter, limit, offset }).items.map(({ id }) => id))
      assert.equal(found.length, total)
      assert.equal(new Set(found).size, total)
    }),
    { numRuns: 40 },
  )
})
