// Exports: copies to authorized places, their list, and folders shown in the file manager.
import { lstatSync, realpathSync, statSync } from 'node:fs'
import { dirname, resolve, sep } from 'node:path'
import type { Bus } from '#control-plane/events/bus.ts'
import { checkDestination, copyFile } from '#control-plane/store/files/copy-file.ts'
import type { PathAuthorizations } from '#control-plane/store/files/path-authorization.ts'
import type { Makers } from '#control-plane/store/sqlite/made-by.ts'
import type { ClientId } from '#shared/protocol/access/client.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { fileIn } from '#shared/runtime/file.ts'
import type { Random } from '#shared/runtime/random.ts'
import { newId } from '../new-id.ts'
import type { ExportRow, ExportStore } from './exports.store.ts'
import type { FolderWindow } from './show-folder.ts'

type Deps = {
  readonly store: ExportStore
  readonly makers: Pick<Makers, 'record'>
  readonly authorizations: Pick<PathAuthorizations, 'claim'>
  readonly folderWindow: FolderWindow
  readonly dataDir: string
  readonly audioFolder: string
  readonly bus: Pick<Bus, 'publish'>
  readonly clock: Pick<Clock, 'now'>
  readonly random: Pick<Random, 'hex'>
}
type Copy = { readonly source_filename: string; readonly authorization: string; readonly mode: string }
type Recorded = Pick<ExportRow, 'filename' | 'destination_path' | 'mode'>
export type Exports = ReturnType<typeof createExports>

/** The names that the studio gives to finished files are a part of these. */
const BARE_NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,200}$/

export function createExports({ store, makers, authorizations, folderWindow, dataDir, audioFolder, bus, clock, random }: Deps) {
  function add(action: 'exported' | 'recorded', fields: Recorded, madeBy: ClientId) {
    const id = newId(random, store.has)
    makers.record('export', id, madeBy)
    store.add({ id, ...fields, created_at: clock.now() / 1000 })
    bus.publish({ kind: 'export_history', action, id })
    return { success: true as const, id }
  }

  return {
    list: store.list,
    /** Throws STORAGE_FULL. */
    record: (fields: Recorded, madeBy: ClientId) => add('recorded', fields, madeBy),
    /**
     * Copies a finished file to the place of the authorization, which is used up by every call. Throws FORBIDDEN for the authorization,
     * BAD_REQUEST for its place or the name of the file, NOT_FOUND, STORAGE_FULL.
     */
    async copy({ source_filename, authorization, mode }: Copy, madeBy: ClientId, signal: AbortSignal) {
      const destination = authorizations.claim(authorization, 'dub_export')
      checkDestination(destination, dataDir)
      if (!BARE_NAME.test(source_filename))
        throw new Failure('BAD_REQUEST', 'source_filename must be the name of a file, without a folder.')
      const source = fileIn(audioFolder, source_filename)
      if (!lstatSync(source, { throwIfNoEntry: false })?.isFile()) throw new Failure('NOT_FOUND', 'This audio file does not exist.')
      await copyFile(source, destination, random.hex(8), signal)
      return add('exported', { filename: source_filename, destination_path: destination, mode }, madeBy)
    },
    /**
     * Shows the folder of a file below the data directory. Throws BAD_REQUEST for a blank path, FORBIDDEN outside of the data directory,
     * NOT_FOUND, PROGRAM_MISSING, QUEUE_FULL.
     */
    async reveal(path: string) {
      if (path.trim() === '') throw new Failure('BAD_REQUEST', 'The path must not be blank.')
      const own = realpathSync(dataDir)
      const wanted = resolve(dataDir, path)
      // Checked before the file system is read, so that a request cannot find out which other files exist.
      // The configured name of the data directory may be a link.
      if (!isUnder(own, wanted) && !isUnder(resolve(dataDir), wanted)) throw notOurs()
      const place = realPath(wanted)
      if (place === null) throw new Failure('NOT_FOUND', 'This file does not exist.')
      if (!isUnder(own, place)) throw notOurs()
      await folderWindow.open(statSync(place).isDirectory() ? place : dirname(place))
      return { success: true as const }
    },
  }
}

const notOurs = () => new Failure('FORBIDDEN', 'Only files of the data directory of the studio can be shown.')
const isUnder = (folder: string, path: string): boolean => path === folder || path.startsWith(folder + sep)

function realPath(path: string): string | null {
  try {
    return realpathSync(path)
  } catch {
    return null
  }
}
