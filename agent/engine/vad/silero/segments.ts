// Converts the probability of speech per window to segments, as get_speech_timestamps of Silero does. Two thresholds keep doubtful windows
// from starting or ending a segment, and short pauses and sounds are ignored. Pure.

export type SpeechSegment = { readonly start: number; readonly end: number }
export type SegmentRules = {
  /** Speech starts at or above this probability. */
  readonly threshold: number
  /** Speech may end below this probability; between the two thresholds nothing changes. */
  readonly silenceThreshold: number
  /** A segment must be longer than this. */
  readonly minSpeechMs: number
  /** Measured from the start of the first quiet window to the start of the current one, which is not counted. */
  readonly minSilenceMs: number
  /** Added on both sides of a segment. Two segments that would overlap share the gap. */
  readonly padMs: number
}
/** Far below a sample: a sum of windows may be off by a rounding error. */
const ROUNDING_SECONDS = 1e-7

/** Segments in seconds, in order, without overlap, within [0, seconds]. */
export function toSpeechSegments(
  probabilities: ArrayLike<number>,
  windowSeconds: number,
  seconds: number,
  rules: SegmentRules,
): SpeechSegment[] {
  const minSilence = rules.minSilenceMs / 1000 - ROUNDING_SECONDS
  const minSpeech = rules.minSpeechMs / 1000 + ROUNDING_SECONDS
  const found: { start: number; end: number }[] = []
  const add = (start: number, end: number) => {
    if (end - start > minSpeech) found.push({ start, end })
  }
  let start = -1
  let quietSince = -1
  for (let at = 0; at < probabilities.length; at++) {
    const probability = probabilities[at]!
    if (probability >= rules.threshold) {
      quietSince = -1
      if (start < 0) start = at
    } else if (start >= 0 && probability < rules.silenceThreshold) {
      if (quietSince < 0) quietSince = at
      if ((at - quietSince) * windowSeconds >= minSilence) {
        add(start * windowSeconds, quietSince * windowSeconds)
        start = -1
        quietSince = -1
      }
    }
  }
  // A pause that the recording ends in was not long enough to end the segment.
  if (start >= 0) add(start * windowSeconds, seconds)

  const pad = rules.padMs / 1000
  return found.map(({ start, end }, at) => {
    const before = at === 0 ? start : (start - found[at - 1]!.end) / 2
    const after = at === found.length - 1 ? seconds - end : (found[at + 1]!.start - end) / 2
    return { start: start - Math.min(pad, before), end: end + Math.min(pad, Math.max(0, after)) }
  })
}
