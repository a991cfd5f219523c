// The level of stretches of sound, and the pitch of those that are asked for.

import { mixedDown } from '#shared/audio/channels/downmix.ts'
import { speechLevel } from '#shared/audio/voice/level.ts'
import { medianPitch } from '#shared/audio/voice/pitch.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'
import { openBlocks } from './blocks.ts'
import type { ThreadContext } from './messages.ts'
import { readChannels } from './samples.ts'

/** Microseconds. */
export type MeasuredSpan = { readonly startUs: number; readonly endUs: number; readonly wantsPitch: boolean }
export type VoiceMeasure = {
  /** dBFS without pauses; null for silence. */
  readonly levelDb: number | null
  /** Median in Hz; null without a voice, and where it was not asked for. */
  readonly pitchHz: number | null
}
export type MeasureWork = { readonly sound: string; readonly spans: readonly MeasuredSpan[] }

/** Longer stretches are not read. */
const MAX_SECONDS = 30
/** Enough for a pitch. */
const PITCH_RATE = 16_000

/** In the order of the spans. Throws INPUT_UNAVAILABLE for sound that was deleted, and the reason of the signal. */
export async function measureVoices({ sound: folder, spans }: MeasureWork, { signal, progress }: ThreadContext): Promise<VoiceMeasure[]> {
  const sound = await openBlocks(folder)
  const { sampleRate } = sound
  const measures: VoiceMeasure[] = []
  for (const { startUs, endUs, wantsPitch } of spans) {
    await nextTurn() // blocks that were read before need no turn of the event loop, and a cancellation does
    signal.throwIfAborted()
    const from = Math.round((startUs / 1e6) * sampleRate)
    const to = Math.min(sound.samples, Math.round((endUs / 1e6) * sampleRate), from + MAX_SECONDS * sampleRate)
    const mono = to > from ? mixedDown(await readChannels(sound, from, to - from), sampleRate) : new Float32Array(0)
    const factor = Math.max(1, Math.floor(sampleRate / PITCH_RATE))
    const pitchHz = wantsPitch ? medianPitch(averaged(mono, factor), sampleRate / factor) : null
    measures.push({ levelDb: speechLevel(mono, sampleRate), pitchHz })
    progress(endUs)
  }
  return measures
}

/** Every `factor` samples as one. */
function averaged(samples: Float32Array, factor: number): Float32Array {
  if (factor === 1) return samples
  return Float32Array.from({ length: Math.floor(samples.length / factor) }, (_, index) => {
    let sum = 0
    for (let at = index * factor; at < (index + 1) * factor; at++) sum += samples[at]!
    return sum / factor
  })
}
