// The recording and the portrait of a voice, as clients read and replace them.
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import type { Bus } from '#control-plane/events/bus.ts'
import type { WatermarkApi } from '#control-plane/features/base/watermark/api.ts'
import { type Ranged, rangedBytes } from '#control-plane/http/contract/respond.ts'
import { bareName, type Upload } from '#control-plane/http/input/form.ts'
import { REFERENCE } from '#control-plane/media/recording.ts'
import type { LocalArtifacts } from '#control-plane/store/artifact.ts'
import { planWav } from '#shared/audio/wav.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { type Blobs, MAX_BYTES } from '../files/blobs.ts'
import type { Portraits } from '../files/portrait.ts'
import type { ProfileStore } from '../store/profile.store.ts'
import type { StoredProfile } from '../store/profile.ts'
import { refuseRecording, tooLarge, unknownProfile } from '../store/profiles.service.ts'
import { extensionOf, publicRow } from '../store/public-row.ts'
import type { Samples } from '../store/samples.ts'
import type { Withdrawal } from '../withdraw.ts'

type Deps = {
  readonly store: ProfileStore
  readonly blobs: Blobs
  readonly artifacts: Pick<LocalArtifacts, 'pathOf'>
  readonly marked: WatermarkApi['marked']
  readonly samples: Samples
  readonly portraits: Portraits
  readonly bus: Pick<Bus, 'publish'>
  readonly clock: Pick<Clock, 'now'>
  /** Called after the recording of a profile was replaced. */
  readonly replaced: (profile: StoredProfile) => void
  readonly withdrawal: Pick<Withdrawal, 'gone'>
}
const MISSING = 'Audio file missing'

const AUDIO = ['.wav', '.mp3', '.m4a', '.aac', '.flac', '.ogg', '.oga', '.opus', '.wma', '.aif', '.aiff', '.webm', '.mp4']

export function createSounds({ store, blobs, artifacts, marked, samples, portraits, bus, clock, replaced, withdrawal }: Deps) {
  function known(id: string): StoredProfile {
    const profile = store.find(id)
    if (!profile) throw unknownProfile()
    return profile
  }
  async function fileOf(digest: string, missing: string): Promise<Ranged> {
    const path = artifacts.pathOf(digest)
    const found = await stat(path).catch(() => null)
    if (!found) throw new Failure('NOT_FOUND', missing)
    return { size: found.size, read: (start, end) => createReadStream(path, { start, end }) }
  }

  /** The sample with the mark of the studio. The stored recording has none, because engines partly repeat the mark of a reference. */
  async function synthetic(digest: string, signal: AbortSignal): Promise<Ranged> {
    const wav = await readFile(artifacts.pathOf(digest)).catch(() => {
      throw new Failure('NOT_FOUND', MISSING)
    })
    const { start, end } = planWav(wav, wav.length)
    return rangedBytes(await marked(wav.subarray(start, end), REFERENCE.sampleRate, digest, signal))
  }

  const recordingOf = ({ refDigest, madeWith }: Pick<StoredProfile, 'refDigest' | 'madeWith'>, signal: AbortSignal): Promise<Ranged> =>
    madeWith === null ? fileOf(refDigest!, MISSING) : synthetic(refDigest!, signal)

  return {
    /** The locked take, else the recording. Throws NOT_FOUND, and what `Samples.ensure` throws for a design without a sample. */
    async audio(id: string, signal: AbortSignal): Promise<Ranged> {
      const profile = known(id)
      if (profile.lockedDigest !== null) return synthetic(profile.lockedDigest, signal)
      return recordingOf(await samples.ensure(id, signal), signal)
    },
    /** A sound by the name that the row of its voice has for it. Throws NOT_FOUND. */
    async clip(name: string, signal: AbortSignal): Promise<Ranged> {
      const profile = store.find(name.split(/[_.]/, 1)[0]!)
      const row = profile && publicRow(profile, null)
      if (profile && name === row?.locked_audio_path) return synthetic(profile.lockedDigest!, signal)
      if (profile && name === row?.ref_audio_path) return recordingOf(profile, signal)
      throw new Failure('NOT_FOUND', 'This audio file does not exist.')
    },
    /**
     * Throws NOT_FOUND, CONFLICT for a design, BODY_TOO_LARGE, MEDIA_TYPE_UNSUPPORTED by the extension, INVALID_REQUEST for an unreadable
     * recording, STORAGE_FULL.
     */
    async replace(id: string, upload: Upload, text: string, signal: AbortSignal): Promise<void> {
      if (known(id).kind === 'design')
        throw new Failure('CONFLICT', 'A designed voice has no recording to replace. Change its description.')
      if (upload.size > MAX_BYTES) throw tooLarge()
      const name = bareName(upload.filename)
      // A name without an extension is judged by its bytes.
      if (name.includes('.') && !AUDIO.includes(extensionOf(name)))
        throw new Failure('MEDIA_TYPE_UNSUPPORTED', `Send a recording of one of these types: ${AUDIO.join(', ')}.`)
      const { blob, quality } = await blobs.keepCanonical(upload.path, signal).catch(refuseRecording)
      const original = await blobs.keepFile(upload.path)
      const reference = {
        ref: blob,
        original,
        name,
        text,
        quality: text === '' ? { ...quality, transcript: 'pending' as const } : quality,
        madeWith: null,
      }
      const before = known(id) // another request may have replaced or locked it meanwhile
      if (!store.replaceReference(id, reference, clock.now())) throw unknownProfile()
      bus.publish({ kind: 'profiles', action: 'updated', id })
      replaced(known(id))
      await withdrawal.gone([before.refDigest, before.lockedDigest])
    },
    /** Throws NOT_FOUND without a portrait. */
    async image(id: string): Promise<Ranged> {
      const { imageDigest } = known(id)
      if (imageDigest === null) throw new Failure('NOT_FOUND', 'No image available')
      return fileOf(imageDigest, 'Image file missing')
    },
    /** Throws NOT_FOUND and what `Portraits.toJpeg` throws. */
    async replaceImage(id: string, upload: Upload, signal: AbortSignal): Promise<void> {
      known(id)
      const { digest } = await blobs.keepBytes(await portraits.toJpeg(upload, signal))
      if (!store.setImage(id, digest, clock.now())) throw unknownProfile()
      bus.publish({ kind: 'profiles', action: 'updated', id })
    },
  }
}
