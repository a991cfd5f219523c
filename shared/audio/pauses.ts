// Finds pauses in recordings and cuts a long voice reference at one of them. Pure. Silence is detected as pydub 0.25 does, which the reference
// implementation of OmniVoice uses: on 16-bit samples, in windows of the wanted length, in steps of 10 ms.

const STEP_MS = 10
const FULL_SCALE = 32_768

/** A range of a recording. Positions in samples. */
export type SampleRange = { readonly from: number; readonly to: number }

/** The loudness of any window of a recording on the 16-bit scale, 0 to 32,768, from running sums of squares. */
export function loudnessOf(samples: Float32Array): (from: number, to: number) => number {
  const sums = new Float64Array(samples.length + 1)
  for (let at = 0; at < samples.length; at++) {
    const whole = Math.trunc(Math.min(FULL_SCALE - 1, Math.max(-FULL_SCALE, samples[at]! * FULL_SCALE)))
    sums[at + 1] = sums[at]! + whole * whole
  }
  return (from, to) => (to > from ? Math.floor(Math.sqrt((sums[to]! - sums[from]!) / (to - from))) : 0)
}

/** `db` in dBFS on the scale of `loudnessOf`. */
export const loudnessLimit = (db: number): number => FULL_SCALE * 10 ** (db / 20)

/**
 * Ranges of at least `atLeastMs` in which every window of that length is at most `thresholdDb` dBFS on average. A click that is short against
 * the window does not end a range. `rate` in Hz.
 */
export function silences(samples: Float32Array, rate: number, thresholdDb: number, atLeastMs: number): SampleRange[] {
  const toSample = (ms: number) => Math.min(samples.length, Math.round((ms * rate) / 1000))
  const level = loudnessOf(samples)
  const limit = loudnessLimit(thresholdDb)
  const last = Math.round((samples.length * 1000) / rate) - atLeastMs
  const found: { from: number; to: number }[] = []
  // The last window ends with the recording, even between two steps.
  for (let at = 0; at <= last; at = at < last ? Math.min(at + STEP_MS, last) : last + 1) {
    const to = at + atLeastMs
    if (level(toSample(at), toSample(to)) > limit) continue
    const previous = found.at(-1)
    if (previous && at <= previous.to) previous.to = to
    else found.push({ from: at, to })
  }
  return found.map(({ from, to }) => ({ from: toSample(from), to: toSample(to) }))
}

/** A model reads the reference in every step: more than 8 s costs time, and less than 3 s has too little of the voice. */
const LONGEST_SECONDS = 8
const SHORTEST_SECONDS = 3
const PAUSE_MS = 100
/** dBFS in a recording with the level of the training data; see NORMAL_RMS. */
const PAUSE_DB = -40
const NORMAL_RMS = 0.1
/** A reference that ends within a sound makes the model continue it. */
const TAIL_MS = 200

/**
 * The number of samples of a voice reference to keep: all if 8 s follow the silence at its start, else up to the last pause between second 3
 * and second 8, with 200 ms of it. A recording without a pause has loud noise; it is cut after the quietest tenth of a second of that time.
 */
export function referenceLength(samples: Float32Array, rate: number): number {
  const level = loudnessOf(samples)
  const quieter = Math.min(1, level(0, samples.length) / FULL_SCALE / NORMAL_RMS)
  const pauses = silences(samples, rate, PAUSE_DB + 20 * Math.log10(quieter), PAUSE_MS)
  const start = pauses[0]?.from === 0 ? pauses[0].to : 0
  const [shortest, longest] = [start + SHORTEST_SECONDS * rate, start + LONGEST_SECONDS * rate]
  if (samples.length <= longest) return samples.length
  const pause = pauses.findLast(({ from }) => from >= shortest && from <= longest)
  if (!pause) return quietestEnd(level, shortest, longest, rate)
  return Math.min(pause.to, pause.from + Math.round((TAIL_MS * rate) / 1000))
}

/** The end of the quietest window of PAUSE_MS that ends in this range, the last of equal ones. */
function quietestEnd(level: (from: number, to: number) => number, from: number, to: number, rate: number): number {
  const [window, step] = [Math.round((PAUSE_MS * rate) / 1000), Math.round((STEP_MS * rate) / 1000)]
  let best = to
  for (let end = to; end >= from; end -= step) if (level(end - window, end) < level(best - window, best)) best = end
  return best
}
