// Legacy bundles, and the folder of this machine in which they are published.
import { z } from 'zod'
import { text } from '#control-plane/features/base/library/text.schema.ts'
import { contract } from '#control-plane/http/contract/contract.ts'
import { bundleUpload } from '../bundle/bundle.schema.ts'

const profile = z.object({ profile_id: text(64) })
const filename = z.object({ filename: text(200) })

export const marketplaceContracts = {
  exportBundle: contract({
    id: 'marketplace.export',
    method: 'POST',
    path: '/marketplace/export/{profile_id}',
    access: 'consume',
    summary: 'Returns a voice as a legacy bundle.',
    params: profile,
    media: ['application/zip'],
  }),
  importBundle: contract({
    id: 'marketplace.import',
    method: 'POST',
    path: '/marketplace/import',
    access: 'consume',
    summary: 'Makes a profile from a legacy bundle. The whole bundle is checked before anything is stored.',
    ...bundleUpload,
    reply: z
      .object({
        success: z.literal(true),
        profile_id: z.string(),
        name: z.string(),
        is_locked: z.boolean(),
        source_bundle: z.string(),
        skipped_members: z.array(z.string()),
      })
      .meta({ id: 'BundleImported' }),
  }),
  publish: contract({
    id: 'marketplace.publish',
    method: 'POST',
    path: '/marketplace/publish/{profile_id}',
    access: 'consume',
    of: { kind: 'voice', param: 'profile_id' },
    summary: 'Writes a voice as a legacy bundle into the marketplace folder of this machine, in place of an earlier one.',
    params: profile,
    query: z.object({ tags: text(2000).default('') }),
    reply: z
      .object({ success: z.literal(true), profile_id: z.string(), bundle_path: z.string(), bundle_size: z.number() })
      .meta({ id: 'BundlePublished' }),
  }),
  browse: contract({
    id: 'marketplace.browse',
    method: 'GET',
    path: '/marketplace/browse',
    access: 'consume',
    summary: 'Lists the bundles of the marketplace folder, the newest first. search matches names, tags and personalities.',
    query: z.object({ search: text(200).optional() }),
    reply: z
      .object({
        bundles: z.array(
          z.object({
            filename: z.string(),
            name: z.string(),
            language: z.string(),
            tags: z.array(z.string()),
            is_locked: z.boolean(),
            personality: z.string(),
            published_at: z.union([z.number(), z.string()]).nullable(),
            size_bytes: z.number(),
            has_ref_audio: z.boolean(),
            has_locked_audio: z.boolean(),
          }),
        ),
        total: z.number(),
        directory: z.string(),
      })
      .meta({ id: 'MarketplaceList' }),
  }),
  install: contract({
    id: 'marketplace.install',
    method: 'POST',
    path: '/marketplace/install/{filename}',
    access: 'consume',
    summary: 'Makes a profile from a bundle of the marketplace folder.',
    params: filename,
    reply: z
      .object({ success: z.literal(true), profile_id: z.string(), name: z.string(), source: z.string() })
      .meta({ id: 'BundleInstalled' }),
  }),
  remove: contract({
    id: 'marketplace.remove',
    method: 'DELETE',
    path: '/marketplace/{filename}',
    access: 'admin',
    summary: 'Deletes a bundle of the marketplace folder. Voices that were installed from it stay.',
    params: filename,
    reply: z.object({ success: z.literal(true), deleted: z.string() }).meta({ id: 'BundleDeleted' }),
  }),
}
