// Locks a voice to a take: from then on every engine follows the take and its exact words instead of the recording.
import { open, rm, writeFile } from 'node:fs/promises'
import type { Bus } from '#control-plane/events/bus.ts'
import type { LibraryApi } from '#control-plane/features/base/library/api.ts'
import type { RecognitionApi } from '#control-plane/features/listening/recognition/api.ts'
import type { Inference } from '#control-plane/inference/run.ts'
import { fromS16, toS16 } from '#shared/audio/pcm.ts'
import { parseWav, wavHeader } from '#shared/audio/wav.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { fileIn } from '#shared/runtime/file.ts'
import type { Random } from '#shared/runtime/random.ts'
import type { Blobs } from '../files/blobs.ts'
import type { ProfileStore } from '../store/profile.store.ts'
import type { LockedSource } from '../store/profile.ts'
import { unknownProfile } from '../store/profiles.service.ts'
import { lockedName } from '../store/public-row.ts'
import { type ChunkCut, cutAtChunks, joinRanges, lengthToPause, MAX_SECONDS } from './take-cut.ts'

type Deps = {
  readonly store: ProfileStore
  readonly blobs: Pick<Blobs, 'keepCanonical'>
  readonly history: Pick<LibraryApi['history'], 'soundOf'>
  readonly inference: Pick<Inference, 'resume'>
  readonly recognition: Pick<RecognitionApi, 'transcribe'>
  readonly audioFolder: string
  readonly workFolder: string
  readonly bus: Pick<Bus, 'publish'>
  readonly clock: Pick<Clock, 'now'>
  readonly random: Pick<Random, 'hex'>
}
type Sound = { readonly samples: Float32Array; readonly rate: number }
/** `text`: null if the words must be recognised. */
type Cut = Sound & { readonly text: string | null; readonly source: LockedSource }
const HEADER_BYTES = 44
/** Hz. */
const HIGHEST_RATE = 48_000

export function createLocks(deps: Deps) {
  const { store, blobs, history, inference, recognition, audioFolder, workFolder, bus, clock, random } = deps

  /** The output of the engine, unmastered and unmarked; null if it was deleted, which happens after a week. */
  async function outputOf({ taskId, ofOutput, sampleRate }: ChunkCut, signal: AbortSignal): Promise<Sound | null> {
    if (taskId === null) return null
    const needed = 2 * ofOutput.at(-1)!.to
    try {
      const run = await inference.resume('tts', taskId, signal)
      if (!run) return null
      const pieces: Buffer[] = []
      let size = 0
      for await (const { bytes } of run.output()) {
        pieces.push(bytes)
        size += bytes.length
        if (size >= needed) break
      }
      if (size < needed) return null
      return { samples: joinRanges(fromS16(Buffer.concat(pieces)), ofOutput, sampleRate), rate: sampleRate }
    } catch {
      signal.throwIfAborted()
      return null
    }
  }

  /** The start of the file. */
  async function fileOf(name: string): Promise<Sound> {
    const file = await open(fileIn(audioFolder, name), 'r').catch(() => {
      throw new Failure('NOT_FOUND', 'Audio file missing')
    })
    try {
      const bytes = Buffer.alloc(HEADER_BYTES + 2 * HIGHEST_RATE * (2 * MAX_SECONDS))
      const { bytesRead } = await file.read(bytes, 0, bytes.length, 0)
      const { samples, sampleRate } = parseWav(bytes.subarray(0, bytesRead))
      return { samples, rate: sampleRate }
    } finally {
      await file.close()
    }
  }

  async function cutOf(historyId: string, signal: AbortSignal): Promise<Cut> {
    const take = history.soundOf(historyId)
    if (!take) throw new Failure('NOT_FOUND', 'History item not found')
    if (take.audio_path === '') throw new Failure('NOT_FOUND', 'No audio available')
    const file = await fileOf(take.audio_path)
    const chunks = cutAtChunks(take.chunks)
    if (!chunks) {
      const { samples, rate } = file
      return { ...file, samples: joinRanges(samples, [{ from: 0, to: lengthToPause(samples, rate) }], rate), text: null, source: 'take' }
    }
    const output = await outputOf(chunks, signal)
    if (output) return { ...output, text: chunks.text, source: 'engine' }
    return { ...file, samples: joinRanges(file.samples, [chunks.ofFile], file.rate), text: chunks.text, source: 'take' }
  }

  return {
    /** Throws NOT_FOUND for the profile, the take and its file; BAD_REQUEST for a take of less than half a second; STORAGE_FULL. */
    async lock(id: string, historyId: string, seed: number | null, signal: AbortSignal) {
      if (!store.find(id)) throw unknownProfile()
      const { samples, rate, text: known, source } = await cutOf(historyId, signal)
      const path = fileIn(workFolder, `${random.hex(8)}.wav`)
      try {
        const header = wavHeader({ sampleRate: rate, channels: 1, samples: samples.length })
        await writeFile(path, Buffer.concat([header, toS16(samples)]), { mode: 0o600 })
        const { blob } = await blobs.keepCanonical(path, signal)
        const text = known ?? (await recognised(path, blob.bytes, signal))
        if (!store.lock(id, { ...blob, text, seed, source }, clock.now())) throw unknownProfile()
      } finally {
        await rm(path, { force: true })
      }
      bus.publish({ kind: 'profiles', action: 'locked', id })
      return { locked: true as const, profile_id: id, locked_audio_path: lockedName(id) }
    },
    /** Throws NOT_FOUND. Unlocking an unlocked voice is not an error. */
    unlock(id: string) {
      const profile = store.find(id)
      if (!profile || !store.unlock(id, clock.now())) throw unknownProfile()
      if (profile.lockedDigest !== null) bus.publish({ kind: 'profiles', action: 'unlocked', id })
      return { unlocked: true as const, profile_id: id }
    },
  }

  /** Null without words, or without a recogniser that can be relied on. */
  async function recognised(path: string, size: number, signal: AbortSignal): Promise<string | null> {
    try {
      const { text, isGuess } = await recognition.transcribe({ filename: 'take.wav', path, size }, { signal, traceparent: '' })
      return isGuess ? null : text || null
    } catch {
      signal.throwIfAborted()
      return null
    }
  }
}
