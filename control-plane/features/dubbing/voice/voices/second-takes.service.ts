// Speaks lines again in the length that the film has for them, with engines that can. The natural take is kept: plans always count from it.
import { writeFile } from 'node:fs/promises'
import { dubOrGone } from '#control-plane/features/dubbing/film/prep/prep-params.ts'
import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'
import { inTurns } from '#control-plane/features/dubbing/store/turns/in-turns.ts'
import type { StepContext } from '#control-plane/jobs/job-type.ts'
import { wavHeader } from '#shared/audio/wav.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { fitOptionsOf } from '#shared/timing/options.ts'
import { audiblePart } from '../speak/audible.rules.ts'
import type { DubCasting, DubVoice } from '../speak/casting.service.ts'
import type { DubManifest } from '../speak/manifest.ts'
import type { PlannedTake, SpeakPlan } from '../speak/plan.service.ts'
import type { SpeakEvent } from '../speak/speak-events.schema.ts'
import type { SpeakDubGroup } from '../speak/speak-group.ts'
import { TakeDetail, type TakeFiles } from '../speak/take-files.ts'
import { type DubVoiceClaims, WITHDRAWN } from '../speak/withdrawn.ts'
import { fittedLines, secondKey, wantedLength } from './lengths.rules.ts'

type Deps = {
  readonly core: Pick<DubCore, 'store' | 'files'>
  readonly casting: Pick<DubCasting, 'refuseWithdrawn'>
  /** Waits for a machine with the model of the voice. */
  readonly placeFor: (voice: DubVoice, context: StepContext<SpeakEvent>) => Promise<string>
  readonly speakGroup: SpeakDubGroup
  readonly takeFiles: Pick<TakeFiles, 'find'>
  readonly voiceClaims: DubVoiceClaims
}
/** Several machines may speak. */
const PARALLEL = 4
export type SecondTakes = ReturnType<typeof createSecondTakes>

export function createSecondTakes({ core: { store, files }, casting, placeFor, speakGroup, takeFiles, voiceClaims }: Deps) {
  /** A file under the key of the take. Throws what `speakGroup` throws, INVALID_RESULT for silence, STORAGE_FULL. */
  async function speak(
    manifest: DubManifest,
    voice: DubVoice,
    take: PlannedTake,
    lengthUs: number,
    context: StepContext<SpeakEvent>,
  ): Promise<void> {
    const natural = await takeFiles.find(manifest.dub, manifest.languageCode, manifest.lines[take.line]!.id, take.key)
    if (!natural) return
    const { sampleRate, samples, part } = natural
    // Of the engine's own silence around the speech, about as much is expected again.
    const duration = Math.round(lengthUs / 1e3 + ((samples - (part.to - part.from)) * 1e3) / sampleRate) / 1e3
    const { numStep, guidance } = manifest
    const target = await placeFor(voice, context)
    const lines = [{ text: take.text, seed: take.seed }]
    const isWithdrawn = voiceClaims.claim([voice.recording])
    // A copy, because callers at the same time share the file, and this one may leave while it is written.
    const { pcm, ...spoken } = await speakGroup(
      { voice, lines, speed: 1, numStep, guidance, duration, target, priority: 1 },
      context.signal,
      async ({ sounds, sampleRate }) => ({ pcm: Buffer.from(sounds[0]!), sampleRate }),
    )
    casting.refuseWithdrawn(voice)
    const found = audiblePart(pcm, spoken.sampleRate)
    if (!found) throw new Failure('INVALID_RESULT', 'The engine returned silence for this line.')
    const [count, recordings] = [pcm.length / 2, voice.recording === null ? [] : [voice.recording]]
    const detail: TakeDetail = { sampleRate: spoken.sampleRate, samples: count, part: found, recordings }
    const key = secondKey(take.key, lengthUs)
    await files.obtain(
      key,
      { kind: 'take', maker: take.key },
      manifest.dub,
      async (path) => {
        const header = wavHeader({ sampleRate: spoken.sampleRate, channels: 1, samples: count })
        await writeFile(path, [header, pcm], { mode: 0o600, flush: true })
        return JSON.stringify(detail)
      },
      context.signal,
    )
    if (!isWithdrawn()) return
    await files.remove([key])
    throw new Failure('CANCELLED', WITHDRAWN)
  }

  return {
    /** Resolves when each line has its second take or goes without one. Throws STORAGE_FULL, and the reason of the signal. */
    async make(manifest: DubManifest, plan: SpeakPlan, context: StepContext<SpeakEvent>): Promise<void> {
      const { sound } = dubOrGone({ store }, manifest.dub)
      if (!sound) return
      const natural = new Map<number, number>()
      for (const { line, key } of plan.takes) {
        const found = await takeFiles.find(manifest.dub, manifest.languageCode, manifest.lines[line]!.id, key)
        if (found) natural.set(line, Math.round(((found.part.to - found.part.from) * 1e6) / found.sampleRate))
      }
      const fitting = fittedLines(manifest, fitOptionsOf(manifest.timing, sound.durationUs), (line) => natural.get(line) ?? 0)
      const { fitted } = await inTurns(fitting, context.signal)
      const byId = new Map(fitted.lines.map((line) => [line.id, line]))
      const open: { take: PlannedTake; voice: DubVoice; lengthUs: number }[] = []
      for (const take of plan.takes) {
        const voice = plan.voices[take.voice]!
        const lengthUs = natural.has(take.line) && voice.takesDuration ? wantedLength(byId.get(manifest.lines[take.line]!.id)!) : null
        if (lengthUs === null) continue
        const key = secondKey(take.key, lengthUs)
        if (await files.find(key)) files.use(manifest.dub, key)
        else open.push({ take, voice, lengthUs })
      }
      const queue = open.values()
      const faults: Failure[] = []
      // When one of them ends the step, the others stop with it.
      const stop = new AbortController()
      const own = { ...context, signal: AbortSignal.any([context.signal, stop.signal]) }
      let done = 0
      const work = async () => {
        for (const { take, voice, lengthUs } of queue) {
          try {
            await speak(manifest, voice, take, lengthUs, own)
          } catch (error) {
            own.signal.throwIfAborted()
            const failure = Failure.from(error)
            if (failure.code === 'STORAGE_FULL') {
              stop.abort(failure)
              throw failure
            }
            faults.push(failure)
          }
          context.report({ fraction: ++done / open.length, secondsLeft: null, frame: null })
        }
      }
      const ends = await Promise.allSettled(Array.from({ length: PARALLEL }, work))
      context.signal.throwIfAborted()
      stop.signal.throwIfAborted()
      for (const end of ends) if (end.status === 'rejected') throw end.reason
      if (faults.length > 0) {
        const message = `${faults.length} of ${open.length} lines were not spoken again in their length, so their tempo is changed: ${faults[0]!.message}`
        await context.emit({ type: 'warning', segment: null, message })
      }
    },
    /** The second take for this length; null if there is none. */
    async find(naturalKey: string, lengthUs: number): Promise<(TakeDetail & { readonly digest: string }) | null> {
      const file = await files.find(secondKey(naturalKey, lengthUs))
      return file && { ...TakeDetail.parse(JSON.parse(file.detail)), digest: file.digest }
    },
  }
}
