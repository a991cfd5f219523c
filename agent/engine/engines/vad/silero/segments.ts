// Converts the probability of speech per window to segments. Two thresholds keep doubtful windows from starting or ending a segment, and
// short pauses and sounds are ignored. Pure.

export type SpeechSegment = { readonly start: number; readonly end: number }
export type SegmentRules = {
  /** Speech starts at or above this probability. */
  readonly threshold: number
  /** Speech may end below this probability; between the two thresholds nothing changes. */
  readonly silenceThreshold: number
  readonly minSpeechMs: number
  readonly minSilenceMs: number
  /** Added on both sides of a segment. Two segments that would overlap share the gap. */
  readonly padMs: number
}

/** Segments in seconds, in order, without overlap, within [0, seconds]. */
export function toSpeechSegments(
  probabilities: ArrayLike<number>,
  windowSeconds: number,
  seconds: number,
  rules: SegmentRules,
): SpeechSegment[] {
  const minSilence = Math.max(1, rules.minSilenceMs / 1000 / windowSeconds)
  const found: { start: number; end: number }[] = []
  let start = -1
  let quietSince = -1
  for (let at = 0; at < probabilities.length; at++) {
    const probability = probabilities[at]!
    if (probability >= rules.threshold) {
      quietSince = -1
      if (start < 0) start = at
    } else if (start >= 0 && probability < rules.silenceThreshold) {
      if (quietSince < 0) quietSince = at
      if (at + 1 - quietSince >= minSilence) {
        found.push({ start, end: quietSince })
        start = -1
        quietSince = -1
      }
    }
  }
  if (start >= 0) found.push({ start, end: quietSince < 0 ? probabilities.length : quietSince })

  const long = found
    .map(({ start, end }) => ({ start: start * windowSeconds, end: Math.min(end * windowSeconds, seconds) }))
    .filter(({ start, end }) => end - start > 0 && (end - start) * 1000 >= rules.minSpeechMs - 1e-6)
  const pad = rules.padMs / 1000
  return long.map(({ start, end }, at) => {
    const before = at === 0 ? start : (start - long[at - 1]!.end) / 2
    const after = at === long.length - 1 ? seconds - end : (long[at + 1]!.start - end) / 2
    return { start: start - Math.min(pad, before), end: end + Math.min(pad, Math.max(0, after)) }
  })
}
