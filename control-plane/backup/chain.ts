// Archives of backups, each with its manifest, and the chain of an archive that has only what changed.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { openStoredZip, type StoredZip } from '#shared/archive/stored-read.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { fileIn } from '#shared/runtime/file.ts'
import {
  type BackupManifest,
  DATABASE_ENTRY,
  fileEntry,
  MANIFEST_ENTRY,
  MOST_ENTRIES,
  MOST_MANIFEST_BYTES,
  parseBackupManifest,
  SECRETS_ENTRY,
} from './manifest.ts'

export type OpenArchive = { readonly zip: StoredZip; readonly manifest: BackupManifest; readonly manifestSum: string }
/** The place of the bytes of a file. */
export type Stored = { readonly zip: StoredZip; readonly entry: string }

/** A longer chain would be found slowly and of no use. */
const MOST_LINKS = 400
const MOST_SIBLINGS = 1_000

/** Close its zip after use. Throws NOT_FOUND, BAD_REQUEST for a file that is no archive of a backup, and errors of the system. */
export async function openArchive(path: string): Promise<OpenArchive> {
  if (!existsSync(path)) throw new Failure('NOT_FOUND', `There is no file ${path}.`)
  const zip = await openStoredZip(path, MOST_ENTRIES)
  try {
    const bytes = await wholeEntry(zip, MANIFEST_ENTRY, MOST_MANIFEST_BYTES)
    const manifest = manifestOf(path, bytes)
    checkEntries(zip, manifest)
    return { zip, manifest, manifestSum: createHash('sha256').update(bytes).digest('hex') }
  } catch (error) {
    zip.close()
    throw error
  }
}

/** For a new backup that has only what changed since. Throws as `openArchive`. */
export async function openEarlier(path: string) {
  const { zip, manifest, manifestSum } = await openArchive(path)
  zip.close()
  return {
    named: { id: manifest.id, manifest: manifestSum, createdAt: manifest.createdAt },
    /** Sizes by digest of the files that the chain has. */
    digests: new Map(manifest.files.map(({ sha256, bytes }) => [sha256, bytes])),
  }
}

/**
 * The archives that have what this one leaves out, newest first. They are among `others`, or beside it. Throws NOT_FOUND for one that is missing,
 * with the time of its backup.
 */
export async function openChain(first: OpenArchive, others: readonly string[]): Promise<OpenArchive[]> {
  const chain: OpenArchive[] = []
  const seen = new Set([first.manifest.id])
  let places: ReadonlyMap<string, string> | null = null
  try {
    for (let since = first.manifest.since; since !== null; since = chain.at(-1)!.manifest.since) {
      if (seen.has(since.id) || chain.length >= MOST_LINKS) throw new Failure('BAD_REQUEST', 'The chain of this backup is damaged.')
      seen.add(since.id)
      places ??= new Map([
        ...(await placesOfArchives(siblingsOf(first.zip.path), () => true)),
        ...(await placesOfArchives(others, isOther)),
      ])
      const place = places.get(keyOf(since))
      if (place === undefined) {
        const at = new Date(since.createdAt).toISOString()
        throw new Failure('NOT_FOUND', `The earlier backup from ${at} is needed too. Put its file beside this one, or name it with --with.`)
      }
      chain.push(await openArchive(place))
    }
    return chain
  } catch (error) {
    for (const { zip } of chain) zip.close()
    throw error
  }
}

/** By digest, the places of all files in these archives. */
export function placesOfFiles(archives: readonly OpenArchive[]): ReadonlyMap<string, Stored> {
  const places = new Map<string, Stored>()
  for (const { zip, manifest } of archives)
    for (const { path, sha256, stored } of manifest.files) if (stored) places.set(sha256, { zip, entry: fileEntry(path) })
  return places
}

const keyOf = ({ id, manifest }: { readonly id: string; readonly manifest: string }): string => `${id} ${manifest}`

/** True for a file that can be read and is no archive of a backup. */
const isOther = (error: unknown): boolean => error instanceof Failure

/** Paths of the archives among these files, by id and digest of the manifest. Throws for the others unless `ignores`. */
async function placesOfArchives(paths: readonly string[], ignores: (error: unknown) => boolean): Promise<ReadonlyMap<string, string>> {
  const places = new Map<string, string>()
  for (const path of new Set(paths.map((one) => resolve(one)))) {
    try {
      const { zip, manifest, manifestSum } = await openArchive(path)
      zip.close()
      places.set(keyOf({ id: manifest.id, manifest: manifestSum }), path)
    } catch (error) {
      if (!ignores(error)) throw error
    }
  }
  return places
}

/** The archives beside this one in which a restore looks for earlier ones, this one among them; links are not. */
export const siblingsOf = (path: string): string[] =>
  readdirSync(dirname(path), { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.zip'))
    .slice(0, MOST_SIBLINGS)
    .map(({ name }) => fileIn(dirname(path), name))

/** The bytes of a small entry. Throws BAD_REQUEST for one that is missing or larger. */
export async function wholeEntry(zip: StoredZip, name: string, most: number): Promise<Buffer> {
  const size = zip.bytesOf(name)
  if (size === null) throw new Failure('BAD_REQUEST', `${zip.path} is not a backup of a studio: it has no ${name}.`)
  if (size > most) throw new Failure('BAD_REQUEST', `${zip.path} cannot be read: its ${name} is too large.`)
  const pieces: Buffer[] = []
  for await (const piece of zip.read(name)) pieces.push(piece)
  return Buffer.concat(pieces)
}

function manifestOf(path: string, bytes: Buffer): BackupManifest {
  try {
    return parseBackupManifest(bytes)
  } catch (cause) {
    throw new Failure('BAD_REQUEST', `${path} cannot be read: its manifest cannot be used: ${(cause as Error).message}.`, { cause })
  }
}

/** Every entry is in the manifest, with its size, and nothing else is there. */
function checkEntries(zip: StoredZip, { files, database, secrets }: BackupManifest): void {
  const expected = new Map<string, number>([[DATABASE_ENTRY, database.bytes]])
  if (secrets) expected.set(SECRETS_ENTRY, secrets.bytes)
  for (const { path, bytes, stored } of files) if (stored) expected.set(fileEntry(path), bytes)
  const refused = (why: string) => new Failure('BAD_REQUEST', `${zip.path} cannot be read: ${why}.`)
  for (const [name, bytes] of expected) if (zip.bytesOf(name) !== bytes) throw refused('its files are not those of its manifest')
  for (const name of zip.names())
    if (name !== MANIFEST_ENTRY && !expected.has(name)) throw refused('it has files that its manifest does not name')
}
