// The steps of the preparation that isolate the voice, one minute at a time: a crash repeats one minute.
import { readFile, writeFile } from 'node:fs/promises'
import { z } from 'zod'
import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'
import type { Dub } from '#control-plane/features/dubbing/store/dub.ts'
import { needFor } from '#control-plane/inference/needs/needs.ts'
import { whenReady } from '#control-plane/inference/when-ready.ts'
import { type StepContext, type StepOutput, stepOutput } from '#control-plane/jobs/job-type.ts'
import { openBlocks, SOUND_BLOCK_SECONDS, writeBlocks } from '#control-plane/media/film/sound/blocks.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { SceneDetail } from './film-steps.ts'
import { faultOf, scenesKey, thumbKey, vocalsKey, warningFrame } from './prep.rules.ts'
import type { PrepStepEvent, PrepWarning } from './prep-events.schema.ts'
import { dubOrGone, type PrepParams } from './prep-params.ts'
import type { Separating, SeparatorChoice } from './separating.ts'

/** Seconds of the film before and after a part, so that its ends are as good as its middle. */
const CONTEXT_SECONDS = 1
const FRAME_BYTES = 4
/** Results that earlier runs have made of the same film, and the parts of the voice that are left to separate. */
export const Known = z.object({ cached: z.boolean(), has_bg: z.boolean(), scene_count: z.int(), parts: z.int() })
type Known = z.output<typeof Known>
/** Null if the part was made. */
export const SeparatedPart = z.object({ failed: z.object({ code: z.string(), message: z.string() }).nullable() })
type SeparatedPart = z.output<typeof SeparatedPart>
export const Separated = z.object({ has_bg: z.boolean() })
type Separated = z.output<typeof Separated>
const NO_ENGINE = faultOf(
  'MODEL_NOT_DOWNLOADED',
  'No separation model is installed, so the dub is mixed with the whole original sound turned down.',
)
const LOST_PARTS = faultOf(
  'INPUT_UNAVAILABLE',
  'Parts of the isolated voice were deleted before they were joined, so the dub is mixed with the whole original sound turned down. Upload the film again.',
)
type Deps = {
  readonly core: Pick<DubCore, 'store' | 'files'>
  readonly separating: Separating
  readonly clock: Pick<Clock, 'mono' | 'sleep'>
}

export function createSeparationSteps({ core, separating, clock }: Deps) {
  const { store, files } = core

  /** Throws NOT_READY when the engines of this machine have not started within two minutes, and the reason of the signal. */
  const separatorFor = (dub: Dub, signal: AbortSignal): Promise<SeparatorChoice | null> =>
    whenReady(async () => separating.find((dub.sound?.durationUs ?? 0) / 1e6), clock, signal)
  const wholeKey = (dub: Dub, separator: SeparatorChoice) => vocalsKey(dub.sound!.sound, separator, null)

  const partKeys = (dub: Dub, separator: SeparatorChoice): string[] =>
    Array.from({ length: Math.ceil(dub.sound!.durationUs / 1e6 / SOUND_BLOCK_SECONDS) }, (_, part) =>
      vocalsKey(dub.sound!.sound, separator, part),
    )

  /** The isolated voice of this sound, from this or another dub. */
  async function knownVoice(dub: Dub, separator: SeparatorChoice | null) {
    const others = store.dubs.bySource(dub.sourceDigest).flatMap((id) => {
      const other = store.dubs.find(id)
      return other?.vocals && other.sound?.sound === dub.sound?.sound ? [other.vocals] : []
    })
    for (const key of [...(separator ? [wholeKey(dub, separator)] : []), ...others]) {
      const file = await files.find(key)
      if (file) return file
    }
    return null
  }

  return {
    /** Results that earlier runs have made of the same film. */
    async known({ dub: id, run, source, inputType }: PrepParams, { signal }: Pick<StepContext, 'signal'>): Promise<StepOutput<Known>> {
      const dub = dubOrGone(core, id)
      const separator = await separatorFor(dub, signal)
      const voice = await knownVoice(dub, separator)
      const scenes = await files.find(scenesKey(source, inputType))
      const parts = voice || !separator ? 0 : Math.ceil(dub.sound!.durationUs / 1e6 / SOUND_BLOCK_SECONDS)
      if (voice) {
        files.use(id, voice.digest)
        store.dubs.change(id, { vocals: voice.digest })
      }
      if (!scenes || scenes.maker === run || parts > 0) return stepOutput({ cached: false, has_bg: false, scene_count: 0, parts })
      const thumb = await files.find(thumbKey(source))
      files.use(id, scenes.digest)
      if (thumb) files.use(id, thumb.digest)
      const { cuts } = SceneDetail.parse(JSON.parse(scenes.detail))
      store.dubs.change(id, { thumb: thumb?.digest ?? null })
      store.dubs.changeOptions(id, { scene_cuts: cuts })
      return stepOutput({ cached: true, has_bg: voice !== null, scene_count: cuts.length, parts: 0 })
    },

    async part(
      { dub: id, run }: PrepParams,
      part: number,
      parts: number,
      context: StepContext<PrepStepEvent>,
    ): Promise<StepOutput<SeparatedPart>> {
      const dub = dubOrGone(core, id)
      const separator = await separatorFor(dub, context.signal)
      context.report({
        fraction: part / parts,
        secondsLeft: null,
        frame: { type: 'demucs_progress', percent: Math.round((100 * part) / parts) },
      })
      try {
        if (!separator) throw new Failure(NO_ENGINE.code, NO_ENGINE.message)
        const key = vocalsKey(dub.sound!.sound, separator, part)
        // Another preparation of this film has joined it meanwhile.
        if (await files.find(wholeKey(dub, separator))) return stepOutput({ failed: null })
        await files.obtain(
          key,
          { kind: 'vocals_part', maker: run },
          id,
          async (path, signal) => {
            await writeFile(path, await voiceOfPart(files.pathOf(dub.sound!.sound), part, separator, signal), { mode: 0o600, flush: true })
            return '{}'
          },
          context.signal,
        )
        return stepOutput({ failed: null })
      } catch (error) {
        context.signal.throwIfAborted()
        const { code, message } = Failure.from(error)
        await context.emit(warningFrame({ code, message }, 'demucs'))
        return stepOutput({ failed: { code, message } })
      }
    },

    /** Joins the parts. Without all of them the dub works with the whole sound. `isComplete`: each part was made. */
    async join({ dub: id, run }: PrepParams, isComplete: boolean, context: StepContext<PrepWarning>): Promise<StepOutput<Separated>> {
      const dub = dubOrGone(core, id)
      const separator = await separatorFor(dub, context.signal)
      if (dub.vocals !== null) {
        // After a crash they may be there still.
        if (separator) await files.remove(partKeys(dub, separator))
        return stepOutput({ has_bg: true })
      }
      if (!separator) {
        await context.emit({ ...warningFrame(NO_ENGINE, 'demucs'), needs: needFor('background') })
        return stepOutput({ has_bg: false })
      }
      const { sound } = dub.sound!
      const parts = partKeys(dub, separator)
      const key = wholeKey(dub, separator)
      const found = await Promise.all(parts.map((part) => files.find(part)))
      if (found.includes(null) && !(await files.find(key))) {
        if (isComplete) await context.emit(warningFrame(LOST_PARTS, 'demucs'))
        return stepOutput({ has_bg: false })
      }
      await files.obtain(
        key,
        { kind: 'vocals', maker: run },
        id,
        (path, signal) => joined(path, files.pathOf(sound), parts.map(files.pathOf), signal),
        context.signal,
      )
      store.dubs.change(id, { vocals: key })
      await files.remove(parts)
      return stepOutput({ has_bg: true })
    },
  }

  /** Interleaved s16le of one minute of the voice. */
  async function voiceOfPart(folder: string, part: number, separator: SeparatorChoice, signal: AbortSignal): Promise<Buffer> {
    const sound = await openBlocks(folder)
    const blockFrames = SOUND_BLOCK_SECONDS * sound.sampleRate
    const frames = Math.min(blockFrames, sound.samples - part * blockFrames)
    const margin = CONTEXT_SECONDS * sound.sampleRate
    const pcm = await sound.read(part * blockFrames - margin, frames + 2 * margin)
    const [left, right] = await separating.voiceOf(pcm, sound.sampleRate, separator, signal)
    const out = Buffer.alloc(frames * FRAME_BYTES)
    for (let frame = 0; frame < frames; frame++) {
      if (frame % sound.sampleRate === 0) await nextTurn()
      const at = 2 * (frame + margin)
      if (at + 2 > left.length || at + 2 > right.length) break
      out.writeInt16LE(left.readInt16LE(at), frame * FRAME_BYTES)
      out.writeInt16LE(right.readInt16LE(at), frame * FRAME_BYTES + 2)
    }
    return out
  }
}

async function joined(to: string, original: string, parts: readonly string[], signal: AbortSignal): Promise<string> {
  const { sampleRate } = await openBlocks(original)
  const blocks = await writeBlocks(to, { sampleRate, channels: 2, encoding: 's16' })
  try {
    for (const path of parts) {
      signal.throwIfAborted()
      await blocks.write(await readFile(path))
      await nextTurn()
    }
    const { samples } = await blocks.seal()
    return JSON.stringify({ samples })
  } finally {
    await blocks.close()
  }
}
