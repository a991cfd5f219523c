// Persona bundles: a voice with its licence, a preview, and its recordings if wanted.
import { z } from 'zod'
import { text } from '#control-plane/features/base/library/text.schema.ts'
import { contract } from '#control-plane/http/contract/contract.ts'
import { booleanText } from '#control-plane/http/input/boolean-text.ts'
import { DEFAULT_LICENCE } from '../bundle/bundle.rules.ts'
import { bundleUpload } from '../bundle/bundle.schema.ts'

const Consent = z.object({ verified_claimed: z.boolean(), method: z.string(), has_recording: z.boolean(), would_verify: z.boolean() })

export const personasContracts = {
  exportPersona: contract({
    id: 'personas.export',
    method: 'POST',
    path: '/personas/export/{profile_id}',
    access: 'consume',
    summary:
      'Returns a voice as a persona bundle. Without the reference it contains a preview of 8 s and no other recording. X-Svc-Notice names a licence that was replaced.',
    params: z.object({ profile_id: text(64) }),
    query: z.object({
      license_spdx: text(200).default(DEFAULT_LICENCE),
      tags: text(2000).default(''),
      include_reference: booleanText().default(true),
    }),
    media: ['application/zip'],
  }),
  importPersona: contract({
    id: 'personas.import',
    method: 'POST',
    path: '/personas/import',
    access: 'consume',
    summary: 'Makes a profile from a persona bundle or a legacy bundle. The whole bundle is checked before anything is stored.',
    ...bundleUpload,
    reply: z
      .object({
        success: z.literal(true),
        profile_id: z.string(),
        name: z.string(),
        kind: z.enum(['clone', 'design']),
        verified_own_voice: z.boolean(),
        preview_only: z.boolean(),
        license_spdx: z.string(),
        license_replaced: z.string().nullable(),
        watermarked_preview: z.boolean(),
        source_bundle: z.string(),
        schema_version_ahead: z.boolean(),
        skipped_members: z.array(z.string()),
      })
      .meta({ id: 'PersonaImported' }),
  }),
  inspect: contract({
    id: 'personas.inspect',
    method: 'POST',
    path: '/personas/inspect',
    access: 'consume',
    summary: 'Checks a bundle as an import does, describes it and stores nothing.',
    ...bundleUpload,
    reply: z
      .object({
        format: z.enum(['svc-persona', 'svc-legacy']),
        schema_version: z.number(),
        name: z.string(),
        kind: z.enum(['clone', 'design']),
        language: z.string(),
        personality: z.string(),
        is_locked: z.boolean(),
        license_spdx: z.string(),
        license_replaced: z.string().nullable(),
        tags: z.array(z.string()),
        preview_only: z.boolean(),
        watermarked_preview: z.boolean(),
        consent: Consent.nullable(),
        schema_version_ahead: z.boolean(),
        skipped_members: z.array(z.string()),
      })
      .meta({ id: 'PersonaInspection' }),
  }),
}
