// Finds the stretches of speech that are decoded. Whisper invents sentences for silence, noise and music.
import type { Stretch } from '#agent/engine/audio/condensed.ts'
import type { GraphFactory } from '#agent/engine/runtimes/onnx/session.ts'
import { openVoiceDetector, SILERO_SAMPLE_RATE, SILERO_WINDOW } from '#agent/engine/vad/silero/network.ts'
import { toSpeechSegments } from '#agent/engine/vad/silero/segments.ts'

/** Both in seconds, in order. */
export type FoundSpeech = {
  /** The decoded stretches: speech with its short pauses and some sound around it. */
  readonly stretches: readonly Stretch[]
  /** Stretches with a voice, without pauses. A transcript must have words for all of it. */
  readonly voice: readonly Stretch[]
}
export type SpeechFinder = {
  /** Yields the share that is finished. `samples`: at 16 kHz. */
  readonly find: (samples: Float32Array, signal: AbortSignal) => AsyncGenerator<number, FoundSpeech>
  readonly close: () => Promise<void>
}

/**
 * The rules of faster-whisper, except for the shortest speech: pauses of up to 2 s stay, and 0.4 s around each stretch. In 24 clips of
 * synthetic music, 9 had speech of one or two windows, 2 had any of more than 100 ms; all of 60 spoken words are longer, and 2 of them are
 * not longer than 250 ms.
 */
const RULES = { threshold: 0.5, silenceThreshold: 0.35, minSpeechMs: 100, minSilenceMs: 2_000, padMs: 400 }
const VOICE_RULES = { ...RULES, minSilenceMs: 200, padMs: 0 }

/** Blocks of 0.1 s. This many are as loud as the level of a recording: half a second, so that a bang or a click is not its level. */
const BLOCK = SILERO_SAMPLE_RATE / 10
const LEVEL_BLOCKS = 5
/** The detector misses quieter speech. Whisper does not depend on the level. */
const MIN_LEVEL = 0.1
const LEVEL = 0.5
const MAX_GAIN = 1_000

/** The samples at a level at which the detector finds speech. */
export function audible(samples: Float32Array): Float32Array {
  const loudest = new Float64Array(LEVEL_BLOCKS)
  for (let from = 0; from < samples.length; from += BLOCK) {
    let peak = 0
    for (let at = from; at < Math.min(from + BLOCK, samples.length); at++) peak = Math.max(peak, Math.abs(samples[at]!))
    if (peak > loudest[0]!) {
      loudest[0] = peak
      loudest.sort()
    }
  }
  const level = loudest.find((peak) => peak > 0) ?? 0
  if (level === 0 || level >= MIN_LEVEL) return samples
  const gain = Math.min(MAX_GAIN, LEVEL / level)
  return samples.map((sample) => Math.max(-1, Math.min(1, sample * gain)))
}

/** Throws MODEL_NOT_INSTALLED. */
export async function openSpeechFinder(open: GraphFactory): Promise<SpeechFinder> {
  const detector = await openVoiceDetector(open)
  return {
    async *find(samples, signal) {
      const probabilities = yield* detector.probabilities(audible(samples), signal)
      const found = (rules: typeof RULES) =>
        toSpeechSegments(probabilities, SILERO_WINDOW / SILERO_SAMPLE_RATE, samples.length / SILERO_SAMPLE_RATE, rules)
      return { stretches: found(RULES), voice: found(VOICE_RULES) }
    },
    close: detector.close,
  }
}
