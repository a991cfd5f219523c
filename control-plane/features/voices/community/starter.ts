// The items of this program: the archetypes that are shown first, in the form of a manifest. They need no server, so a studio without
// sources has something to show, and no repository has to be invented for them. Pure.
import type { Archetype } from '#shared/voices/taxonomy.ts'
import type { SourceContent } from './manifest.ts'
import { STARTER } from './sources.ts'

export const starterOf = (archetypes: readonly Archetype[]): SourceContent => ({
  packs: [],
  items: archetypes.map(({ id, name, use_case, language, icon, instruct, sample_script, attrs, facets }) => ({
    type: 'preset',
    id,
    name,
    use_case,
    language,
    icon,
    instruct,
    sample_script,
    attrs: { ...attrs },
    facets: { ...facets },
    source: 'starter',
    license: '',
    is_community: false,
    preview_url: `/community/items/${id}/preview`,
    _source_repo: STARTER,
  })),
})
