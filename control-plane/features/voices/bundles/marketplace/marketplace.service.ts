// Legacy bundles, and the marketplace folder of this machine. Nothing here uses the network.
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { VoiceProfile, VoicesApi } from '#control-plane/features/voices/profiles/api.ts'
import type { Content } from '#control-plane/http/contract/respond.ts'
import type { Upload, UploadDisk } from '#control-plane/http/input/form.ts'
import type { ClientId } from '#shared/protocol/access/client.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { LEGACY_EXTENSION, slugOf, tagsOf } from '../bundle/bundle.rules.ts'
import type { BundleImport } from '../bundle/bundle-import.ts'
import type { ReadSummary } from '../bundle/bundle-summary.ts'
import type { BundleWriter } from '../bundle/bundle-write.ts'
import { fileContent, withPrivateWork } from '../bundle/private-work.ts'
import type { MarketplaceFolder } from './marketplace-folder.ts'

type Deps = {
  readonly voices: Pick<VoicesApi, 'find'>
  readonly bundles: BundleImport
  readonly writer: Pick<BundleWriter, 'legacy'>
  readonly readSummary: ReadSummary
  readonly files: MarketplaceFolder
  readonly uploadDisk: UploadDisk
}
export type Marketplace = ReturnType<typeof createMarketplace>

const EXTENSIONS = [LEGACY_EXTENSION]

export function createMarketplace({ voices, bundles, writer, readSummary, files, uploadDisk }: Deps) {
  function profileWith(id: string): VoiceProfile {
    const profile = voices.find(id)
    if (profile === null) throw new Failure('NOT_FOUND', 'Profile not found')
    return profile
  }

  let last: Promise<unknown> = Promise.resolve()
  function inOrder<T>(work: () => Promise<T>): Promise<T> {
    const own = last.then(work)
    last = own.catch(() => {})
    return own
  }

  return {
    /** Throws NOT_FOUND, BAD_REQUEST if the recording is missing, STORAGE_FULL. */
    async export(id: string, signal: AbortSignal): Promise<Content> {
      const profile = profileWith(id)
      const content = await withPrivateWork(uploadDisk, async (work) => {
        const path = join(work.folder, 'bundle')
        await writer.legacy({ profile, work, signal }, path, null)
        return fileContent(path)
      })
      const name = `${slugOf(profile.name)}${LEGACY_EXTENSION}`
      return { type: 'application/zip', ...content, file: { name, disposition: 'attachment' } }
    },

    /** Throws BAD_REQUEST, BODY_TOO_LARGE, STORAGE_FULL. */
    async import(file: Upload, madeBy: ClientId, signal: AbortSignal) {
      const { profile, source, bundle } = await bundles.upload(file, EXTENSIONS, true, madeBy, signal)
      return {
        success: true as const,
        profile_id: profile.id,
        name: profile.name,
        is_locked: bundle.locked !== null,
        source_bundle: source,
        skipped_members: [...bundle.skipped],
      }
    },

    /** One after the other, because two writers of one file would mix their bytes. Throws as `export`. */
    async publish(id: string, tags: string, signal: AbortSignal) {
      return inOrder(async () => {
        signal.throwIfAborted()
        const profile = profileWith(id)
        const path = files.pathFor(profile)
        await withPrivateWork(uploadDisk, (work) => writer.legacy({ profile, work, signal }, path, { tags: tagsOf(tags) }))
        await files.removeOthers(profile.id, path)
        return { success: true as const, profile_id: profile.id, bundle_path: path, bundle_size: (await stat(path)).size }
      })
    },

    /** A broken file is left out. */
    async browse(search: string, signal: AbortSignal) {
      const wanted = search.trim().toLowerCase()
      const found = []
      for (const { name: filename, path, bytes } of await files.list()) {
        const summary = await readSummary(path, signal)
        if (summary === null) continue
        const { name, tags, personality } = summary
        if ([name, personality, ...tags].some((text) => text.toLowerCase().includes(wanted)))
          found.push({ filename, size_bytes: bytes, ...summary, tags: [...tags] })
      }
      return { bundles: found, total: found.length, directory: files.folder }
    },

    /** Throws BAD_REQUEST for the name or a broken bundle, NOT_FOUND, BODY_TOO_LARGE, STORAGE_FULL. */
    async install(filename: string, madeBy: ClientId, signal: AbortSignal) {
      const { path, name } = await files.get(filename)
      const { profile } = await bundles.file(path, name, madeBy, signal)
      return { success: true as const, profile_id: profile.id, name: profile.name, source: name }
    },

    /** Throws BAD_REQUEST for the name, NOT_FOUND, and the error of the disk. */
    async remove(filename: string) {
      const { path, name } = await files.get(filename)
      await rm(path)
      return { success: true as const, deleted: name }
    },
  }
}
