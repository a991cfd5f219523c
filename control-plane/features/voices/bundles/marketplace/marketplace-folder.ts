// The files of the marketplace folder. A name is matched against their pattern before it meets a path.
import { lstat, readdir, rm } from 'node:fs/promises'
import { Failure } from '#shared/protocol/failure.ts'
import { fileIn, privateFolder } from '#shared/runtime/file.ts'
import { ARCHIVE_BYTES, LEGACY_EXTENSION, slugOf } from '../bundle/bundle.rules.ts'

export type MarketplaceFile = { readonly name: string; readonly path: string; readonly bytes: number; readonly changedAt: number }
export type MarketplaceFolder = ReturnType<typeof createMarketplaceFolder>

const NAME = /^[a-z0-9][a-z0-9-]{0,100}-[0-9a-f]{8}\.svcbundle$/
/** Names that a client may ask for: a file name with the extension of bundles. */
const ASKED = /^[^./\\\0][^/\\\0]{0,200}$/
const MAX_LISTED = 1000

export function createMarketplaceFolder(folder: string) {
  /** Null if there is no regular file of this name. */
  async function find(name: string): Promise<MarketplaceFile | null> {
    const path = fileIn(folder, name)
    try {
      const found = await lstat(path)
      return found.isFile() ? { name, path, bytes: found.size, changedAt: found.mtimeMs } : null
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
      throw error
    }
  }

  return {
    folder,
    /** Path of the bundle of a profile. Creates the folder. */
    pathFor: (profile: { readonly id: string; readonly name: string }): string =>
      fileIn(privateFolder(folder), `${slugOf(profile.name)}-${profile.id}${LEGACY_EXTENSION}`),
    /** Throws BAD_REQUEST for a path and for a name with another extension, NOT_FOUND. */
    async get(name: string): Promise<MarketplaceFile> {
      if (!ASKED.test(name) || !name.endsWith(LEGACY_EXTENSION))
        throw new Failure('BAD_REQUEST', `The name of a bundle looks like name-0123abcd${LEGACY_EXTENSION}. List them with browse.`)
      const file = NAME.test(name) ? await find(name) : null
      if (file === null) throw new Failure('NOT_FOUND', 'Bundle not found')
      return file
    },
    /** The bundles that are small enough to be read, the newest first; at most 1,000. */
    async list(): Promise<MarketplaceFile[]> {
      const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return []
        throw error
      })
      const files: MarketplaceFile[] = []
      for (const name of names.filter((each) => NAME.test(each))) {
        const file = await find(name)
        if (file && file.bytes <= ARCHIVE_BYTES) files.push(file)
      }
      return files.sort((left, right) => right.changedAt - left.changedAt || (left.name < right.name ? -1 : 1)).slice(0, MAX_LISTED)
    },
    /** Removes the bundles of a profile that have another name: it was renamed. */
    async removeOthers(id: string, kept: string): Promise<void> {
      for (const name of await readdir(folder))
        if (NAME.test(name) && name.endsWith(`-${id}${LEGACY_EXTENSION}`) && fileIn(folder, name) !== kept)
          await rm(fileIn(folder, name), { force: true })
    },
  }
}
