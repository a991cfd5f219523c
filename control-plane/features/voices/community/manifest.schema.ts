// The items of community sources, as the routes answer with them.
import { z } from 'zod'
import { USE_CASES } from '#shared/voices/use-cases.ts'
import { CATEGORIES } from '#shared/voices/words.ts'

export const UseCaseId = z.enum(USE_CASES.map(({ id }) => id))

const text = z.string()
export const ItemFacets = z
  .object({ gender: text, age: text, pitch: text, accent: text.nullable(), whisper: z.boolean(), lang: text })
  .partial()
  .meta({ id: 'CommunityFacets' })
const common = {
  id: text,
  name: text,
  use_case: UseCaseId,
  language: text,
  facets: ItemFacets,
  icon: text,
  source: text,
  /** Licence that the source states; empty without one. */
  license: text,
  is_community: z.boolean(),
  preview_url: text,
  _source_repo: text,
}
export const PresetItem = z
  .object({
    ...common,
    type: z.literal('preset'),
    instruct: text,
    sample_script: text,
    attrs: z.object(Object.fromEntries(CATEGORIES.map((category) => [category, text])) as Record<(typeof CATEGORIES)[number], typeof text>),
  })
  .meta({ id: 'CommunityPreset' })
export const VoiceItem = z
  .object({
    ...common,
    type: z.literal('voice'),
    audio: z.object({ url: text, sha256: text.nullable(), ref_text: text }),
    /** Origin of the digest that identifies the right file: the source, or the first download. Null before that download. */
    pinned: z.enum(['source', 'first_download']).nullable(),
  })
  .meta({ id: 'CommunityVoice' })
export const CommunityItem = z.discriminatedUnion('type', [PresetItem, VoiceItem])
export const CommunityPack = z
  .object({ id: text, name: text, description: text, icon: text, items: z.array(text), _source_repo: text })
  .meta({ id: 'CommunityPack' })
export type PresetItem = z.output<typeof PresetItem>
export type VoiceItem = z.output<typeof VoiceItem>
export type CommunityItem = z.output<typeof CommunityItem>
export type CommunityPack = z.output<typeof CommunityPack>
