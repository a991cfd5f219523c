// The file of a rendered segment: a header with the digest of the samples, then s16le mono. A file appears whole and durable or not at all.
import { createHash } from 'node:crypto'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { syncPath } from '#shared/runtime/file.ts'

export type SegmentSound = { /** Hz. */ readonly sampleRate: number /** s16le mono. */; readonly pcm: Buffer }

/** Names of files that are being written. */
export const UNFINISHED = /\.new$/
const MAGIC = Buffer.from('VSSEG001')
const DIGEST_BYTES = 32
const HEADER_BYTES = MAGIC.length + 8 + DIGEST_BYTES
const digestOf = (pcm: Uint8Array): Buffer => createHash('sha256').update(pcm).digest()

export const fileBytes = (samples: number): number => HEADER_BYTES + 2 * samples

function headerOf({ sampleRate, pcm }: SegmentSound): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  MAGIC.copy(header)
  header.writeUInt32LE(sampleRate, MAGIC.length)
  header.writeUInt32LE(pcm.length / 2, MAGIC.length + 4)
  digestOf(pcm).copy(header, MAGIC.length + 8)
  return header
}

/** Durable when it resolves. Rejects with the error of the disk; then no file is left. `name`: unique among the writes in progress. */
export async function writeSegment(path: string, name: string, sound: SegmentSound): Promise<void> {
  const folder = dirname(path)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const temporary = `${path}.${name}.new`
  try {
    const file = await open(temporary, 'w', 0o600)
    try {
      // Not writev, which writes a part and reports no error when the disk becomes full.
      await file.writeFile(headerOf(sound))
      await file.writeFile(sound.pcm)
      await file.datasync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  await syncPath(folder)
}

/** Errors that do not show that the file is lost. */
const PASSING = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'EACCES'])

/** Null if the file is missing or differs from its header. Throws the error of a system without descriptors or memory. */
export async function readSegment(path: string): Promise<SegmentSound | null> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (PASSING.has(error.code ?? '')) throw error
    return null
  })
  if (!bytes || bytes.length < HEADER_BYTES || !bytes.subarray(0, MAGIC.length).equals(MAGIC)) return null
  const pcm = bytes.subarray(HEADER_BYTES)
  const isWhole = pcm.length === 2 * bytes.readUInt32LE(MAGIC.length + 4)
  if (!isWhole || !digestOf(pcm).equals(bytes.subarray(MAGIC.length + 8, HEADER_BYTES))) return null
  return { sampleRate: bytes.readUInt32LE(MAGIC.length), pcm }
}
