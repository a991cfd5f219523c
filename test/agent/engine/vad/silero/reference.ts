// The algorithm of get_speech_timestamps (snakers4/silero-vad, src/silero_vad/utils_vad.py, version 6), for recordings without a limit on the
// length of a segment, step by step in samples at 16 kHz. Tests compare the shorter form of the engine with it.
import type { SegmentRules } from '#agent/engine/vad/silero/segments.ts'

const WINDOW = 512
const PER_MS = 16

/** Segments in samples. */
export function referenceSegments(
  probabilities: readonly number[],
  samples: number,
  rules: SegmentRules,
): { start: number; end: number }[] {
  const pad = rules.padMs * PER_MS
  const speeches: { start: number; end: number }[] = []
  let current: number | null = null
  // 0 stands for none: the first window cannot end anything.
  let pauseFrom = 0
  for (const [index, probability] of probabilities.entries()) {
    const position = WINDOW * index
    if (probability >= rules.threshold && pauseFrom > 0) pauseFrom = 0
    if (probability >= rules.threshold && current === null) {
      current = position
      continue
    }
    if (probability >= rules.silenceThreshold || current === null) continue
    if (pauseFrom === 0) pauseFrom = position
    if (position - pauseFrom < rules.minSilenceMs * PER_MS) continue
    if (pauseFrom - current > rules.minSpeechMs * PER_MS) speeches.push({ start: current, end: pauseFrom })
    current = null
    pauseFrom = 0
  }
  if (current !== null && samples - current > rules.minSpeechMs * PER_MS) speeches.push({ start: current, end: samples })

  for (const [index, speech] of speeches.entries()) {
    if (index === 0) speech.start = Math.trunc(Math.max(0, speech.start - pad))
    const next = speeches[index + 1]
    if (!next) speech.end = Math.trunc(Math.min(samples, speech.end + pad))
    else {
      const gap = next.start - speech.end
      const share = gap < 2 * pad ? Math.floor(gap / 2) : pad
      speech.end = Math.trunc(Math.min(samples, speech.end + share))
      next.start = Math.trunc(Math.max(0, next.start - share))
    }
  }
  return speeches
}
