// Compares the result of a run with what it must be like. Pure.
import { z } from 'zod'
import type { Expectation } from '#agent/engine/seam/verification.ts'
import { AsrResult } from '#shared/operations/asr.ts'
import { DiarizeResult } from '#shared/operations/diarize.ts'
import { IdentifyResult } from '#shared/operations/identify.ts'
import { TranslateResult } from '#shared/operations/translate.ts'
import { VadResult } from '#shared/operations/vad.ts'
import { foundShare, wordsOf } from '#shared/text/words.ts'
import type { Clip, ClipSpan } from './clips.ts'

export type RunOutcome = {
  readonly result: Readonly<Record<string, unknown>>
  /** The samples of each part of the output. */
  readonly parts: readonly Float32Array[]
}
/** `expected` and `found` are for people; they hold no paths. */
export type Judgement = { readonly passes: boolean; readonly expected: string; readonly found: string }

const SILENT_DB = -60
/** Lengths that differ by less are equal: a resampler rounds. */
const LENGTH_SECONDS = 0.05
const Rate = z.object({ sample_rate: z.number().positive() })

/** `clip`: the recording of the run; null without one. Throws ZodError for a result of another operation. */
export function judgeRun(expect: Expectation, outcome: RunOutcome, clip: Clip | null): Judgement {
  const { result, parts } = outcome
  switch (expect.of) {
    case 'speech':
      return judgeSpeech(expect, Rate.parse(result).sample_rate, parts[0] ?? new Float32Array(0))
    case 'words': {
      const timedWords = expect.timed ? AsrResult.parse(result).segments.flatMap(({ words = [] }) => words) : null
      const text = 'texts' in result ? TranslateResult.parse(result).texts.join(' ') : AsrResult.parse(result).text
      return judgeWords(expect, text, timedWords, clip)
    }
    case 'sentences':
      return judgeSentences(expect.within, VadResult.parse(result).segments, clip?.sentences ?? [])
    case 'less noise':
      return judgeNoise(expect, Rate.parse(result).sample_rate, parts[0] ?? new Float32Array(0), clip!)
    case 'separation':
      return judgeSeparation(expect.voiceDb, Rate.parse(result).sample_rate, parts, clip!)
    case 'speakers': {
      const found = new Set(DiarizeResult.parse(result).segments.map(({ speaker }) => speaker)).size
      return { passes: found === expect.count, expected: `${expect.count} speakers`, found: `${found} speakers` }
    }
    case 'result':
      return { passes: Object.keys(result).length > 0, expected: 'any result', found: 'a result' }
    case 'language': {
      const { language } = IdentifyResult.parse(result)
      return { passes: language === expect.code, expected: expect.code, found: language || 'none' }
    }
  }
}

function judgeSpeech({ seconds, rate }: Extract<Expectation, { of: 'speech' }>, foundRate: number, samples: Float32Array): Judgement {
  const length = samples.length / foundRate
  const level = levelDb(samples)
  return {
    passes: foundRate === rate && length >= seconds[0] && length <= seconds[1] && level > SILENT_DB,
    expected: `${seconds[0]} to ${seconds[1]} s at ${rate} Hz, louder than ${SILENT_DB} dB`,
    found: `${length.toFixed(2)} s (${samples.length} samples) at ${foundRate} Hz, ${level.toFixed(1)} dB`,
  }
}

function judgeWords(
  { words, share }: Extract<Expectation, { of: 'words' }>,
  text: string,
  timed: readonly (ClipSpan & { readonly word: string })[] | null,
  clip: Clip | null,
): Judgement {
  const found = foundShare(words, text)
  const end = clip?.seconds ?? Number.POSITIVE_INFINITY
  const isText = text.trim() !== ''
  const isTimed =
    timed === null ||
    (timed.length > 0 &&
      timed.every((word, at) => word.end > word.start && word.end <= end + 0.1 && word.start >= (timed[at - 1]?.start ?? 0)))
  const least = Math.ceil(share * wordsOf(words).length)
  return {
    passes: isText && found >= share && isTimed,
    expected: `at least ${least} of these words: ${words}${timed === null ? '' : ', each with its time'}`,
    found: `${isText ? text.trim().slice(0, 400) : 'no words'}${isTimed ? '' : ' (words without valid times)'}`,
  }
}

const spansText = (spans: readonly ClipSpan[]): string =>
  spans.length === 0 ? 'no time' : spans.map(({ start, end }) => `${start.toFixed(2)}–${end.toFixed(2)} s`).join(', ')

function judgeSentences(within: number, found: readonly ClipSpan[], expected: readonly ClipSpan[]): Judgement {
  const isClose = (one: ClipSpan, other: ClipSpan) => Math.abs(one.start - other.start) <= within && Math.abs(one.end - other.end) <= within
  return {
    passes: found.length === expected.length && found.every((span, at) => isClose(span, expected[at]!)),
    expected: `speech at ${spansText(expected)}, within ${within} s`,
    found: `speech at ${spansText(found.slice(0, 20))}`,
  }
}

function judgeNoise(
  { noiseDb, speechDb }: Extract<Expectation, { of: 'less noise' }>,
  rate: number,
  samples: Float32Array,
  clip: Clip,
): Judgement {
  const [speech] = clip.sentences
  // The first half second is left out, in which a network settles.
  const noise = { start: 0.5, end: speech!.start - 0.2 }
  const drop = levelDb(cut(clip.samples, clip.rate, noise)) - levelDb(cut(samples, rate, noise))
  const change = levelDb(cut(samples, rate, speech!)) - levelDb(cut(clip.samples, clip.rate, speech!))
  const length = samples.length / rate
  return {
    passes: drop >= noiseDb && Math.abs(change) <= speechDb && Math.abs(length - clip.seconds) <= LENGTH_SECONDS,
    expected: `noise at least ${noiseDb} dB lower, speech within ${speechDb} dB, ${clip.seconds.toFixed(2)} s`,
    found: `noise ${drop.toFixed(1)} dB lower, speech ${change >= 0 ? '+' : ''}${change.toFixed(1)} dB, ${length.toFixed(2)} s`,
  }
}

function judgeSeparation(voiceDb: number, rate: number, parts: readonly Float32Array[], clip: Clip): Judgement {
  const [speech] = clip.sentences
  const lengths = parts.map(({ length }) => length / rate)
  const lead = parts.length < 2 ? 0 : levelDb(cut(parts[0]!, rate, speech!)) - levelDb(cut(parts[1]!, rate, speech!))
  return {
    passes: parts.length === 2 && lengths.every((length) => Math.abs(length - clip.seconds) <= LENGTH_SECONDS) && lead >= voiceDb,
    expected: `2 parts of ${clip.seconds.toFixed(2)} s, the voice at least ${voiceDb} dB louder in the first`,
    found: `${parts.length} parts of ${lengths.map((length) => length.toFixed(2)).join(' and ')} s, the voice ${lead.toFixed(1)} dB louder in the first`,
  }
}

const cut = (samples: Float32Array, rate: number, { start, end }: ClipSpan): Float32Array =>
  samples.subarray(Math.round(start * rate), Math.round(end * rate))

/** The root mean square in dB of full scale; at least -120. */
export function levelDb(samples: Float32Array): number {
  let sum = 0
  for (const sample of samples) sum += sample * sample
  return 10 * Math.log10(Math.max(1e-12, sum / Math.max(1, samples.length)))
}
