// Selects the archetypes that a request lists. Pure.
import type { Archetype } from '#shared/voices/taxonomy.ts'
import type { ArchetypeFilter } from './archetypes.schema.ts'

type Searched = { readonly archetype: Archetype; readonly text: string }
/** The archetypes with the text that `q` is searched in. */
export const searchable = (all: readonly Archetype[]): readonly Searched[] =>
  all.map((archetype) => ({ archetype, text: `${archetype.name}\n${archetype.instruct}`.toLowerCase() }))

export function pageOf(all: readonly Searched[], filter: ArchetypeFilter) {
  const { q, use_case, gender, age, pitch, accent, whisper, lang, featured, limit, offset } = filter
  const sought = q?.trim().toLowerCase() ?? ''
  const words = [gender, age, pitch, accent, lang].map((word) => word?.trim().toLowerCase() ?? null)
  const items = all
    .filter(({ archetype: { attrs, facets, use_case: useCase, is_featured }, text }) => {
      // A dialect is found as an accent, although it is none in the answer.
      const values = [facets.gender, facets.age, facets.pitch, facets.accent ?? attrs.ChineseDialect, facets.lang.toLowerCase()]
      return (
        (whisper === null || facets.whisper === whisper) &&
        (featured === null || is_featured === featured) &&
        (use_case === null || useCase === use_case) &&
        words.every((word, at) => word === null || values[at] === word) &&
        text.includes(sought)
      )
    })
    .map(({ archetype }) => archetype)
  return { total: items.length, limit, offset, items: items.slice(offset, offset + limit) }
}
