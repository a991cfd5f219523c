// The voice of each speaker of a recording, as a vector that can be compared with those of other recordings.
import { concat } from '#shared/audio/stage.ts'
import { MAX_VOICES, type SpeakerTurn, type SpeakerVoice } from '#shared/operations/diarize.ts'
import { RATE } from './activity.ts'
import { unit } from './clusters.ts'

/** More speech of one voice hardly changes its vector, and computing it blocks the thread. */
const MAX_SECONDS = 30
/** Shorter speech has no reliable voice. */
const MIN_SECONDS = 0.5
/** Decimals of the vectors, which are sent as text. */
const DIGITS = 1e6

type Span = { readonly start: number; readonly end: number }

/** The speech of each speaker during which no other one speaks, the longest spans first, of at most 30 seconds. Pure. */
export function ownSpeech(turns: readonly SpeakerTurn[]): Map<number, Span[]> {
  const found = new Map<number, Span[]>()
  const sorted = turns.toSorted((one, other) => one.start - other.start)
  for (const [at, { start, end, speaker }] of sorted.entries()) {
    let spans: Span[] = [{ start, end }]
    for (const [other, turn] of sorted.entries()) {
      if (turn.start >= end) break
      if (other !== at && turn.speaker !== speaker && turn.end > start) spans = spans.flatMap((span) => without(span, turn))
    }
    found.set(speaker, [...(found.get(speaker) ?? []), ...spans])
  }
  for (const [speaker, spans] of found) found.set(speaker, longest(spans))
  return found
}

const without = (span: Span, { start, end }: Span): Span[] =>
  [
    { start: span.start, end: Math.min(span.end, start) },
    { start: Math.max(span.start, end), end: span.end },
  ].filter((rest) => rest.end > rest.start)

function longest(spans: readonly Span[]): Span[] {
  const kept: Span[] = []
  let left = MAX_SECONDS
  for (const { start, end } of spans.toSorted((one, other) => other.end - other.start - (one.end - one.start) || one.start - other.start)) {
    if (left <= 0) break
    const seconds = Math.min(left, end - start)
    kept.push({ start, end: start + seconds })
    left -= seconds
  }
  return kept
}

/** Voices of the speakers with the most speech. Throws the reason of the signal. */
export async function speakerVoices(
  vectorOf: (samples: Float32Array) => Promise<Float32Array | null>,
  samples: Float32Array,
  turns: readonly SpeakerTurn[],
  signal: AbortSignal,
): Promise<SpeakerVoice[]> {
  const all = [...ownSpeech(turns)]
    .map(([speaker, spans]) => ({ speaker, spans, seconds: spans.reduce((sum, { start, end }) => sum + end - start, 0) }))
    .filter(({ seconds }) => seconds >= MIN_SECONDS)
    .toSorted((one, other) => other.seconds - one.seconds || one.speaker - other.speaker)
    .slice(0, MAX_VOICES)
  const voices: SpeakerVoice[] = []
  for (const { speaker, spans, seconds } of all) {
    signal.throwIfAborted()
    const pieces = spans.map(({ start, end }) => samples.subarray(Math.round(start * RATE), Math.round(end * RATE)))
    const vector = await vectorOf(concat(pieces))
    if (vector) voices.push({ speaker, seconds, vector: rounded(unit(vector)) })
  }
  return voices
}

const rounded = (vector: Float32Array): number[] => Array.from(vector, (value) => Math.round(value * DIGITS) / DIGITS)
