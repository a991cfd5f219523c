// The steps of the preparation that read the film: what it contains, its sound, a still picture and its cuts.
import { rm } from 'node:fs/promises'
import { z } from 'zod'
import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'
import { type DubSound, secondsOf } from '#control-plane/features/dubbing/store/dub.ts'
import { type StepContext, type StepOutput, stepOutput } from '#control-plane/jobs/job-type.ts'
import { LONGEST_FILM_SECONDS } from '#control-plane/media/film/film.ts'
import type { FilmProbe } from '#control-plane/media/film/probe/probe.rules.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { faultOf, lengthRemark, type SoundLengths, scenesKey, soundKeys, thumbKey, warningFrame } from './prep.rules.ts'
import type { Extracted, PrepWarning } from './prep-events.schema.ts'
import { dubOrGone, type PrepParams } from './prep-params.ts'

/** `decodedUs`: without the silence under a picture that is longer. It and the end of the picture are absent in files of earlier versions. */
const SoundDetail = z.object({ durationUs: z.int(), decodedUs: z.int().optional(), pictureUs: z.int().nullish() })
export const SceneDetail = z.object({ cuts: z.array(z.int()) })
/** Bytes of a second of sound in both rates. */
const SOUND_BYTES = 192_000 + 32_000

export const FoundScenes = z.object({ count: z.int() })
type FoundScenes = z.output<typeof FoundScenes>

type ExtractedSound = DubSound & SoundLengths
export type FilmSteps = ReturnType<typeof createFilmSteps>

export function createFilmSteps({ store, files, film, disk, dub, saved }: DubCore) {
  /** The sound of a film under these keys, extracted unless it is there. Throws as `FilmMedia.extract`. */
  async function obtainSound(
    { sound, speech }: ReturnType<typeof soundKeys>,
    { dubId, run, source, probe }: { readonly dubId: string; readonly run: string; readonly source: string; readonly probe: FilmProbe },
    signal: AbortSignal,
    progress: (us: number) => void = () => {},
  ): Promise<ExtractedSound> {
    if (!(await files.find(speech))) await files.remove([sound])
    const file = await files.obtain(
      sound,
      { kind: 'sound', maker: run },
      dubId,
      async (path, stopping) => {
        await disk.require(Math.min(LONGEST_FILM_SECONDS, secondsOf(probe.durationUs ?? 0)) * SOUND_BYTES, 'sound of the film')
        const to = { sound: path, speech: files.pathOf(speech) }
        await files.remove([speech])
        await rm(to.speech, { recursive: true, force: true })
        const { durationUs, decodedUs, pictureUs } = await film.extract(files.pathOf(source), probe, null, to, stopping, progress)
        const detail = JSON.stringify({ durationUs, decodedUs, pictureUs } satisfies z.output<typeof SoundDetail>)
        await files.adopt(speech, { kind: 'speech', maker: run, detail }, dubId)
        return detail
      },
      signal,
    )
    files.use(dubId, speech)
    return { ...SoundDetail.parse(JSON.parse(file.detail)), sound, speech }
  }

  return {
    /** Makes the sound of a dub again if it was evicted. Throws NOT_FOUND, and as `FilmMedia.extract`. */
    async requireSound(dubId: string, signal: AbortSignal): Promise<void> {
      const { probe, sourceDigest: source, sound } = dub(dubId)
      if (!probe) throw new Failure('NOT_FOUND', 'The sound of this dub is not extracted yet.')
      try {
        // A dub of an earlier version keeps its keys: its lines and tracks are made from that sound.
        await obtainSound(sound ?? soundKeys(source, probe), { dubId, run: dubId, source, probe }, signal)
      } catch (cause) {
        signal.throwIfAborted()
        if (await files.find(source)) throw cause
        throw new Failure('NOT_FOUND', 'The sound of this dub and its film were deleted. Upload the film again.', { cause })
      }
    },

    async probe({ dub: id, source }: PrepParams, { signal }: StepContext): Promise<StepOutput<null>> {
      const probe = await film.probe(files.pathOf(source), signal)
      if (probe.audio.length === 0) throw new Failure('BAD_REQUEST', 'There is no sound in the file, so there is nothing to dub.')
      store.dubs.change(id, { probe })
      return stepOutput(null)
    },

    async extract({ dub, run, source, filename }: PrepParams, context: StepContext<PrepWarning>): Promise<StepOutput<Extracted>> {
      const probe = probeOf(dub)
      const whole = probe.durationUs
      const progress = (us: number) => context.report({ fraction: whole ? Math.min(1, us / whole) : null, secondsLeft: null, frame: null })
      const sound = await obtainSound(soundKeys(source, probe), { dubId: dub, run, source, probe }, context.signal, progress)
      if (sound.durationUs === 0) throw new Failure('BAD_REQUEST', 'There is no sound in the file, so there is nothing to dub.')
      store.dubs.change(dub, { sound })
      saved(dub)
      const remark = lengthRemark(sound, whole)
      if (remark !== null) await context.emit(warningFrame(faultOf('BAD_REQUEST', remark), 'extract'))
      const stream = probe.audio[probe.defaultAudio ?? 0]
      return stepOutput({
        job_id: dub,
        duration: secondsOf(sound.durationUs),
        filename,
        // Several streams: which of them is dubbed.
        ...(probe.audio.length > 1 &&
          stream && { audio_stream: { position: stream.position, language: stream.language, title: stream.title } }),
      })
    },

    async thumb({ dub, run, source }: PrepParams, context: StepContext<PrepWarning>): Promise<StepOutput<null>> {
      const probe = probeOf(dub)
      const key = thumbKey(source)
      try {
        let isMade = true
        await files.obtain(
          key,
          { kind: 'thumb', maker: run },
          dub,
          async (path, signal) => {
            isMade = await film.thumb(files.pathOf(source), probe, path, signal)
            if (!isMade) throw new Failure('NOT_FOUND', 'The film has no picture.')
            return '{}'
          },
          context.signal,
        )
        store.dubs.change(dub, { thumb: key })
      } catch (error) {
        context.signal.throwIfAborted()
        const { code, message } = Failure.from(error)
        if (code !== 'NOT_FOUND') await context.emit(warningFrame({ code, message }, 'thumbnail'))
      }
      return stepOutput(null)
    },

    async scenes({ dub, run, source, inputType }: PrepParams, context: StepContext<PrepWarning>): Promise<StepOutput<FoundScenes>> {
      const probe = probeOf(dub)
      const key = scenesKey(source, inputType)
      try {
        const known = await files.find(key)
        const whole = probe.durationUs
        const progress = (us: number) =>
          context.report({ fraction: whole ? Math.min(1, us / whole) : null, secondsLeft: null, frame: null })
        const cuts = known
          ? SceneDetail.parse(JSON.parse(known.detail)).cuts
          : inputType === 'audio'
            ? []
            : await film.scenes(files.pathOf(source), probe, context.signal, progress)
        if (known) files.use(dub, key)
        else files.note(key, { kind: 'scenes', maker: run, detail: JSON.stringify({ cuts }) }, dub)
        store.dubs.changeOptions(dub, { scene_cuts: cuts })
        return stepOutput({ count: cuts.length })
      } catch (error) {
        context.signal.throwIfAborted()
        const { code, message } = Failure.from(error)
        await context.emit(warningFrame({ code, message }, 'scene'))
        return stepOutput({ count: 0 })
      }
    },
  }

  function probeOf(dubId: string): FilmProbe {
    const { probe } = dubOrGone({ store }, dubId)
    if (!probe) throw new Failure('UNKNOWN', 'The film was not read.')
    return probe
  }
}
