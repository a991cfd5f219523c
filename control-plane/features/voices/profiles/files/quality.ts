// Rates a recording as the reference of a voice. Nothing is refused here: the figures and warnings are for the person who chose the
// recording. Pure.

/** Shares from 0 to 1, levels in dBFS. Empty while a profile has no recording. */
export type Quality = {
  readonly seconds?: number
  /** Share of the time with speech or another foreground sound. */
  readonly speech_share?: number
  /** Share of the samples at full scale. */
  readonly clipped_share?: number
  /** Level of the loud tenth of the time. */
  readonly level_db?: number
  /** Level of the quiet tenth of the time. */
  readonly noise_db?: number
  /** `pending`: no transcript was given, and the recogniser has not tried yet. */
  readonly transcript?: 'pending' | 'done'
  /** Sentences for people. */
  readonly warnings?: readonly string[]
}

const FRAME_SECONDS = 0.05
const EDGE_SECONDS = 0.08
/** Good lengths of a reference in seconds. */
const [SHORT, LONG] = [3, 15]
const FULL_SCALE = 0.9995
const MAX_CLIPPED = 0.001
const MIN_ABOVE_NOISE_DB = 15
/** A frame this far below the loud ones is a pause. */
const PAUSE_DB = 25
/** An edge this far below the loud frames is quiet. */
const EDGE_DB = 20
const QUIET_DB = -40
const SILENT_DB = -60
const MIN_SPEECH = 0.4

/** Measures mono samples from -1 to 1 in parts, each but the last a multiple of `partSamples`. */
export function openMeter(rate: number) {
  const frame = Math.round(rate * FRAME_SECONDS)
  const edge = Math.round(rate * EDGE_SECONDS)
  const frames: number[] = []
  let [count, clipped, start, end] = [0, 0, new Float32Array(), new Float32Array()]
  return {
    partSamples: frame,
    push(samples: Float32Array): void {
      for (let at = 0; at + frame <= samples.length; at += frame) frames.push(levelOf(samples, at, at + frame))
      for (const sample of samples) if (Math.abs(sample) >= FULL_SCALE) clipped++
      if (count < edge) start = Float32Array.of(...start, ...samples.subarray(0, edge - count))
      end = samples.length >= edge ? samples.slice(-edge) : Float32Array.of(...end, ...samples).slice(-edge)
      count += samples.length
    },
    read(): Measured {
      const sorted = frames.toSorted((left, right) => left - right)
      const level = sorted[Math.floor((sorted.length - 1) * 0.9)] ?? SILENT_DB
      const noise = sorted[Math.floor((sorted.length - 1) * 0.1)] ?? SILENT_DB
      const isSilent = level <= SILENT_DB
      const spoken = isSilent ? 0 : frames.filter((each) => each > Math.max(level - PAUSE_DB, SILENT_DB)).length / frames.length
      const figures = {
        seconds: rounded(count / rate, 2),
        speech_share: rounded(spoken, 3),
        clipped_share: rounded(clipped / Math.max(1, count), 5),
        level_db: rounded(level, 1),
        noise_db: rounded(noise, 1),
      }
      return { ...figures, warnings: isSilent ? ['The recording is silent.'] : warningsOf(figures, start, end) }
    },
  }
}

type Measured = Required<Omit<Quality, 'transcript'>>
type Figures = Omit<Measured, 'warnings'>
function warningsOf(figures: Figures, start: Float32Array, end: Float32Array): string[] {
  const { seconds, speech_share, clipped_share, level_db, noise_db } = figures
  const isCut = (part: Float32Array) => levelOf(part, 0, part.length) > Math.max(level_db - EDGE_DB, SILENT_DB)
  return [
    seconds < SHORT && `The recording has ${seconds.toFixed(1)} seconds. ${SHORT} to ${LONG} seconds are best.`,
    seconds > LONG &&
      `The recording has ${Math.round(seconds)} seconds. ${SHORT} to ${LONG} seconds are best, and longer ones slow engines down.`,
    clipped_share > MAX_CLIPPED && 'The recording is overdriven. Record it again at a lower level.',
    level_db < QUIET_DB && 'The recording is very quiet. Record it closer to the microphone.',
    level_db - noise_db < MIN_ABOVE_NOISE_DB && 'The recording has background noise or no pauses. A quiet room gives a clearer voice.',
    speech_share < MIN_SPEECH && 'Most of the recording is silence.',
    isCut(start) && 'The recording starts inside a word.',
    isCut(end) && 'The recording ends inside a word, which engines may continue.',
  ].filter((warning) => warning !== false)
}

/** dBFS. */
function levelOf(samples: Float32Array, from: number, to: number): number {
  let sum = 0
  for (let at = from; at < to; at++) sum += samples[at]! * samples[at]!
  // -100 dBFS for digital silence.
  return 10 * Math.log10(Math.max(1e-10, sum / Math.max(1, to - from)))
}
const rounded = (value: number, digits: number): number => Math.round(value * 10 ** digits) / 10 ** digits
