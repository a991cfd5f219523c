// From the probability of speech in each window to segments with borders: two thresholds, so that a doubtful window neither begins nor
// ends anything, and lengths below which a pause or a sound does not count. Pure.

export type SpeechSegment = { readonly start: number; readonly end: number }
export type SegmentRules = {
  /** At or above it speech begins. */
  readonly threshold: number
  /** Below it speech may end; between the two nothing changes. */
  readonly silenceThreshold: number
  readonly minSpeechMs: number
  readonly minSilenceMs: number
  /** Added on both sides of a segment; two that would meet share the gap. */
  readonly padMs: number
}

/** Segments in seconds, in order, apart from each other, within [0, seconds]. */
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

  const heard = found
    .map(({ start, end }) => ({ start: start * windowSeconds, end: Math.min(end * windowSeconds, seconds) }))
    .filter(({ start, end }) => end - start > 0 && (end - start) * 1000 >= rules.minSpeechMs - 1e-6)
  const pad = rules.padMs / 1000
  return heard.map(({ start, end }, at) => {
    const before = at === 0 ? start : (start - heard[at - 1]!.end) / 2
    const after = at === heard.length - 1 ? seconds - end : (heard[at + 1]!.start - end) / 2
    return { start: start - Math.min(pad, before), end: end + Math.min(pad, Math.max(0, after)) }
  })
}
