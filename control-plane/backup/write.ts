// Writes a backup of the whole data folder into one archive, also while a studio uses the folder.
import { createHash } from 'node:crypto'
import { createWriteStream, existsSync, openSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path'
import type { Writable } from 'node:stream'
import { backupTo, modelsFolderIn } from '#control-plane/store/files/backup.ts'
import { type StoredEntry, writeStoredZip } from '#shared/archive/stored-write.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { VERSION } from '#shared/protocol/version.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { emptyFolder, isDiskError, syncNow } from '#shared/runtime/file.ts'
import { shortBytes } from '#shared/runtime/memory/short-bytes.ts'
import type { Random } from '#shared/runtime/random.ts'
import { BACKUP_SUFFIXES, unfinishedIn } from '#shared/runtime/unfinished.ts'
import { openEarlier } from './chain.ts'
import { partOf } from './contents.ts'
import { type BackupManifest, DATABASE_ENTRY, type FileInBackup, fileEntry, MANIFEST_ENTRY, SECRETS_ENTRY } from './manifest.ts'
import { modelsIn } from './models-list.ts'
import { type Secrets, sealSecrets } from './sealed.ts'
import { type BackupStage, createStage, type LinkedFile, openPieces } from './stage.ts'

export type BackupOrder = {
  readonly dataDir: string
  /** The new file of the archive, or a stream. */
  readonly target: string | Writable
  /** Null leaves the secrets out. */
  readonly passphrase: string | null
  /** The archive of an earlier backup, whose files are left out; null for a complete backup. */
  readonly since: string | null
  readonly clock: Pick<Clock, 'now'>
  readonly random: Pick<Random, 'hex'>
  readonly signal?: AbortSignal
}
export type BackupReport = {
  readonly id: string
  /** Bytes of the stored files. */
  readonly bytes: number
  readonly files: number
  /** Files that an earlier backup of the chain has. */
  readonly unchanged: number
  /** Files that the studio removed while the backup ran, where the file system has no second names. */
  readonly vanished: number
  /** Links, devices, and files whose names other systems refuse or are no UTF-8. */
  readonly skipped: number
  readonly models: number
  readonly hasSecrets: boolean
}
type Archive = ReturnType<typeof writeStoredZip>

/** Keys that change while the database is copied would not open it. */
const COPY_TRIES = 5

/**
 * Throws NOT_FOUND without a database, CONFLICT for a file that exists, BAD_REQUEST for an earlier backup that cannot be read, and for a file in a
 * folder that is backed up, STORAGE_FULL, and errors of the system. An archive that is not complete never has the name of `target`; a killed backup leaves files that the next one, or the
 * next start of the studio, removes.
 */
export async function backupAll(order: BackupOrder): Promise<BackupReport> {
  const { dataDir, target } = order
  if (!existsSync(join(dataDir, 'studio.db'))) throw new Failure('NOT_FOUND', `There is no studio in ${dataDir}.`)
  if (typeof target === 'string' && existsSync(target)) throw new Failure('CONFLICT', `${target} exists already. Choose another file name.`)
  if (typeof target === 'string') refuseOwnPart(dataDir, target)
  const earlier = order.since === null ? null : await openEarlier(order.since)
  const staging = emptyFolder(unfinishedIn(dataDir, BACKUP_SUFFIXES.stage))
  const unfinished = typeof target === 'string' ? unfinishedIn(dirname(target), BACKUP_SUFFIXES.archive) : null
  try {
    // Opened at once: a stream would create the file after its removal.
    const output = unfinished === null ? (target as Writable) : createWriteStream('', { fd: openSync(unfinished, 'wx', 0o600) })
    const report = await writeArchive({ ...order, earlier }, output, staging)
    if (unfinished !== null) {
      syncNow(unfinished)
      renameSync(unfinished, target as string)
      syncNow(dirname(target as string))
    }
    return report
  } catch (error) {
    if (!isDiskError(error)) throw error
    throw new Failure('STORAGE_FULL', `The backup could not be written: ${(error as Error).message}. Nothing is left of it.`, {
      cause: error,
    })
  } finally {
    if (unfinished !== null) rmSync(unfinished, { force: true })
    rmSync(staging, { recursive: true, force: true })
  }
}

/** A backup among what is backed up would be in every later one. */
function refuseOwnPart(dataDir: string, target: string): void {
  const folder = realpathSync(dirname(target))
  const below = relative(realpathSync(dataDir), join(folder, basename(target)))
  if (below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below)) return
  if (partOf(below.split(sep).join('/')) === 'excluded') return
  throw new Failure('BAD_REQUEST', `${target} would be in later backups. Choose the folder backups of the data folder, or another one.`)
}

type WholeOrder = BackupOrder & { readonly earlier: Awaited<ReturnType<typeof openEarlier>> | null }
async function writeArchive(order: WholeOrder, output: Writable, staging: string): Promise<BackupReport> {
  const { dataDir, earlier, passphrase, clock, random, signal } = order
  const content = { id: random.hex(16), createdAt: clock.now(), since: earlier?.named ?? null }
  const archive = writeStoredZip(output, new Date(content.createdAt), signal)
  try {
    const stage = createStage(dataDir, emptyFolder(join(staging, 'files')))
    const database = join(staging, 'copy.db')
    const secrets = await freeze(dataDir, stage, database)
    const modelsFolder = modelsFolderIn(database) || join(dataDir, 'local-agent', 'models')
    await refuseSmallDisk(order, statSync(database).size, stage)
    const saved = await archive.add(DATABASE_ENTRY, (await openPieces(database, Number.POSITIVE_INFINITY, signal))!)
    const sealed = passphrase === null ? null : await sealSecrets(secrets, { passphrase, id: content.id, random })
    if (sealed) await archive.add(SECRETS_ENTRY, [sealed.bytes])
    const { files, vanished } = await addFiles(archive, stage, earlier?.digests ?? new Map(), signal)
    const manifest: BackupManifest = {
      format: 1,
      program: VERSION,
      ...content,
      database: saved,
      secrets: sealed?.parameters ?? null,
      files,
      models: modelsIn(modelsFolder),
    }
    await archive.add(MANIFEST_ENTRY, textOf(manifest))
    await archive.end()
    const stored = files.filter((file) => file.stored)
    return {
      id: content.id,
      bytes: stored.reduce((sum, { bytes }) => sum + bytes, saved.bytes),
      files: files.length,
      unchanged: files.length - stored.length,
      vanished,
      skipped: stage.skipped(),
      models: manifest.models.length,
      hasSecrets: sealed !== null,
    }
  } catch (error) {
    await archive.abort()
    throw error
  }
}

/** A backup that fills the disk would take the space from the work of the studio until it fails. Files that the chain may have count as none. */
async function refuseSmallDisk({ target, earlier }: WholeOrder, database: number, stage: BackupStage): Promise<void> {
  if (typeof target !== 'string') return
  const known = new Set(earlier?.digests.values())
  const bytes = stage.files().reduce((sum, file) => sum + (known.has(file.bytes) ? 0 : file.bytes), database)
  const { bavail, blocks, bsize } = await statfs(dirname(target))
  // Some network disks do not say their size.
  if (blocks > 0 && bavail * bsize < bytes)
    throw new Failure(
      'STORAGE_FULL',
      `The backup needs ${shortBytes(bytes)}, and the disk has ${shortBytes(bavail * bsize)} left. Free some space, or choose another disk.`,
    )
}

/** Keeps the files, the database and the secrets of one moment. Throws CONFLICT when the keys change all the time. */
async function freeze(dataDir: string, stage: BackupStage, database: string): Promise<Secrets> {
  for (let tries = 1; ; tries++) {
    await stage.scan()
    const before = await stage.secrets()
    rmSync(database, { force: true })
    backupTo(join(dataDir, 'studio.db'), database)
    const secrets = await stage.secrets()
    await stage.scan()
    if (isSame(before, secrets)) return secrets
    if (tries === COPY_TRIES) throw new Failure('CONFLICT', 'The keys of the studio are being changed. Try again.')
  }
}

const isSame = (left: Secrets, right: Secrets): boolean =>
  left.size === right.size && [...left].every(([path, content]) => right.get(path)?.equals(content))

/** `known`: sizes by digest of the files that the chain has. */
async function addFiles(archive: Archive, stage: BackupStage, known: ReadonlyMap<string, number>, signal?: AbortSignal) {
  const sizes = new Set(known.values())
  const files: FileInBackup[] = []
  let vanished = 0
  for (const file of stage.files()) {
    const { path, place, bytes, isKept } = file
    signal?.throwIfAborted()
    // Read twice only if a file of the chain has its size.
    const found = sizes.has(bytes) ? await digestOf(file, signal) : null
    if (found && known.get(found.sha256) === found.bytes) {
      files.push({ path, ...found, stored: false })
      continue
    }
    const pieces = await openPieces(place, bytes, signal)
    if (pieces === null && isKept) throw new Failure('CONFLICT', 'Another program removed the files of this backup. Try again.')
    if (pieces === null) vanished++
    else files.push({ path, ...(await archive.add(fileEntry(path), pieces)), stored: true })
  }
  return { files, vanished }
}

async function digestOf({ place, bytes: most }: LinkedFile, signal?: AbortSignal): Promise<StoredEntry | null> {
  const pieces = await openPieces(place, most, signal)
  if (pieces === null) return null
  const hash = createHash('sha256')
  let bytes = 0
  for await (const piece of pieces) {
    hash.update(piece)
    bytes += piece.length
  }
  return { bytes, sha256: hash.digest('hex') }
}

/** In pieces: the text of a large manifest would be longer than a string may be. */
function* textOf({ files, ...rest }: BackupManifest): Generator<Uint8Array> {
  yield Buffer.from(`${JSON.stringify(rest).slice(0, -1)},"files":[`)
  for (let at = 0; at < files.length; at += LINES_AT_ONCE) {
    const lines = files.slice(at, at + LINES_AT_ONCE).map((file) => JSON.stringify(file))
    yield Buffer.from(`${at === 0 ? '' : ','}\n${lines.join(',\n')}`)
  }
  yield Buffer.from(']}\n')
}
const LINES_AT_ONCE = 1_000
