// Recordings and pictures of voices in the artifact folder. A file is durable under its digest before a row names it.
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { copyFile, rm, stat } from 'node:fs/promises'
import type { Intake } from '#control-plane/media/intake.ts'
import { REFERENCE } from '#control-plane/media/recording.ts'
import type { Artifacts } from '#control-plane/store/artifact.ts'
import { digestOfFile } from '#control-plane/store/files/file-digest.ts'
import type { StorageRoom } from '#control-plane/store/files/storage-room.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { fileIn } from '#shared/runtime/file.ts'
import type { Random } from '#shared/runtime/random.ts'
import type { VoiceBlob } from '../store/profile.ts'
import { measuredQuality } from './measure.ts'
import type { Quality } from './quality.ts'

/** Limit for an uploaded recording. */
export const MAX_BYTES = 128 * 1024 * 1024

/** A recording as engines receive it: mono, 24 kHz, 16 bit. */
export type Canonical = { readonly blob: VoiceBlob; readonly wav: Buffer; readonly seconds: number; readonly quality: Quality }
type Deps = {
  readonly artifacts: Pick<Artifacts, 'keep' | 'renew'>
  readonly intake: Pick<Intake, 'read'>
  readonly room: StorageRoom
  /** Private folder on the disk of the artifacts. */
  readonly workFolder: string
  readonly random: Pick<Random, 'hex'>
}
export type Blobs = ReturnType<typeof createBlobs>

/** Every function throws STORAGE_FULL when the disk is full, or the recordings use the space that they may use. */
export function createBlobs({ artifacts, intake, room, workFolder, random }: Deps) {
  async function keepBytes(bytes: Buffer): Promise<VoiceBlob> {
    const digest = createHash('sha256').update(bytes).digest('hex')
    if (await artifacts.renew(digest, bytes.length)) return { digest, bytes: bytes.length }
    await room.take(bytes.length)
    await stored(artifacts.keep(digest, { chunks: [bytes] }))
    return { digest, bytes: bytes.length }
  }

  return {
    keepBytes,
    /** Stores a copy of the file. Throws BODY_TOO_LARGE for more than 128 MiB. */
    async keepFile(path: string): Promise<VoiceBlob> {
      const { size } = await stat(path)
      if (size > MAX_BYTES) throw new Failure('BODY_TOO_LARGE', `The recording is larger than ${MAX_BYTES / 1024 ** 2} MiB.`)
      const digest = await digestOfFile(path)
      if (await artifacts.renew(digest, size)) return { digest, bytes: size }
      await room.take(size)
      const copy = fileIn(workFolder, random.hex(8))
      try {
        await stored(copyFile(path, copy, constants.COPYFILE_FICLONE).then(() => artifacts.keep(digest, { file: copy })))
      } finally {
        await rm(copy, { force: true })
      }
      return { digest, bytes: size }
    },
    /** Converts and stores a recording. Throws BAD_REQUEST for an unreadable one, and the reason of the signal. */
    async keepCanonical(path: string, signal: AbortSignal): Promise<Canonical> {
      const { wav, seconds } = await intake.read(path, signal, REFERENCE)
      return { blob: await keepBytes(wav), wav, seconds, quality: await measuredQuality(wav) }
    },
  }
}

const stored = <T>(write: Promise<T>): Promise<T> =>
  write.catch((cause: unknown) => {
    throw new Failure('STORAGE_FULL', `The recording could not be stored: ${(cause as Error).message}.`, { cause })
  })
