// Decodes one window: measures whether it has speech, decodes it at rising temperatures until the text is credible, and divides it into
// sentences.
import type { EncodedWindow, WhisperNetwork } from '#agent/engine/runtimes/transformers/whisper.ts'
import type { AsrSegment } from '#shared/operations/asr.ts'
import { chooseToken, probabilityOf } from './choice.ts'
import { compressionRatio, type DecodingAttempt, isSettled, judge, temperaturesFrom, type Verdict } from './guards.ts'
import { applyRules } from './rules.ts'
import { divideTokens, type Rest } from './segments.ts'

export type WindowRequest = {
  /** Tokens of the prefix: the start, and for a model of several languages the language and the task. */
  readonly prefix: readonly number[]
  readonly temperature: number
  /** Random numbers in [0, 1). */
  readonly unit: () => number
  readonly rest: Rest
  readonly signal: AbortSignal
}
export type DecodedWindow = {
  readonly verdict: Verdict
  /** Seconds from the start of the window; text with its own leading blank. */
  readonly segments: readonly AsrSegment[]
  readonly next: number
}
/** Findings of the network at the start of a window. */
export type Beginning = {
  /** The code of the likeliest language; null for a model of one language. */
  readonly language: string | null
  /** Probability of that language among all, or among the expected ones. */
  readonly confidence: number
  /** Probability that the window has no speech. */
  readonly noSpeech: number
}

/** `expected`: codes of languages; empty for all. */
export async function beginningOf(
  network: WhisperNetwork,
  window: EncodedWindow,
  expected: readonly string[],
  signal: AbortSignal,
): Promise<Beginning> {
  let language: string | null = null
  let confidence = 0
  let noSpeech = 0
  await network.generate(window, {
    prefix: [network.startOfTranscript],
    maxTokens: 1,
    isFiltered: false,
    pick: (logits) => {
      noSpeech = probabilityOf(logits, network.noSpeech)
      // Anything but a language is forbidden here.
      const candidates = [...network.languages].filter(([code]) => expected.length === 0 || expected.includes(code))
      const likeliest = candidates.reduce<(typeof candidates)[number] | null>(
        (best, one) => (best === null || logits[one[1]]! > logits[best[1]]! ? one : best),
        null,
      )
      if (likeliest) {
        const [code, best] = likeliest
        language = code
        confidence = 1 / candidates.reduce((sum, [, id]) => sum + Math.exp(logits[id]! - logits[best]!), 0)
      }
      return network.endOfText
    },
    signal,
  })
  return { language, confidence, noSpeech }
}

async function decodeAt(
  network: WhisperNetwork,
  window: EncodedWindow,
  temperature: number,
  { prefix, unit, signal }: WindowRequest,
): Promise<DecodingAttempt> {
  let sum = 0
  const tokens = await network.generate(window, {
    prefix,
    maxTokens: network.maxLength - prefix.length - 1,
    isFiltered: true,
    pick: (logits, before) => {
      applyRules(logits, before, network)
      const { token, logProbability } = chooseToken(logits, temperature, unit)
      sum += logProbability
      return token
    },
    signal,
  })
  const text = network.textOf(tokens.filter((token) => token < network.endOfText))
  return { tokens, text, temperature, averageLogProbability: sum / (tokens.length + 1) }
}

/** `seconds`: length of the sound in the window. Yields after each decoding. */
export async function* decodeWindow(
  network: WhisperNetwork,
  window: EncodedWindow,
  { noSpeech }: Beginning,
  seconds: number,
  request: WindowRequest,
): AsyncGenerator<void, DecodedWindow> {
  const attempts: DecodingAttempt[] = []
  for (const temperature of temperaturesFrom(request.temperature)) {
    const attempt = await decodeAt(network, window, temperature, request)
    attempts.push(attempt)
    if (isSettled(attempt, noSpeech)) break
    yield
  }
  const { attempt, verdict } = judge(attempts, noSpeech)
  const { segments, next } = divideTokens(attempt.tokens, seconds, network, request.rest)
  // As in the reference, a silent window is skipped as a whole.
  if (verdict === 'silent') return { verdict, segments: [], next: seconds }
  if (verdict === 'repeats') return { verdict, segments: [], next: seconds }
  const decoding = {
    temperature: attempt.temperature,
    avg_logprob: attempt.averageLogProbability,
    compression_ratio: compressionRatio(attempt.text),
    no_speech_prob: noSpeech,
  }
  const timed = segments.flatMap(({ start, end, tokens }): AsrSegment[] => {
    const text = network.textOf(tokens.filter((token) => token < network.endOfText))
    return text.trim() === '' ? [] : [{ start, end, text, decoding: { ...decoding, tokens: [...tokens] } }]
  })
  return { verdict, segments: timed, next }
}
