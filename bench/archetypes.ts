// The pure parts of archetypes: building the list, a filtered page, and a description of 2,000 characters.
import { ArchetypeFilter } from '#control-plane/features/voices/archetypes/archetypes.schema.ts'
import { pageOf, searchable } from '#control-plane/features/voices/archetypes/filter.rules.ts'
import { describe } from '#shared/voices/describe.ts'
import { buildArchetypes } from '#shared/voices/taxonomy.ts'
import { quantile, row, title } from './support/rounds.ts'

const CALLS = 2_000
const FILTERS = [
  {},
  { q: 'man' },
  { q: 'zzz', lang: 'English' },
  { gender: 'female', accent: 'british accent', offset: 20 },
  { limit: 500 },
]
const TEXT = 'A young British woman, not deep, with a whispering voice. '.repeat(40).slice(0, 2_000)

const timed = (call: () => unknown): number => {
  const from = performance.now()
  call()
  return performance.now() - from
}
const times = (count: number, call: (at: number) => unknown) => Array.from({ length: count }, (_, at) => timed(() => call(at)))

export async function run(): Promise<void> {
  title('Archetypes: the list, a filtered page, a description of 2,000 characters')
  const [first = 0] = times(1, buildArchetypes)
  const rows = searchable(buildArchetypes())
  const pages = times(CALLS, (at) => JSON.stringify(pageOf(rows, ArchetypeFilter.parse(FILTERS[at % FILTERS.length]))))
  const texts = times(CALLS, () => describe(TEXT))
  row('building the 1,126 archetypes, once', [first], null, 'ms ', 'at most 30')
  row('a filtered page as JSON, p50', [quantile(pages, 0.5)], null, 'ms ', '')
  row('a filtered page as JSON, p99', [quantile(pages, 0.99)], null, 'ms ', 'at most 3')
  row('a description, p99', [quantile(texts, 0.99)], null, 'ms ', '')
}
