// Speaks one group of a plan and keeps each line. A line that cannot be spoken is reported, and the others go on.

import { z } from 'zod'
import type { StepContext } from '#control-plane/jobs/job-type.ts'
import { SILENT_WAIT_MS } from '#control-plane/jobs/job-type.ts'
import { engineRow } from '#shared/engines.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { createSerialQueue } from '#shared/runtime/serial-queue.ts'
import type { DubCasting, DubVoice } from './casting.service.ts'
import type { DubManifest } from './manifest.ts'
import type { PlannedTake, SpeakPlan } from './plan.service.ts'
import type { SpeakEvent } from './speak-events.schema.ts'
import type { SpeakDubGroup } from './speak-group.ts'
import type { TakeFiles } from './take-files.ts'
import type { DubVoiceClaims } from './withdrawn.ts'

/** Lines that could not be spoken, by their index, and why. */
export const Unspoken = z.array(z.object({ line: z.int(), why: z.string() }))
export type Unspoken = z.output<typeof Unspoken>
export type GroupReport = {
  /** Called when a line has its take, or will not get one. */
  readonly settled: (line: number) => void
}
export type Speaking = ReturnType<typeof createSpeaking>
type Deps = {
  readonly casting: Pick<DubCasting, 'placeOf' | 'refuseWithdrawn'>
  readonly speakGroup: SpeakDubGroup
  readonly takeFiles: TakeFiles
  readonly voiceClaims: DubVoiceClaims
  readonly clock: Clock
}
const LOOK_MS = 500
const BUSY_MS = 1_000
/** Tasks of a line on its own before it is given up. */
const ATTEMPTS = 2

/** Waits for a machine with the model that the dub began with, and says so. */
export const createPlaceFor =
  ({ casting, clock }: Pick<Deps, 'clock'> & { readonly casting: Pick<DubCasting, 'placeOf'> }) =>
  async (voice: DubVoice, { signal, emit, whileWaiting }: StepContext<SpeakEvent>, isAgain = false): Promise<string> => {
    for (;;) {
      const place = casting.placeOf(voice, isAgain)
      if (place !== null) return place
      await whileWaiting(async () => {
        const since = clock.mono()
        let isReported = false
        while (casting.placeOf(voice, isAgain) === null) {
          if (!isReported && clock.mono() - since > SILENT_WAIT_MS) {
            isReported = true
            const reason = `No connected machine has the model of ${engineRow(voice.engine)?.name ?? voice.engine} that this dub began with. It continues when one does.`
            await emit({ type: 'routing_notice', status: 'waiting', reason })
          }
          await clock.sleep(LOOK_MS, signal)
        }
      })
    }
  }

export function createSpeaking({ casting, speakGroup, takeFiles, voiceClaims, clock }: Deps) {
  const placeFor = createPlaceFor({ casting, clock })
  /** Groups of all dubs begin one after the other, each in its own turn of the event loop: their requests are checked and stored as a whole. */
  const oneByOne = createSerialQueue()

  /** Throws STORAGE_FULL, and the reason of the signal. */
  return async (
    manifest: DubManifest,
    plan: SpeakPlan,
    group: readonly number[],
    context: StepContext<SpeakEvent>,
    report: GroupReport,
  ) => {
    const { signal } = context
    const language = manifest.languageCode

    /** The lines of these takes that have no sound yet, and why. */
    async function speak(
      takes: readonly PlannedTake[],
      seedStep: number,
      isAgain: boolean,
    ): Promise<{ take: PlannedTake; failure: Failure }[]> {
      const [first] = takes as [PlannedTake]
      const voice = plan.voices[first.voice]!
      const { numStep, guidance } = manifest
      for (;;) {
        const isWithdrawn = voiceClaims.claim([voice.recording])
        await oneByOne(() => nextTurn())
        try {
          return await speakGroup(
            {
              voice,
              lines: takes.map(({ text, seed }) => ({ text, seed: (seed + seedStep) >>> 0 })),
              speed: first.speed,
              numStep,
              guidance,
              duration: null,
              target: await placeFor(voice, context, isAgain),
              priority: 1,
            },
            signal,
            async ({ sounds, sampleRate }) => {
              casting.refuseWithdrawn(voice)
              const left: { take: PlannedTake; failure: Failure }[] = []
              for (const [index, take] of takes.entries()) {
                const { id } = manifest.lines[take.line]!
                const sound = { pcm: sounds[index]!, sampleRate, recording: voice.recording, isWithdrawn }
                try {
                  await takeFiles.add({ dubId: manifest.dub, language, segmentId: id, key: take.key, ...sound })
                  report.settled(take.line)
                } catch (error) {
                  const failure = Failure.from(error)
                  if (failure.code !== 'INVALID_RESULT') throw failure
                  left.push({ take, failure })
                }
              }
              return left
            },
          )
        } catch (error) {
          signal.throwIfAborted()
          const failure = Failure.from(error)
          if (failure.code === 'STORAGE_FULL') throw failure
          if (failure.code !== 'QUEUE_FULL') return takes.map((take) => ({ take, failure }))
          await clock.sleep(BUSY_MS, signal)
        }
      }
    }

    const missing: PlannedTake[] = []
    for (const index of group) {
      const take = plan.takes[index]!
      const { id } = manifest.lines[take.line]!
      if (await takeFiles.find(manifest.dub, language, id, take.key)) report.settled(take.line)
      else missing.push(take)
    }
    let left = missing.length === 0 ? [] : await speak(missing, 0, false)
    for (let attempt = 1; attempt <= ATTEMPTS && left.length > 0; attempt++) {
      const again = left
      left = []
      // Each on its own, so that one line spoils no other; with another seed where the same one has failed alone.
      for (const { take, failure } of again)
        left.push(...(await speak([take], missing.length > 1 ? attempt - 1 : attempt, failure.code === 'INVALID_RESULT')))
    }
    for (const { take, failure } of left) {
      await context.emit({ type: 'error', segment: take.line, error: failure.message })
      report.settled(take.line)
    }
    return left.map(({ take, failure }) => ({ line: take.line, why: failure.message }))
  }
}
