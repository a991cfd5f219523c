// Turns a file into the two artifacts of a clip: the file as it arrived and its canonical recording.
import { createHash } from 'node:crypto'
import { open, stat } from 'node:fs/promises'
import type { Intake } from '#control-plane/media/intake.ts'
import { REFERENCE } from '#control-plane/media/recording.ts'
import type { ArtifactSource, Artifacts } from '#control-plane/store/artifact.ts'
import { digestOfFile } from '#control-plane/store/files/file-digest.ts'
import type { StorageRoom } from '#control-plane/store/files/storage-room.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { playableType, TYPE_BYTES } from './gallery.rules.ts'
import type { StoredClip } from './gallery.store.ts'

export const ORIGINAL_BYTES = 128 * 1024 * 1024
export type ClipRecording = Pick<
  StoredClip,
  'audio_digest' | 'audio_bytes' | 'original_digest' | 'original_bytes' | 'original_type' | 'duration'
>
type Deps = { readonly intake: Pick<Intake, 'read'>; readonly artifacts: Pick<Artifacts, 'keep' | 'renew'>; readonly room: StorageRoom }

/** Throws BODY_TOO_LARGE, BAD_REQUEST for what is no recording of 0.5 to 60 seconds, STORAGE_FULL, and the reason of the signal. Moves the file. */
export async function keepRecording({ intake, artifacts, room }: Deps, path: string, signal: AbortSignal): Promise<ClipRecording> {
  const { size } = await stat(path)
  if (size > ORIGINAL_BYTES)
    throw new Failure('BODY_TOO_LARGE', `The recording is larger than ${ORIGINAL_BYTES / 1024 ** 2} MiB. Send a shorter part of it.`)
  const { wav, seconds } = await intake.read(path, signal, REFERENCE)
  const [original, type] = [await digestOfFile(path, signal), playableType(await firstBytes(path))]
  const audio = createHash('sha256').update(wav).digest('hex')
  const keep = async (digest: string, bytes: number, source: ArtifactSource) => {
    if (await artifacts.renew(digest, bytes)) return
    await room.take(bytes)
    await artifacts.keep(digest, source).catch((cause: unknown) => {
      throw new Failure('STORAGE_FULL', 'The recording could not be written to the disk of the studio.', { cause })
    })
  }
  await keep(audio, wav.length, { chunks: [wav] })
  await keep(original, size, { file: path })
  return {
    audio_digest: audio,
    audio_bytes: wav.length,
    original_digest: original,
    original_bytes: size,
    original_type: type,
    duration: Math.round(seconds * 1000) / 1000,
  }
}

async function firstBytes(path: string): Promise<Uint8Array> {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(TYPE_BYTES), 0, TYPE_BYTES, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
