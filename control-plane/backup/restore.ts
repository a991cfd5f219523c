// Restores an archive of a backup into an empty folder. Everything is checked in a folder of its own before it gets its final name, so that a
// folder with a studio in it is a whole one.
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { mkdir, open, statfs } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { copyForeign } from '#control-plane/store/files/backup.ts'
import { HALF_RESTORED, isHalfRestored } from '#control-plane/store/files/half-restored.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { emptyFolder, fileIn, isDiskError, privateFolder, syncNow } from '#shared/runtime/file.ts'
import { shortBytes } from '#shared/runtime/memory/short-bytes.ts'
import { clearUnfinished, unfinishedIn } from '#shared/runtime/unfinished.ts'
import { type OpenArchive, openArchive, openChain, placesOfFiles, type Stored, wholeEntry } from './chain.ts'
import { DATABASE_ENTRY, SECRETS_ENTRY } from './manifest.ts'
import { openSecrets, type Secrets } from './sealed.ts'

export type RestoreOrder = {
  readonly archive: string
  /** Other files in which the chain may be. */
  readonly others: readonly string[]
  /** Absent or empty. */
  readonly into: string
  /** Called if the archive has secrets. Null leaves them out. */
  readonly passphrase: () => Promise<string | null>
  readonly signal?: AbortSignal
}
export type RestoreReport = {
  readonly files: number
  readonly bytes: number
  /** Archives that were read. */
  readonly archives: number
  /** `none`: the backup has none. */
  readonly secrets: 'restored' | 'left out' | 'none'
  readonly models: readonly string[]
  readonly createdAt: number
}

/** Names that a file system or its administrator puts into an empty folder. */
const OF_SYSTEM = /^(?:lost\+found|\.studio-unfinished-.*)$/
const SECRETS_BYTES = 64 * 1024 * 1024
/** For the folders, and for the database, which is there twice for a moment. */
const ROOM_BYTES = 16 * 1024 * 1024

/**
 * Throws CONFLICT for a folder that is not empty, NOT_FOUND for an archive that is missing, BAD_REQUEST for one that is damaged or hostile,
 * UPGRADE_REQUIRED for one of a newer studio, AUTH_FAILED for a wrong passphrase, STORAGE_FULL, and errors of the system. Nothing is left then.
 */
export async function restoreAll({ archive, others, into, passphrase, signal }: RestoreOrder): Promise<RestoreReport> {
  const folder = resolve(into)
  refuseUsed(folder)
  const first = await openArchive(archive)
  let chain: readonly OpenArchive[] = []
  try {
    chain = await openChain(first, others)
    const staging = stagingFor(folder)
    try {
      const report = await fill(staging, [first, ...chain], passphrase, signal)
      refuseUsed(folder)
      place(staging, folder)
      return report
    } catch (error) {
      if (!isDiskError(error)) throw error
      throw new Failure('STORAGE_FULL', `The backup could not be restored: ${(error as Error).message}. Nothing is left of it.`, {
        cause: error,
      })
    } finally {
      rmSync(staging, { recursive: true, force: true })
    }
  } finally {
    for (const { zip } of [first, ...chain]) zip.close()
  }
}

export const isUsed = (folder: string): boolean =>
  existsSync(folder) && (!statSync(folder).isDirectory() || readdirSync(folder).some((name) => !OF_SYSTEM.test(name)))

function refuseUsed(folder: string): void {
  if (!isUsed(folder)) return
  if (isHalfRestored(folder)) throw halfRestored(folder)
  throw new Failure('CONFLICT', `${folder} is not empty, and a backup replaces nothing. Restore it beside with --into and a new folder.`)
}
const halfRestored = (folder: string) =>
  new Failure('CONFLICT', `An earlier restore into ${folder} was not completed. Empty the folder, then restore again.`)

/** Beside the folder, or in it if it is a disk of its own. */
function stagingFor(folder: string): string {
  privateFolder(dirname(folder))
  const isMounted = existsSync(folder) && lstatSync(folder).dev !== lstatSync(dirname(folder)).dev
  if (isMounted || (existsSync(folder) && lstatSync(folder).isSymbolicLink())) return emptyFolder(unfinishedIn(folder, '-restore'))
  try {
    return emptyFolder(unfinishedIn(dirname(folder), `-restore-${basename(folder)}`))
  } catch (error) {
    if (!existsSync(folder) || !/^(?:EACCES|EPERM|EROFS)$/.test((error as NodeJS.ErrnoException).code ?? '')) throw error
    return emptyFolder(unfinishedIn(folder, '-restore'))
  }
}

async function fill(
  staging: string,
  [first, ...chain]: readonly [OpenArchive, ...OpenArchive[]],
  passphrase: RestoreOrder['passphrase'],
  signal?: AbortSignal,
): Promise<RestoreReport> {
  const { zip, manifest } = first
  const bytes = manifest.files.reduce((sum, file) => sum + file.bytes, manifest.database.bytes)
  await refuseSmallDisk(staging, bytes + manifest.database.bytes + ROOM_BYTES)
  const sealed = manifest.secrets && (await wholeEntry(zip, SECRETS_ENTRY, SECRETS_BYTES))
  const secrets = await secretsOf(first, sealed, passphrase)
  const foreign = join(staging, 'foreign.db')
  await extract({ zip, entry: DATABASE_ENTRY }, foreign, manifest.database, signal)
  copyForeign(foreign, join(staging, 'studio.db'), zip.path)
  rmSync(foreign)
  const places = placesOfFiles([...chain.toReversed(), first])
  for (const file of manifest.files) {
    const from = places.get(file.sha256)
    if (!from) throw damaged(zip.path, `${file.path} is in none of its archives`)
    const target = await placeOf(staging, file.path, zip.path)
    await extract(from, target, file, signal)
  }
  for (const [path, content] of secrets ?? []) {
    const file = await open(await placeOf(staging, path, zip.path), 'wx', 0o600)
    await file.writeFile(content)
    await file.sync().finally(() => file.close())
  }
  syncFolders(staging)
  return {
    files: manifest.files.length,
    bytes,
    archives: chain.length + 1,
    secrets: sealed === null ? 'none' : secrets === null ? 'left out' : 'restored',
    models: manifest.models.map(({ name }) => name),
    createdAt: manifest.createdAt,
  }
}

async function secretsOf(
  { zip, manifest }: OpenArchive,
  sealed: Buffer | null,
  passphrase: RestoreOrder['passphrase'],
): Promise<Secrets | null> {
  if (sealed === null || manifest.secrets === null) return null
  if (createHash('sha256').update(sealed).digest('hex') !== manifest.secrets.sha256) throw damaged(zip.path, 'its secrets are damaged')
  const given = await passphrase()
  return given === null ? null : openSecrets(sealed, manifest.secrets, { passphrase: given, id: manifest.id })
}

/** Makes the folders above the file. */
async function placeOf(staging: string, path: string, archive: string): Promise<string> {
  let place = staging
  const names = path.split('/')
  for (const [at, name] of names.entries()) {
    place = fileIn(place, name)
    if (at === names.length - 1) break
    await mkdir(place, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
    if (!lstatSync(place).isDirectory()) throw damaged(archive, `${path} is a file and a folder`)
  }
  // Also for names that differ in case only, where the file system does not tell them apart.
  if (existsSync(place)) throw damaged(archive, `two files would be ${path}`)
  return place
}

async function extract(
  { zip, entry }: Stored,
  target: string,
  expected: { readonly bytes: number; readonly sha256: string },
  signal?: AbortSignal,
): Promise<void> {
  const hash = createHash('sha256')
  let bytes = 0
  const file = await open(target, 'wx', 0o600)
  try {
    for await (const piece of zip.read(entry)) {
      signal?.throwIfAborted()
      bytes += piece.length
      if (bytes > expected.bytes) break
      hash.update(piece)
      await file.writeFile(piece)
    }
    await file.datasync()
  } finally {
    await file.close()
  }
  if (bytes !== expected.bytes || hash.digest('hex') !== expected.sha256) throw damaged(zip.path, `${entry} is damaged`)
}

async function refuseSmallDisk(folder: string, bytes: number): Promise<void> {
  const { bavail, blocks, bsize } = await statfs(folder)
  const free = bavail * bsize
  // Some network disks do not say their size.
  if (blocks > 0 && free < bytes)
    throw new Failure('STORAGE_FULL', `The backup needs ${shortBytes(bytes)}, and the disk has ${shortBytes(free)} left. Free some space.`)
}

function syncFolders(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) if (entry.isDirectory()) syncFolders(join(folder, entry.name))
  syncNow(folder)
}

/** One rename; on a disk of its own, or behind a link, one for each part. */
function place(staging: string, folder: string): void {
  if (dirname(staging) === folder) return placeParts(staging, folder)
  if (existsSync(folder)) {
    clearUnfinished(folder)
    rmdirSync(folder)
  } else mkdirSync(dirname(folder), { recursive: true })
  renameSync(staging, folder)
  syncNow(dirname(folder))
}

/** A mark takes the place of the database until everything else is there. Nothing is left when a part cannot be placed. */
function placeParts(staging: string, folder: string): void {
  const parts = readdirSync(staging).filter((name) => name !== DATABASE_ENTRY)
  const mark = join(staging, 'half')
  writeFileSync(mark, HALF_RESTORED, { mode: 0o600 })
  syncNow(mark)
  const placed: string[] = []
  const put = (from: string, name: string): void => {
    renameSync(from, join(folder, name))
    placed.push(name)
  }
  try {
    put(mark, DATABASE_ENTRY)
    syncNow(folder)
    for (const name of parts) put(join(staging, name), name)
    syncNow(folder)
    put(join(staging, DATABASE_ENTRY), DATABASE_ENTRY)
    syncNow(folder)
  } catch (error) {
    for (const name of placed.reverse()) rmSync(join(folder, name), { recursive: true, force: true })
    throw error
  }
}

const damaged = (archive: string, why: string) => new Failure('BAD_REQUEST', `${archive} cannot be restored: ${why}. Nothing was restored.`)
