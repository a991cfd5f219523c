// Persona bundles.
import { join } from 'node:path'
import type { VoicesApi } from '#control-plane/features/voices/profiles/api.ts'
import { type Content, headerText } from '#control-plane/http/contract/respond.ts'
import type { Upload, UploadDisk } from '#control-plane/http/input/form.ts'
import type { ClientId } from '#shared/protocol/access/client.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { LEGACY_EXTENSION, licenceOf, PERSONA_EXTENSION, slugOf, tagsOf } from '../bundle/bundle.rules.ts'
import { type BundleImport, bundleName } from '../bundle/bundle-import.ts'
import type { VoiceBundle } from '../bundle/bundle-read.ts'
import type { BundleWriter } from '../bundle/bundle-write.ts'
import { fileContent, withPrivateWork } from '../bundle/private-work.ts'
import { isPreviewOnly } from '../bundle/profile-of.ts'

type Deps = {
  readonly voices: Pick<VoicesApi, 'find'>
  readonly bundles: BundleImport
  readonly writer: Pick<BundleWriter, 'persona'>
  readonly uploadDisk: UploadDisk
}
type Wanted = { readonly license_spdx: string; readonly tags: string; readonly include_reference: boolean }
export type Personas = ReturnType<typeof createPersonas>

const EXTENSIONS = [PERSONA_EXTENSION, LEGACY_EXTENSION]

const licenceFields = ({ licence, preview, skipped, isAhead }: VoiceBundle) => ({
  license_spdx: licence.spdx,
  license_replaced: licence.replaced,
  watermarked_preview: preview?.isMarked ?? false,
  schema_version_ahead: isAhead,
  skipped_members: [...skipped],
})

export function createPersonas({ voices, bundles, writer, uploadDisk }: Deps) {
  return {
    /** Throws NOT_FOUND, a failure of status 503 if no preview can be made, STORAGE_FULL. */
    async export(id: string, { license_spdx, tags, include_reference }: Wanted, signal: AbortSignal): Promise<Content> {
      const profile = voices.find(id)
      if (profile === null) throw new Failure('NOT_FOUND', 'Profile not found')
      const { spdx, replaced } = licenceOf(license_spdx)
      const options = { licence: spdx, tags: tagsOf(tags), includesReference: include_reference }
      const content = await withPrivateWork(uploadDisk, async (work) => {
        const path = join(work.folder, 'bundle')
        await writer.persona({ profile, work, signal }, path, options)
        return fileContent(path)
      })
      const remark = replaced === null ? null : `The licence ${replaced} is not on the list of licences. ${spdx} was used.`
      return {
        type: 'application/zip',
        ...content,
        file: { name: `${slugOf(profile.name)}${PERSONA_EXTENSION}`, disposition: 'attachment' },
        headers: { 'x-svc-notice': remark && headerText(remark) },
      }
    },

    /** Throws BAD_REQUEST, BODY_TOO_LARGE, STORAGE_FULL. */
    async import(file: Upload, madeBy: ClientId, signal: AbortSignal) {
      const { bundle, profile, source } = await bundles.upload(file, EXTENSIONS, false, madeBy, signal)
      return {
        success: true as const,
        profile_id: profile.id,
        name: profile.name,
        kind: profile.kind,
        verified_own_voice: bundle.consent?.isVerified ?? false,
        preview_only: isPreviewOnly(bundle),
        source_bundle: source,
        ...licenceFields(bundle),
      }
    },

    /** Throws as `import`. */
    async inspect(file: Upload, signal: AbortSignal) {
      bundleName(file, EXTENSIONS)
      return bundles.withBundle(file.path, signal, (bundle) => {
        const { format, schemaVersion, name, kind, language, personality, locked, tags, consent } = bundle
        return {
          format: format === 'persona' ? ('svc-persona' as const) : ('svc-legacy' as const),
          schema_version: schemaVersion,
          name,
          kind,
          language,
          personality,
          is_locked: locked !== null,
          tags: [...tags],
          preview_only: isPreviewOnly(bundle),
          consent: consent && {
            verified_claimed: consent.isClaimed,
            method: consent.method,
            has_recording: consent.recording !== null,
            would_verify: consent.isVerified,
          },
          ...licenceFields(bundle),
        }
      })
    },
  }
}
