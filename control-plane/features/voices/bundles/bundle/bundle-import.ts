// Uploaded bundles: checked completely, then made a profile or forgotten.
import { stat } from 'node:fs/promises'
import type { VoiceProfile, VoicesApi } from '#control-plane/features/voices/profiles/api.ts'
import type { Upload, UploadDisk } from '#control-plane/http/input/form.ts'
import type { ClientId } from '#shared/protocol/access/client.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { ARCHIVE_BYTES } from './bundle.rules.ts'
import type { ReadBundle, VoiceBundle } from './bundle-read.ts'
import { withPrivateWork } from './private-work.ts'
import { newProfileOf } from './profile-of.ts'

export type Imported = { readonly bundle: VoiceBundle; readonly profile: VoiceProfile; readonly source: string }
export type BundleImport = ReturnType<typeof createBundleImport>

type Deps = { readonly readBundle: ReadBundle; readonly voices: Pick<VoicesApi, 'create'>; readonly uploadDisk: UploadDisk }

const SHOWN_CHARS = 200

export function createBundleImport({ readBundle, voices, uploadDisk }: Deps) {
  async function withBundle<T>(
    path: string,
    signal: AbortSignal,
    use: (bundle: VoiceBundle) => Promise<T> | T,
    convertsReference = false,
  ): Promise<T> {
    const { size } = await stat(path)
    if (size > ARCHIVE_BYTES)
      throw new Failure('BODY_TOO_LARGE', `The bundle is larger than ${ARCHIVE_BYTES / 1_000_000} MB. Export it without its recordings.`)
    return withPrivateWork(uploadDisk, async (work) => use(await readBundle(path, work, signal, convertsReference)))
  }

  function created(path: string, source: string, needsReference: boolean, madeBy: ClientId, signal: AbortSignal): Promise<Imported> {
    const create = async (bundle: VoiceBundle) => {
      const profile = newProfileOf(bundle)
      if (profile === null || (needsReference && bundle.reference === null))
        throw new Failure('BAD_REQUEST', `The bundle contains no ${needsReference ? 'ref_audio' : 'recording'}. Export the voice again.`)
      return { bundle, profile: await voices.create({ ...profile, madeBy }, signal), source }
    }
    return withBundle(path, signal, create, true)
  }

  return {
    withBundle,
    /** The bundle in a file of the marketplace folder becomes a profile. Throws as `upload`. */
    file: (path: string, source: string, madeBy: ClientId, signal: AbortSignal) => created(path, source, true, madeBy, signal),
    /**
     * An uploaded bundle becomes a profile. `needsReference`: a preview is not enough. Throws BAD_REQUEST for a file that is no bundle, with the
     * reason, BODY_TOO_LARGE, STORAGE_FULL.
     */
    upload(file: Upload, extensions: readonly string[], needsReference: boolean, madeBy: ClientId, signal: AbortSignal): Promise<Imported> {
      return created(file.path, bundleName(file, extensions), needsReference, madeBy, signal)
    },
  }
}

/** The name of the file without folders. Throws BAD_REQUEST for another extension. */
export function bundleName({ filename }: Upload, extensions: readonly string[]): string {
  const name = filename.split(/[/\\]/).at(-1)!.slice(-SHOWN_CHARS)
  if (!extensions.some((extension) => name.toLowerCase().endsWith(extension)))
    throw new Failure('BAD_REQUEST', `The name of a bundle ends in ${extensions.join(' or ')}. Choose another file.`)
  return name
}
