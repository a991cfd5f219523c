// The manifest of a backup, the last entry of its archive. It comes from outside when it is read, so everything in it has limits.
import { z } from 'zod'
import { exceededBy, parseJson } from '#shared/protocol/json.ts'
import { partOf } from './contents.ts'

export const [MANIFEST_ENTRY, DATABASE_ENTRY, SECRETS_ENTRY] = ['manifest.json', 'studio.db', 'secrets.sealed'] as const
const FILES_FOLDER = 'files/'
export const MOST_FILES = 1_000_000
export const MOST_ENTRIES = MOST_FILES + 3
export const MOST_MANIFEST_BYTES = 384 * 1024 * 1024
const MOST_MODELS = 10_000
/** Lists, and values in them, of a manifest with the most files and models. A text of small ones would need much more memory than bytes. */
const MOST_VALUES = 5 * MOST_FILES + 4 * MOST_MODELS
const PATH_CHARS = 1_024
const [NAME_BYTES, MOST_LEVELS] = [255, 16]

export const fileEntry = (path: string): string => FILES_FOLDER + path

const hex = (digits: number) =>
  z
    .string()
    .length(digits)
    .regex(/^[0-9a-f]*$/)
const Bytes = z.int().min(0)
const Sum = hex(64)

/** Control characters, separators of other systems, and what Windows keeps for itself. */
const UNFIT = /[\x00-\x1f\x7f\\:*?"<>|]|[ .]$/
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i
/** True for a path below a folder that means the same file on every system. */
export const isPortablePath = (path: string): boolean => {
  const names = path.split('/')
  return (
    path.length <= PATH_CHARS &&
    names.length <= MOST_LEVELS &&
    names.every((name) => name !== '' && Buffer.byteLength(name) <= NAME_BYTES && !UNFIT.test(name) && !RESERVED.test(name))
  )
}

const Earlier = z.strictObject({ id: hex(32), manifest: Sum, createdAt: z.number().min(0).max(8.64e15) })
const SavedFile = z.strictObject({
  path: z.string().max(PATH_CHARS).refine(isPortablePath),
  bytes: Bytes,
  sha256: Sum,
  /** False for a file that an earlier backup of the chain has. */
  stored: z.boolean(),
})
/** Parameters of the key that was made of the passphrase. Their limits bound time and memory: 128 * cost * 8 bytes. */
const Sealed = z.strictObject({
  cost: z.union([z.literal(2 ** 15), z.literal(2 ** 16), z.literal(2 ** 17), z.literal(2 ** 18)]),
  salt: hex(32),
  nonce: hex(24),
  bytes: Bytes.max(64 * 1024 * 1024),
  sha256: Sum,
})
const Manifest = z.strictObject({
  format: z.literal(1),
  id: hex(32),
  /** Version of the program that wrote it. */
  program: z.string().max(64),
  /** Epoch milliseconds. */
  createdAt: z.number().min(0).max(8.64e15),
  /** The backup that has the files which are not stored here; null for a complete one. */
  since: Earlier.nullable(),
  database: z.strictObject({ bytes: Bytes, sha256: Sum }),
  /** Null without secrets. */
  secrets: Sealed.nullable(),
  files: z.array(SavedFile).max(MOST_FILES),
  /** Models are not saved. They can be installed again. */
  models: z.array(z.strictObject({ name: z.string().max(200), digest: Sum })).max(MOST_MODELS),
})
export type BackupManifest = z.output<typeof Manifest>
export type FileInBackup = z.output<typeof SavedFile>
export type SealedParameters = z.output<typeof Sealed>

/** Throws an error that completes the sentence "its manifest cannot be used:". */
export function parseBackupManifest(bytes: Uint8Array): BackupManifest {
  if (exceededBy(bytes, { depth: 4, values: MOST_VALUES })) throw new Error('it has too many values')
  const value = parseJson(bytes, { bytes: MOST_MANIFEST_BYTES, depth: 4 })
  const { format } = z.object({ format: z.int() }).parse(value)
  if (format > 1) throw new Error('a newer studio wrote it. Update this one')
  const found = Manifest.safeParse(value)
  if (!found.success) throw new Error(`${found.error.issues[0]?.path.join('.') || 'it'} is invalid`)
  const manifest = found.data
  const paths = new Set<string>()
  for (const { path, stored } of manifest.files) {
    if (partOf(path) !== 'saved') throw new Error(`a backup does not contain ${path}`)
    if (paths.has(path)) throw new Error(`it names ${path} twice`)
    if (!stored && manifest.since === null) throw new Error(`${path} is nowhere`)
    paths.add(path)
  }
  return manifest
}
