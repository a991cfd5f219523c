// Speaks lines of one voice and speed as one task.

import type { SpeechApi } from '#control-plane/features/speech/speech/api.ts'
import type { Priority } from '#control-plane/tasks/record.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { createOwnedBytes } from '#shared/runtime/memory/owned-bytes.ts'
import type { DubCasting, DubVoice } from './casting.service.ts'

export type GroupLine = { readonly text: string; readonly seed: number }
export type GroupRequest = {
  readonly voice: DubVoice
  readonly lines: readonly GroupLine[]
  readonly speed: number
  readonly numStep: number
  readonly guidance: number
  /** Seconds for all lines together; null for as long as they take. */
  readonly duration: number | null
  /** Target as `DubCasting.placeOf` returns it. */
  readonly target: string
  readonly priority: Priority
}
export type SpokenGroup = { readonly sampleRate: number /** s16le mono, one for each line. */; readonly sounds: readonly Buffer[] }
export type SpeakDubGroup = ReturnType<typeof createSpeakDubGroup>
type Deps = { readonly speech: Pick<SpeechApi, 'synthesis'>; readonly casting: Pick<DubCasting, 'referenceOf' | 'refuseWithdrawn'> }

export function createSpeakDubGroup({ speech: { synthesis }, casting }: Deps) {
  /**
   * Resolves with the result of `use`, whose sounds are freed when it has settled; until then, all that reads them must have ended. Rejects with
   * what `use` throws, how the task ended, INVALID_RESULT, CANCELLED for a withdrawn voice, and the reason of the signal.
   */
  return async <T>(request: GroupRequest, signal: AbortSignal, use: (spoken: SpokenGroup) => Promise<T>): Promise<T> => {
    const { voice, lines, speed, numStep, guidance, duration, target, priority } = request
    const reference = await casting.referenceOf(voice)
    const own = new AbortController()
    const run = await synthesis.stream(
      {
        model: voice.engine,
        modelDigest: voice.modelDigest,
        params: {
          ...voice.params,
          language: voice.language,
          speed,
          num_step: numStep,
          guidance_scale: guidance,
          ...(duration !== null && { duration }),
          segments: lines.map(({ text, seed }) => ({ text, seed })),
        },
        ...(reference && { reference }),
        idempotencyKey: null,
        ephemeral: true,
        isWhole: true,
        traceparent: '',
        target,
        priority,
        // A clip of the film belongs to no profile.
        ...(voice.clip === null && { lastCheck: () => casting.refuseWithdrawn(voice) }),
      },
      AbortSignal.any([signal, own.signal]),
    )
    const sound = createOwnedBytes()
    try {
      for await (const { bytes } of run.pieces) sound.append(bytes)
      const { sample_rate: sampleRate, parts } = await run.result()
      if (parts.length !== lines.length || parts.reduce((sum, { samples }) => sum + samples, 0) * 2 !== sound.length)
        throw new Failure('INVALID_RESULT', 'The engine returned another number of samples than it announced.')
      let at = 0
      const sounds = parts.map(({ samples }) => {
        const from = at
        at += 2 * samples
        return sound.view(from, at)
      })
      return await use({ sampleRate, sounds })
    } catch (error) {
      own.abort(new Failure('CANCELLED', 'The sound of the task is no longer needed.'))
      throw error
    } finally {
      sound.free()
    }
  }
}
