// Voices that other people publish as manifests in repositories.
import { z } from 'zod'
import { contract } from '#control-plane/http/contract/contract.ts'
import { booleanText } from '#control-plane/http/input/boolean-text.ts'
import { CommunityItem, CommunityPack } from './manifest.schema.ts'

const access = 'consume' as const
const refresh = booleanText().default(false)
const filter = z
  .string()
  .max(128)
  .optional()
  .transform((value) => value || null)
const params = z.strictObject({ item_id: z.string().max(128) })

export const communityContracts = {
  sources: contract({
    id: 'community.listSources',
    method: 'GET',
    path: '/community/sources',
    access,
    summary:
      'Lists the repositories whose items are shown. gallery_sources.json in the data folder or STUDIO_COMMUNITY_SOURCES names them.',
    reply: z.object({ sources: z.array(z.string()) }),
  }),
  manifest: contract({
    id: 'community.parseManifest',
    method: 'GET',
    path: '/community/manifest',
    access,
    summary: 'Returns the items and packs of all sources. offline: a source was not reachable, and its last copy is shown.',
    query: z.strictObject({ refresh }),
    reply: z
      .object({
        sources: z.array(z.string()),
        packs: z.array(CommunityPack),
        items: z.array(CommunityItem),
        count: z.int(),
        offline: z.boolean(),
      })
      .meta({ id: 'CommunityManifest' }),
  }),
  items: contract({
    id: 'community.listItems',
    method: 'GET',
    path: '/community/items',
    access,
    summary: 'Lists items page by page. q looks for a part of the name.',
    query: z.strictObject({
      use_case: filter,
      gender: filter,
      type: filter,
      lang: filter,
      q: z
        .string()
        .max(200)
        .optional()
        .transform((value) => value || null),
      limit: z.coerce.number().int().min(1).max(500).default(60),
      offset: z.coerce.number().int().min(0).default(0),
      refresh,
    }),
    reply: z.object({ total: z.int(), limit: z.int(), offset: z.int(), items: z.array(CommunityItem) }).meta({ id: 'CommunityItems' }),
  }),
  submitUrl: contract({
    id: 'community.readSubmitUrl',
    method: 'GET',
    path: '/community/submit-url',
    access,
    summary: 'Returns the address of the form with which a source accepts new items. 404 without a repository.',
    query: z.strictObject({ type: z.enum(['preset', 'voice']).default('preset'), source: z.string().max(200).optional() }),
    reply: z.object({ url: z.string() }),
  }),
  preview: contract({
    id: 'community.readPreview',
    method: 'GET',
    path: '/community/items/{item_id}/preview',
    access,
    summary: 'Returns the sound of an item: a preset is rendered on this machine, a voice is downloaded. X-Svc-Preview-Source says which.',
    params,
    query: z.strictObject({ local: booleanText().default(false) }),
    sends: ['x-svc-preview-source'],
    media: ['audio/wav', 'audio/mpeg'],
  }),
  use: contract({
    id: 'community.useItem',
    method: 'POST',
    path: '/community/items/{item_id}/use',
    access,
    summary: 'Makes a voice profile of an item, or returns the one that was made before.',
    params,
    query: z.strictObject({ name: z.string().max(200).optional() }),
    reply: z.object({ profile_id: z.string(), name: z.string() }),
  }),
}
