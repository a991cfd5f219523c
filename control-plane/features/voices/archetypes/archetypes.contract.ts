import { z } from 'zod'
import { contract } from '#control-plane/http/contract/contract.ts'
import { booleanText } from '#control-plane/http/input/boolean-text.ts'
import {
  ArchetypeFilter,
  ArchetypeReply,
  Category,
  DescribeBody,
  Described,
  PreviewState,
  PreviewStatus,
  Used,
} from './archetypes.schema.ts'

const params = z.object({ archetype_id: z.string().max(64) })
const shared = { access: 'consume' } as const

export const archetypesContracts = {
  describe: contract({
    ...shared,
    id: 'design.describe',
    method: 'POST',
    path: '/design/describe',
    summary: 'Finds the choices of a designed voice in a description, by rules and without a model.',
    body: DescribeBody,
    reply: Described,
  }),
  categories: contract({
    ...shared,
    id: 'archetypes.listCategories',
    method: 'GET',
    path: '/archetypes/categories',
    summary: 'Lists the seven use cases.',
    reply: z.array(Category),
  }),
  previewStatus: contract({
    ...shared,
    id: 'archetypes.readPreviewStatus',
    method: 'GET',
    path: '/archetypes/previews/status',
    summary: 'Returns whether previews are downloaded, how many there are, and when the publisher was checked.',
    reply: PreviewStatus,
  }),
  setPreviews: contract({
    ...shared,
    access: 'admin',
    id: 'archetypes.setPreviews',
    method: 'PUT',
    path: '/archetypes/previews',
    summary: 'Turns the download of previews on, which downloads those of the featured archetypes, or off, which deletes them.',
    body: z.strictObject({ enabled: z.boolean() }).meta({ id: 'ArchetypePreviewChoice' }),
    reply: PreviewStatus,
  }),
  checkPreviews: contract({
    ...shared,
    access: 'admin',
    id: 'archetypes.checkPreviews',
    method: 'POST',
    path: '/archetypes/previews/check',
    summary: 'Checks the publisher now, also within 24 hours of the newest check. The signature is always verified.',
    reply: PreviewStatus,
  }),
  list: contract({
    ...shared,
    id: 'archetypes.list',
    method: 'GET',
    path: '/archetypes',
    summary: 'Lists archetypes, featured ones first. q searches names and recipes; accent is a whole token such as "british accent".',
    query: ArchetypeFilter,
    reply: z.object({ total: z.int(), limit: z.int(), offset: z.int(), items: z.array(ArchetypeReply) }).meta({ id: 'ArchetypePage' }),
  }),
  read: contract({
    ...shared,
    id: 'archetypes.read',
    method: 'GET',
    path: '/archetypes/{archetype_id}',
    summary: 'Returns an archetype.',
    params,
    reply: ArchetypeReply,
  }),
  previewState: contract({
    ...shared,
    id: 'archetypes.readPreviewState',
    method: 'GET',
    path: '/archetypes/{archetype_id}/preview/state',
    summary: 'Returns where the next preview would come from. Uses neither a model nor the network.',
    params,
    reply: PreviewState,
  }),
  preview: contract({
    ...shared,
    id: 'archetypes.preview',
    method: 'GET',
    path: '/archetypes/{archetype_id}/preview',
    summary: 'Returns the sample of an archetype: downloaded, or rendered here. X-Svc-Preview-Source names the source.',
    params,
    query: z.object({ local: booleanText().default(false) }),
    sends: ['x-svc-preview-source'],
    media: ['audio/mpeg', 'audio/wav'],
  }),
  use: contract({
    ...shared,
    id: 'archetypes.use',
    method: 'POST',
    path: '/archetypes/{archetype_id}/use',
    summary: 'Returns the voice profile of an archetype. The first request makes it, with a sample that is rendered here.',
    params,
    query: z.object({
      name: z
        .string()
        .max(200)
        .optional()
        .transform((value) => value?.trim() || null),
    }),
    reply: Used,
  }),
}
