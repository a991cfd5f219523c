// Folder in which the files of one addition wait for the agent: a private one within that of the models, so that the agent moves them
// without a copy. Files are called 0, 1, 2 there; their names are in a list and never become paths. The agent removes what a killed process
// left.
import { constants } from 'node:fs'
import { copyFile, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { unzip } from '#shared/archive/unzip.ts'
import { REMOVED } from '#shared/models/model.ts'
import { ADDITION, ADDITION_DIGITS, ADDITION_LIST } from '#shared/models/own.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { cleanLine } from '#shared/protocol/fields/clean-text.ts'
import { fileIn, isDiskError, isSystemError, privateFolder } from '#shared/runtime/file.ts'
import { shortBytes } from '#shared/runtime/memory/short-bytes.ts'
import type { Random } from '#shared/runtime/random.ts'
import { type OfferedFile, withinLimits } from './offered-files.ts'

type Deps = {
  /** Folder of the models of this machine. */
  readonly folder: string
  /** Null where the system does not report it. */
  readonly freeDisk: () => Promise<number | null>
  /** Bytes that must stay free. */
  readonly reserveBytes: number
  readonly random: Pick<Random, 'hex'>
}
/** `isMoved`: the files are uploads, which are not needed any more. */
export type GivenFiles = { readonly files: readonly OfferedFile[]; readonly isMoved: boolean }
export type StagedFile = { readonly name: string; readonly path: string }
const ENTRIES = 2_000
/** `__MACOSX` in lower case, and hidden files. */
const isIgnored = (name: string) => name.split('/').some((part) => part.startsWith('.') || part === '__macosx')
const sizeOf = (files: readonly OfferedFile[]): number => files.reduce((sum, { size }) => sum + size, 0)
const isZip = ({ name }: OfferedFile) => /\.zip$/i.test(name)

export function createStaging({ folder, freeDisk, reserveBytes, random }: Deps) {
  async function requireSpace(bytes: number): Promise<void> {
    const free = await freeDisk()
    if (free === null || free >= bytes + reserveBytes) return
    throw new Failure(
      'STORAGE_FULL',
      `The model needs ${shortBytes(bytes)} and ${shortBytes(reserveBytes)} must stay free, but the disk has only ${shortBytes(free)}. Free some space and try again.`,
    )
  }

  /** The names of the files 0, 1, 2. */
  async function fill(place: string, { files, isMoved }: GivenFiles, signal: AbortSignal): Promise<string[]> {
    const [archive] = files.filter(isZip)
    if (archive && files.length > 1) throw new Failure('BAD_REQUEST', 'Add a zip file alone, or the files without one.')
    if (archive) return readable(archive.name, unpack(place, archive.path, signal))
    withinLimits([...files])
    if (!isMoved) await requireSpace(sizeOf(files))
    for (const [at, { path, name }] of files.entries()) {
      signal.throwIfAborted()
      const target = fileIn(place, String(at))
      if (isMoved && (await isRenamed(path, target))) continue
      // Uploads may be on another disk, from which a file is copied.
      if (isMoved) await requireSpace(sizeOf(files.slice(at)))
      await readable(name, copyFile(path, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE))
    }
    return files.map(({ name }) => name)
  }

  async function unpack(place: string, path: string, signal: AbortSignal): Promise<string[]> {
    const free = await freeDisk()
    let written = 0
    const { members } = await unzip(
      path,
      place,
      {
        entries: ENTRIES,
        // `reserve` refuses too many bytes, as those of a folder are.
        totalBytes: Number.POSITIVE_INFINITY,
        bytesOf: (name) => (isIgnored(name) ? null : Number.POSITIVE_INFINITY),
        async reserve(bytes) {
          written += bytes
          withinLimits([{ name: '', size: written }])
          if (free !== null && free < written + reserveBytes) await requireSpace(written)
        },
      },
      signal,
    )
    if (members.size === 0) throw new Failure('BAD_REQUEST', 'The archive has no files.')
    return withinLimits([...members].map(([name, { bytes }]) => ({ name, size: bytes }))).map(({ name }) => name)
  }

  return {
    /**
     * Calls `use` with the name of the addition, and the files with the names that they had. Its folder exists no longer afterwards. Throws
     * BAD_REQUEST for an archive that cannot be read and for what is over the limits, NOT_FOUND for a file that cannot be read, STORAGE_FULL, the
     * reason of the signal, and what `use` throws.
     */
    async during<T>(
      given: GivenFiles,
      signal: AbortSignal,
      use: (addition: string, files: readonly StagedFile[]) => Promise<T>,
    ): Promise<T> {
      const addition = random.hex(ADDITION_DIGITS / 2)
      const place = fileIn(privateFolder(folder), `${ADDITION}${addition}`)
      try {
        await mkdir(place, { mode: 0o700 })
        const names = await fill(place, given, signal)
        await writeFile(join(place, ADDITION_LIST), JSON.stringify(names), { mode: 0o600 })
        return await use(
          addition,
          names.map((name, at) => ({ name, path: fileIn(place, String(at)) })),
        )
      } catch (error) {
        if (isDiskError(error)) throw new Failure('STORAGE_FULL', 'The disk of the models is full or not writable.', { cause: error })
        if (isSystemError(error))
          throw new Failure('INTERNAL', 'The files could not be put into the folder of the models.', { cause: error })
        throw error
      } finally {
        // Renamed first, so that an agent that still works on it takes all of the folder or nothing.
        const left = fileIn(folder, `${REMOVED}${addition}`)
        await rename(place, left).catch(() => {})
        await rm(left, { recursive: true, force: true })
      }
    },
  }
}

/** Throws NOT_FOUND for a file that cannot be read. */
function readable<T>(name: string, work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    if (isDiskError(error) || !isSystemError(error)) throw error
    const short = cleanLine(name).slice(0, 80)
    throw new Failure('NOT_FOUND', `${short} cannot be read by this user, or was removed meanwhile.`, { cause: error })
  })
}

/** False on another disk. */
async function isRenamed(path: string, target: string): Promise<boolean> {
  try {
    await rename(path, target)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EXDEV') return false
    throw error
  }
}
