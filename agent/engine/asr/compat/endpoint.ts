// Calls an OpenAI-compatible recogniser: sends a recording as a form, receives segments and words. The key is only in a header, and
// redirects are rejected, because they would send the key to another server.

import { z } from 'zod'
import { Failure } from '#shared/protocol/failure.ts'
import type { Endpoint } from '#shared/sidecar/endpoint.ts'
import { englishNameOf } from '#shared/text/languages/language-names.ts'
import { trimEndOf } from '#shared/text/trim.ts'

export type Transcription = z.output<typeof Reply>
export type SegmentReply = z.output<typeof Segment>

const MAX_REPLY_BYTES = 16 * 1024 * 1024
const TIMEOUT_MS = 15 * 60_000

const seconds = z.number().min(0).max(86_400)
/** Figures that cannot be read are left out; the text counts. */
const figure = z.number().optional().catch(undefined)
const Segment = z.object({
  start: seconds,
  end: seconds,
  text: z.string().max(100_000),
  tokens: z.array(z.int()).max(10_000).optional().catch(undefined),
  temperature: figure,
  avg_logprob: figure,
  compression_ratio: figure,
  no_speech_prob: figure,
})
const Word = z.object({ word: z.string().max(1_000), start: seconds, end: seconds })
const Reply = z.object({
  text: z.string().max(4_000_000),
  language: z.string().max(64).nullish(),
  duration: z.coerce.number().min(0).max(86_400).nullish(),
  segments: z.array(Segment).max(100_000).nullish(),
  words: z.array(Word).max(1_000_000).nullish(),
})

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz']
let codes: ReadonlyMap<string, string> | null = null
/** The ISO 639-1 code for the English name of a language, which such servers return. Any other text is returned unchanged. */
export function codeOfLanguage(name: string): string {
  codes ??= new Map(
    LETTERS.flatMap((first) => LETTERS.map((second) => [englishNameOf(first + second)?.toLowerCase() ?? '', first + second])),
  )
  return codes.get(name.trim().toLowerCase()) ?? name
}

type TranscriptionRequest = {
  readonly wav: Uint8Array
  readonly language: string | null
  readonly words: boolean
  readonly signal: AbortSignal
}

/**
 * Throws RECOGNITION_FAILED, which is not repeated and not charged to the machine: another attempt would reach the same server. The message
 * names the setting to check, and never contains the key or the URL.
 */
export async function transcribe(
  { baseUrl, model, apiKey }: Endpoint,
  { wav, language, words, signal }: TranscriptionRequest,
): Promise<Transcription> {
  const form = new FormData()
  form.set('file', new Blob([Uint8Array.from(wav)], { type: 'audio/wav' }), 'audio.wav')
  form.set('model', model)
  form.set('response_format', 'verbose_json')
  if (language) form.set('language', language)
  form.append('timestamp_granularities[]', 'segment')
  if (words) form.append('timestamp_granularities[]', 'word')
  const failed = (what: string, cause?: unknown) => new Failure('RECOGNITION_FAILED', `The recognition endpoint ${what}.`, { cause })
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  const both = AbortSignal.any([signal, timeout])
  let response: Response
  try {
    response = await fetch(`${trimEndOf(baseUrl, '/')}/audio/transcriptions`, {
      method: 'POST',
      body: form,
      headers: { accept: 'application/json', ...(apiKey !== '' && { authorization: `Bearer ${apiKey}` }) },
      redirect: 'error',
      signal: both,
    })
  } catch (cause) {
    signal.throwIfAborted()
    throw failed(timeout.aborted ? 'did not answer in time' : 'cannot be reached. Check its URL in the settings', cause)
  }
  if (!response.ok) {
    await response.body?.cancel()
    throw failed(statusMessage(response.status))
  }
  const text = await readLimited(response, failed).catch((error) => {
    signal.throwIfAborted()
    throw error instanceof Failure ? error : failed('interrupted its answer', error)
  })
  const parsed = Reply.safeParse(parse(text))
  if (!parsed.success) throw failed('did not answer with a transcription')
  return parsed.data
}

function statusMessage(status: number): string {
  if (status === 401 || status === 403) return `rejected the key (${status}). Check it in the settings`
  if (status === 404) return 'has no /audio/transcriptions, or does not have this model (404). Check its URL and model in the settings'
  if (status === 413) return 'does not accept a recording of this length (413)'
  if (status === 429) return 'is busy, or its quota is used up (429)'
  return `answered with status ${status}`
}

async function readLimited(response: Response, failed: (what: string) => Failure): Promise<string> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of response.body ?? []) {
    bytes += piece.length
    if (bytes > MAX_REPLY_BYTES) throw failed('answered with more than 16 MiB')
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
