// Decodes speech window by window. Each window starts where the previous one ended.
import { WHISPER_RATE, WHISPER_WINDOW_SECONDS, type WhisperNetwork } from '#agent/engine/runtimes/transformers/whisper.ts'
import { seededRandom } from '#agent/engine/seam/random.ts'
import { beginningOf, type DecodedWindow, decodeWindow } from './window.ts'

/** The network invents words for shorter sound. */
const MIN_SECONDS = 0.1
/** Random numbers are used after a failed decoding only. The same recording has the same transcript. */
const SEED = 0

export type SpeechDecoding = {
  /** Code of the network; null to detect it in the first window. */
  readonly language: string | null
  readonly task: string
  readonly temperature: number
  readonly signal: AbortSignal
}
export type SpeechWindow = DecodedWindow & {
  /** Start in the speech, in seconds. */
  readonly from: number
  readonly samples: Float32Array
  readonly language: string
}
/** `window`: null while a window is decoded again. */
export type SpeechStep = { readonly share: number; readonly window: SpeechWindow | null }

function prefixOf({ isMultilingual, languages, tasks, startOfTranscript }: WhisperNetwork, language: string, task: string): number[] {
  if (!isMultilingual) return [startOfTranscript]
  return [startOfTranscript, languages.get(language), tasks.get(task)].filter((id) => id !== undefined)
}

/** `samples`: at WHISPER_RATE. Throws NON_FINITE_OUTPUT, and on abort. */
export async function* decodeSpeech(
  network: WhisperNetwork,
  samples: Float32Array,
  { language: requested, task, temperature, signal }: SpeechDecoding,
): AsyncGenerator<SpeechStep> {
  const length = samples.length / WHISPER_RATE
  const { unit } = seededRandom(SEED)
  let language = requested
  for (let from = 0; length - from >= MIN_SECONDS; ) {
    signal.throwIfAborted()
    const start = Math.round(from * WHISPER_RATE)
    const window = samples.slice(start, start + WHISPER_WINDOW_SECONDS * WHISPER_RATE)
    const encoded = await network.encode(window)
    const beginning = await beginningOf(network, encoded, signal)
    language ??= beginning.language ?? 'en'
    const request = { prefix: prefixOf(network, language, task), temperature, unit, signal }
    const decoding = decodeWindow(network, encoded, beginning, window.length / WHISPER_RATE, request)
    let step = await decoding.next()
    for (; !step.done; step = await decoding.next()) yield { share: from / length, window: null }
    const next = from + step.value.next
    yield { share: Math.min(1, next / length), window: { ...step.value, from, samples: window, language } }
    from = next
  }
}
