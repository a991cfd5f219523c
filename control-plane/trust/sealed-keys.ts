// Keys as encrypted rows, for state that several machines share: a copy of the database opens nothing. The sealing keys come from a mounted
// file. Each row carries the id of the key that sealed it, so that a new key takes over row by row.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { openBytes, SEALING_KEY_BYTES, sealBytes } from '#control-plane/store/seal.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Keys } from '#shared/runtime/file.ts'
import { createSerialQueue } from '#shared/runtime/serial-queue.ts'

export type SealedRow = { readonly name: string; readonly keyId: string; readonly bytes: Buffer }
/** The table of one cell. A write replaces the row of this name, and is durable when it resolves. */
export type SealedRows = {
  readonly read: (name: string) => Promise<SealedRow | null>
  readonly write: (row: SealedRow) => Promise<void>
  readonly list: (prefix: string) => Promise<readonly string[]>
  readonly remove: (name: string) => Promise<void>
}
export type SealingKey = { readonly id: string; readonly key: Buffer }
export type SealedKeys = Keys & {
  /** Seals with the newest key what older ones sealed; resolves with the number of rows. After it the older keys can leave the file. */
  readonly reseal: () => Promise<number>
}

/** A line is 44 characters. */
const FILE_BYTES = 4_096
/** Digits of a digest of the key, which do not help to find it. */
const ID_DIGITS = 16

/** One key per line, 32 bytes as base64, newest first. Throws AUTH_FAILED for a file that is missing or has anything else. */
export function readSealingKeys(path: string): readonly SealingKey[] {
  const refused = (reason: string, cause?: unknown) =>
    new Failure('AUTH_FAILED', `The file of sealing keys ${path} ${reason}.`, {
      hint: 'Each line is 32 random bytes as base64, the newest first. openssl rand -base64 32 makes one.',
      cause,
    })
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (cause) {
    throw refused(`cannot be read (${(cause as NodeJS.ErrnoException).code})`, cause)
  }
  if (text.length > FILE_BYTES) throw refused('is too long')
  const keys = text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]))
  if (keys.length === 0) throw refused('has no key')
  return keys.map((line, index) => {
    const key = Buffer.from(line, 'base64')
    if (key.length !== SEALING_KEY_BYTES || key.toString('base64') !== line) throw refused(`has no key in line ${index + 1}`)
    return { id: createHash('sha256').update('sealing key').update(key).digest('hex').slice(0, ID_DIGITS), key }
  })
}

/** `keys`: newest first; the newest seals, all open. `cell`: part of what is sealed, so that a row opens in no other one. */
export function createSealedKeys({
  rows,
  keys,
  cell,
}: {
  readonly rows: SealedRows
  readonly keys: readonly SealingKey[]
  readonly cell: string
}): SealedKeys {
  const newest = keys[0]!
  /** A row that gets a newer seal must not replace one that was written meanwhile. */
  const inTurn = createSerialQueue()
  const placeOf = (name: string) => `${name} of the cell ${cell}`
  /** The fields of a row are part of what is sealed: one that was renamed, or moved from another cell, does not open. */
  const aboutOf = (name: string, keyId: string) => JSON.stringify([cell, name, keyId])
  const write = (name: string, bytes: Uint8Array) =>
    rows.write({ name, keyId: newest.id, bytes: sealBytes(bytes, newest.key, aboutOf(name, newest.id)) })

  function open({ name, keyId, bytes }: SealedRow): Buffer {
    const sealing = keys.find(({ id }) => id === keyId)
    if (!sealing)
      throw new Failure('AUTH_FAILED', `${placeOf(name)} was sealed with the key ${keyId}, which is not in the file of sealing keys.`, {
        hint: 'Add the key that was used before to the file, below the newest one.',
      })
    const opened = openBytes(bytes, sealing.key, aboutOf(name, keyId))
    if (!opened)
      throw new Failure('AUTH_FAILED', `${placeOf(name)} was changed outside of this program.`, {
        hint: 'Restore the database from a backup.',
      })
    return opened
  }

  return {
    placeOf,
    async read(name) {
      const row = await rows.read(name)
      // The name of the request, not that of the row.
      return row && open({ ...row, name })
    },
    write: (name, bytes) => inTurn(() => write(name, typeof bytes === 'string' ? Buffer.from(bytes) : bytes)),
    list: async (prefix) => [...(await rows.list(prefix))].sort(),
    remove: (name) => inTurn(() => rows.remove(name)),
    async reseal() {
      let count = 0
      for (const name of await rows.list(''))
        await inTurn(async () => {
          const row = await rows.read(name)
          if (!row || row.keyId === newest.id) return
          await write(name, open({ ...row, name }))
          count++
        })
      return count
    },
  }
}
