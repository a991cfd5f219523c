// Long sound as files of 60 seconds in a folder, so that any range of ten hours is read without the rest. A folder is complete when its
// index is there; it gets its name only then.
import { createHash } from 'node:crypto'
import { mkdir, open, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { Failure } from '#shared/protocol/failure.ts'
import { syncPath } from '#shared/runtime/file.ts'
import { bytesPassed } from '#shared/runtime/memory/collect-garbage.ts'

export const SOUND_BLOCK_SECONDS = 60
const INDEX = 'index.json'
const SAMPLE_BYTES = { s16: 2, f32: 4 } as const
/** Length of one read, a part of a block: whole blocks of several sounds would take a hundred megabytes. */
const PART_SECONDS = 5
const KEPT_PARTS = 2

export type SoundFormat = {
  readonly sampleRate: number
  readonly channels: 1 | 2
  readonly encoding: 's16' | 'f32'
}
export type SoundShape = SoundFormat & {
  /** Frames: samples of one channel. */
  readonly samples: number
  /** SHA-256 of the shape and the digests of all blocks: equal sound has equal digests. */
  readonly digest: string
}
/** A block of 60 seconds: the SHA-256 of its bytes, and whether it is silent and has no file. */
export type SoundBlock = { readonly digest: string; readonly isSilent: boolean }
export type SoundWriter = {
  /** Interleaved bytes in pieces of whole frames. The bytes are copied or written before this resolves. */
  readonly write: (bytes: Uint8Array) => Promise<void>
  readonly writeSilence: (frames: number) => Promise<void>
  readonly written: () => number
  /** The complete blocks. */
  readonly blocks: () => readonly SoundBlock[]
  /** Writes the index. The folder is complete afterwards. */
  readonly seal: () => Promise<SoundShape>
  /** Closes the current file; the incomplete folder stays for its owner to remove. Can be called repeatedly. */
  readonly close: () => Promise<void>
}
export type SoundReader = SoundShape & {
  /** Interleaved bytes of the frames from `from`; silence before the start and after the end. Others may read the same bytes: do not change them. */
  readonly read: (from: number, frames: number) => Promise<Buffer>
}

const Index = z.strictObject({
  version: z.literal(1),
  sampleRate: z.number().int().min(1000).max(384_000),
  channels: z.union([z.literal(1), z.literal(2)]),
  encoding: z.enum(['s16', 'f32']),
  samples: z
    .number()
    .int()
    .min(0)
    .max(2 ** 44),
  digest: z.string().regex(/^[0-9a-f]{64}$/),
  /** Blocks without a file, which are silent. */
  silent: z.array(z.number().int().min(0)).max(1_000_000),
})

const sha256 = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
export const frameBytes = ({ channels, encoding }: Pick<SoundFormat, 'channels' | 'encoding'>): number => channels * SAMPLE_BYTES[encoding]
export const blockName = (block: number): string => `${String(block).padStart(6, '0')}.raw`
/** The names of the files, in order. Throws RangeError for sound with blocks that have no file. */
export async function blockNames(folder: string): Promise<string[]> {
  const { samples, sampleRate, silent } = await readIndex(folder)
  if (silent.length > 0) throw new RangeError('this sound has silent blocks without files')
  return Array.from({ length: Math.ceil(samples / (SOUND_BLOCK_SECONDS * sampleRate)) }, (_, block) => blockName(block))
}

type BlocksOptions = {
  /** Blocks that are silent have no file. */
  readonly sparse?: boolean
  /** Blocks that are in the folder already, by number: what is written there is not looked at. */
  readonly ready?: ReadonlyMap<number, SoundBlock>
}
/** Writes sound to a new folder. Throws the errors of the disk. */
export async function writeBlocks(
  folder: string,
  format: SoundFormat,
  { sparse = false, ready = new Map() }: BlocksOptions = {},
): Promise<SoundWriter> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const frame = frameBytes(format)
  const blockBytes = SOUND_BLOCK_SECONDS * format.sampleRate * frame
  const blocks: SoundBlock[] = []
  const block = Buffer.alloc(blockBytes)
  /** Digest of a whole silent block: tracks of hours are silent for most of their minutes. */
  let silence: string | null = null
  let [filled, frames] = [0, 0]
  let isSilent = true
  let isClosed = false

  async function store(): Promise<void> {
    if (isClosed) throw new Error('this sound is closed')
    blocks.push(ready.get(blocks.length) ?? (await newBlock(block.subarray(0, filled))))
    filled = 0
    isSilent = true
  }
  async function newBlock(bytes: Buffer): Promise<SoundBlock> {
    if (sparse && isSilent) {
      if (bytes.length < blockBytes) return { digest: sha256(bytes), isSilent }
      silence ??= sha256(bytes)
      return { digest: silence, isSilent }
    }
    await writeFile(join(folder, blockName(blocks.length)), bytes, { mode: 0o600, flush: true })
    return { digest: sha256(bytes), isSilent: false }
  }
  async function take(length: number, fill: (to: number, at: number, bytes: number) => void): Promise<void> {
    if (length % frame !== 0) throw new RangeError('sound is written in whole frames')
    for (let at = 0; at < length; ) {
      const bytes = Math.min(blockBytes - filled, length - at)
      if (!ready.has(blocks.length)) fill(filled, at, bytes)
      filled += bytes
      at += bytes
      if (filled === blockBytes) await store()
    }
    frames += length / frame
    bytesPassed(length)
  }
  return {
    written: () => frames,
    blocks: () => blocks,
    write: (bytes) =>
      take(bytes.length, (to, at, count) => {
        const piece = bytes.subarray(at, at + count)
        block.set(piece, to)
        if (sparse && isSilent) isSilent = piece.every((byte) => byte === 0)
      }),
    writeSilence: (count) => take(count * frame, (to, _, bytes) => void block.fill(0, to, to + bytes)),
    async seal() {
      if (filled > 0) await store()
      const { sampleRate, channels, encoding } = format
      const digest = sha256([`${sampleRate} ${channels} ${encoding}`, ...blocks.map((each) => each.digest)].join('\n'))
      const shape: SoundShape = { sampleRate, channels, encoding, samples: frames, digest }
      const silent = [...blocks.entries()].flatMap(([number, each]) => (each.isSilent ? [number] : []))
      const index: z.infer<typeof Index> = { version: 1, ...shape, silent }
      const temporary = join(folder, `${INDEX}.new`)
      await writeFile(temporary, JSON.stringify(index), { mode: 0o600, flush: true })
      await rename(temporary, join(folder, INDEX))
      await syncPath(folder)
      isClosed = true
      return shape
    },
    close: async () => {
      isClosed = true
    },
  }
}

async function readIndex(folder: string): Promise<z.infer<typeof Index>> {
  const text = await readFile(join(folder, INDEX), 'utf8').catch((cause: unknown) => {
    throw new Failure('INPUT_UNAVAILABLE', 'The sound of the film was deleted.', { cause })
  })
  const parsed = Index.safeParse(JSON.parse(text))
  if (!parsed.success) throw new Failure('INPUT_CORRUPT', 'The sound of the film is damaged.')
  return parsed.data
}

/** Throws INPUT_UNAVAILABLE for sound that is not complete or not there, INPUT_CORRUPT for damaged files. The last parts stay in memory. */
export async function openBlocks(folder: string): Promise<SoundReader> {
  const { silent, version: _, ...shape } = await readIndex(folder)
  const frame = frameBytes(shape)
  const blockFrames = SOUND_BLOCK_SECONDS * shape.sampleRate
  const partFrames = PART_SECONDS * shape.sampleRate
  const withoutFile = new Set(silent)
  const kept = new Map<number, Buffer | null>()

  /** Null for silence. */
  async function load(part: number): Promise<Buffer | null> {
    const known = kept.get(part)
    if (known !== undefined) return known
    const from = part * partFrames
    const block = Math.floor(from / blockFrames)
    const path = join(folder, blockName(block))
    const size = Math.min(blockFrames, shape.samples - block * blockFrames) * frame
    const bytes = withoutFile.has(block) ? null : await readPart(path, size, (from - block * blockFrames) * frame, partFrames * frame)
    kept.set(part, bytes)
    if (kept.size > KEPT_PARTS) kept.delete(kept.keys().next().value!)
    return bytes
  }
  return {
    ...shape,
    async read(from, frames) {
      bytesPassed(frames * frame)
      const first = Math.floor(from / partFrames)
      // Without a copy, because large buffers cost collections of garbage.
      if (from >= 0 && from + frames <= Math.min(shape.samples, (first + 1) * partFrames)) {
        const bytes = await load(first)
        if (bytes) return bytes.subarray((from - first * partFrames) * frame, (from + frames - first * partFrames) * frame)
      }
      const out = Buffer.alloc(frames * frame)
      const end = Math.min(from + frames, shape.samples)
      for (let at = Math.max(0, from); at < end; ) {
        const part = Math.floor(at / partFrames)
        const upTo = Math.min(end, (part + 1) * partFrames)
        const bytes = await load(part)
        bytes?.copy(out, (at - from) * frame, (at - part * partFrames) * frame, (upTo - part * partFrames) * frame)
        at = upTo
      }
      return out
    },
  }
}

/** Up to `length` bytes of a file that must have `size` bytes. */
async function readPart(path: string, size: number, from: number, length: number): Promise<Buffer> {
  const file = await open(path, 'r').catch((cause: unknown) => {
    throw new Failure('INPUT_UNAVAILABLE', 'A part of the sound of the film was deleted.', { cause })
  })
  try {
    const damaged = () => new Failure('INPUT_CORRUPT', 'The sound of the film is damaged.')
    if ((await file.stat()).size !== size) throw damaged()
    const bytes = Buffer.allocUnsafeSlow(Math.min(length, size - from))
    for (let done = 0; done < bytes.length; ) {
      const { bytesRead } = await file.read(bytes, done, bytes.length - done, from + done)
      if (bytesRead === 0) throw damaged()
      done += bytesRead
    }
    return bytes
  } finally {
    await file.close()
  }
}
