// Decodes speech window by window. Each window starts where the previous one ended. What the voice detector found and no segment covers is
// decoded again by itself.
import type { Stretch } from '#agent/engine/audio/condensed.ts'
import { WHISPER_RATE, WHISPER_WINDOW_SECONDS, type WhisperNetwork } from '#agent/engine/runtimes/transformers/whisper.ts'
import { seededRandom } from '#agent/engine/seam/random.ts'
import type { AsrSegment } from '#shared/operations/asr.ts'
import { languageAfter } from '../languages.ts'
import { type CondensedSpeech, onsetOf, pauseWithin, uncovered, voiceWithin } from './coverage.ts'
import type { Verdict } from './guards.ts'
import { beginningOf, type DecodedWindow, decodeWindow } from './window.ts'
import { wordTimes } from './window-words.ts'

/** The network invents words for shorter sound. */
const MIN_SECONDS = 0.1
/** Random numbers are used after a failed decoding only. The same recording has the same transcript. */
const SEED = 0
/** A part that is nearly the whole window would be decoded to the same result. */
const MAX_OF_WINDOW = 0.9

export type SpeechDecoding = {
  /** Code of the network; null to detect it. */
  readonly language: string | null
  /** Codes of the languages that detection chooses among; empty for all. */
  readonly expected: readonly string[]
  readonly task: string
  /** A text with words that are likely; null for none. */
  readonly prompt: string | null
  readonly temperature: number
  /** True if segments have the times of their words, where the network can tell them. */
  readonly words: boolean
  readonly signal: AbortSignal
}
export type DecodedSegment = AsrSegment & { readonly language: string }
/** All times are seconds in the speech. */
export type SpeechWindow = Stretch & {
  readonly verdict: Verdict
  readonly language: string
  /** Segments whose texts have a leading blank. */
  readonly segments: readonly DecodedSegment[]
}
/** `window`: null while a window is decoded again. */
export type SpeechStep = { readonly share: number; readonly window: SpeechWindow | null }

function prefixOf({ isMultilingual, languages, tasks, startOfTranscript }: WhisperNetwork, language: string, task: string): number[] {
  if (!isMultilingual) return [startOfTranscript]
  return [startOfTranscript, languages.get(language), tasks.get(task)].filter((id) => id !== undefined)
}

type Decoded = Omit<DecodedWindow, 'segments'> & { readonly segments: readonly DecodedSegment[]; readonly language: string }

/** The tokens before the prefix of each window, as many as the reference takes: half of what a window holds, the last ones. */
function promptTokens({ endOfText, maxLength, startOfPrevious, tokensOf }: WhisperNetwork, prompt: string | null): number[] {
  if (prompt === null || prompt.trim() === '') return []
  // A prompt is text: special tokens in it are left out.
  const tokens = tokensOf(` ${prompt.trim()}`).filter((token) => token < endOfText)
  return tokens.length === 0 ? [] : [startOfPrevious, ...tokens.slice(1 - Math.floor(maxLength / 2))]
}

/** Throws NON_FINITE_OUTPUT, and on abort. */
export async function* decodeSpeech(
  network: WhisperNetwork,
  speech: CondensedSpeech,
  { language: requested, expected, task, prompt, temperature, words, signal }: SpeechDecoding,
): AsyncGenerator<SpeechStep> {
  const { samples, voice } = speech
  const length = samples.length / WHISPER_RATE
  const { unit } = seededRandom(SEED)
  const before = promptTokens(network, prompt)
  let language = requested

  async function* decode({ start, end }: Stretch, isLast: boolean): AsyncGenerator<SpeechStep, Decoded> {
    signal.throwIfAborted()
    const window = samples.slice(Math.round(start * WHISPER_RATE), Math.round(end * WHISPER_RATE))
    const encoded = await network.encode(window)
    const beginning = await beginningOf(network, encoded, expected, signal)
    const own = requested ?? languageAfter(language, beginning)
    const rest = { isLast, voiceAfter: (at: number) => voiceWithin(voice, start + at, end) }
    const prefix = prefixOf(network, own, task)
    const request = { prefix: [...before, ...prefix], temperature, unit, rest, signal }
    const decoding = decodeWindow(network, encoded, beginning, window.length / WHISPER_RATE, request)
    let step = await decoding.next()
    for (; !step.done; step = await decoding.next()) yield { share: start / length, window: null }
    const { verdict, segments, next } = step.value
    // Times of words are exacter than the timestamps of segments.
    const timed = await wordTimes(network, encoded, segments, { prefix, language: own, seconds: window.length / WHISPER_RATE })
    return {
      verdict,
      segments: segments.map((one, at) => {
        const ofSegment = timed[at]?.map((word) => ({ ...word, start: start + word.start, end: start + word.end })) ?? []
        const [first, last] = [ofSegment[0], ofSegment.at(-1)]
        const isTimed = first !== undefined && last !== undefined && first.start < last.end
        const place = isTimed ? { start: onsetOf(first, voice), end: last.end } : { start: start + one.start, end: start + one.end }
        return { ...one, ...place, language: own, ...(words && ofSegment.length > 0 && { words: ofSegment }) }
      }),
      next: start + next,
      language: own,
    }
  }

  /** The segments of the parts of a window that have a voice and no words. Doubtful text is not added. */
  async function* decodeParts(window: Stretch, segments: readonly DecodedSegment[]): AsyncGenerator<SpeechStep, DecodedSegment[]> {
    const found: DecodedSegment[] = []
    for (const part of uncovered(window, segments, speech)) {
      if (part.end - part.start > MAX_OF_WINDOW * (window.end - window.start)) continue
      const decoded = yield* decode(part, true)
      if (decoded.verdict === 'accepted') found.push(...decoded.segments)
      yield { share: window.start / length, window: null }
    }
    return found
  }

  /** Time at which a window must end before its 30 s, because a segment would reach over a removed pause. */
  let limit = Number.POSITIVE_INFINITY
  for (let from = 0; length - from >= MIN_SECONDS; ) {
    const to = Math.min(length, from + WHISPER_WINDOW_SECONDS, limit)
    const decoded = yield* decode({ start: from, end: to }, to === length || to === limit)
    const pauses = decoded.segments.map((segment) => pauseWithin(segment, speech))
    const crossing = pauses.findIndex((pause) => pause !== null && pause - from >= MIN_SECONDS)
    // The sentence before the pause is decoded again with a window that ends there.
    const next = crossing < 0 ? decoded.next : crossing === 0 ? from : Math.max(from, decoded.segments[crossing]!.start)
    const kept = crossing < 0 ? decoded.segments : decoded.segments.slice(0, crossing)
    if (crossing >= 0) limit = pauses[crossing]!
    else if (next >= limit - MIN_SECONDS) limit = Number.POSITIVE_INFINITY
    if (next > from) {
      const { language: own } = decoded
      language = own
      const window = { start: from, end: next }
      const segments = [...kept, ...(yield* decodeParts(window, kept))].sort((left, right) => left.start - right.start)
      yield { share: Math.min(1, next / length), window: { ...window, verdict: decoded.verdict, language: own, segments } }
    } else yield { share: from / length, window: null }
    from = next
  }
}
