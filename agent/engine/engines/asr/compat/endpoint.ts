// One call of an OpenAI-compatible recogniser: a recording goes out as a form, segments and words come back. The key is in a header and nowhere
// else; redirects are refused, or the key would go to whoever is named there.

import { z } from 'zod'
import { Failure } from '#shared/protocol/failure.ts'
import type { Endpoint } from '#shared/sidecar/endpoint.ts'

export type Transcription = z.output<typeof Reply>

const MOST_BYTES = 16 * 1024 * 1024
const PATIENCE_MS = 15 * 60_000

const seconds = z.number().min(0).max(86_400)
const Word = z.object({ word: z.string().max(1_000), start: seconds, end: seconds })
const Reply = z.object({
  text: z.string().max(4_000_000),
  language: z.string().max(64).nullish(),
  duration: z.coerce.number().min(0).max(86_400).nullish(),
  segments: z
    .array(z.object({ start: seconds, end: seconds, text: z.string().max(100_000) }))
    .max(100_000)
    .nullish(),
  words: z.array(Word).max(1_000_000).nullish(),
})

type Wish = { readonly wav: Uint8Array; readonly language: string | null; readonly words: boolean; readonly signal: AbortSignal }

/** Whatever goes wrong is WORKER_FAILED and names the setting to look at; neither key nor URL is ever repeated. */
export async function transcribe({ baseUrl, model, apiKey }: Endpoint, { wav, language, words, signal }: Wish): Promise<Transcription> {
  const form = new FormData()
  form.set('file', new Blob([Uint8Array.from(wav)], { type: 'audio/wav' }), 'audio.wav')
  form.set('model', model)
  form.set('response_format', 'verbose_json')
  if (language) form.set('language', language)
  form.append('timestamp_granularities[]', 'segment')
  if (words) form.append('timestamp_granularities[]', 'word')
  const failed = (what: string, cause?: unknown) => new Failure('WORKER_FAILED', `the recognition endpoint ${what}`, { cause })
  const patience = AbortSignal.timeout(PATIENCE_MS)
  const both = AbortSignal.any([signal, patience])
  let response: Response
  try {
    response = await fetch(`${baseUrl.replace(/\/+$/, '')}/audio/transcriptions`, {
      method: 'POST',
      body: form,
      headers: { accept: 'application/json', ...(apiKey !== '' && { authorization: `Bearer ${apiKey}` }) },
      redirect: 'error',
      signal: both,
    })
  } catch (cause) {
    signal.throwIfAborted()
    throw failed(patience.aborted ? 'did not answer in time' : 'cannot be reached: check its URL in the settings', cause)
  }
  if (!response.ok) {
    await response.body?.cancel()
    throw failed(complaint(response.status))
  }
  const text = await bounded(response, failed).catch((error) => {
    signal.throwIfAborted()
    throw error instanceof Failure ? error : failed('broke off its answer', error)
  })
  const parsed = Reply.safeParse(parse(text))
  if (!parsed.success) throw failed('answered with something else than a transcription')
  return parsed.data
}

function complaint(status: number): string {
  if (status === 401 || status === 403) return `refused the key (${status}): check it in the settings`
  if (status === 404) return 'has no /audio/transcriptions, or not this model (404): check its URL and model in the settings'
  if (status === 413) return 'takes no recording of this length (413)'
  if (status === 429) return 'is busy or its quota is used up (429)'
  return `answered with status ${status}`
}

async function bounded(response: Response, failed: (what: string) => Failure): Promise<string> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of response.body ?? []) {
    bytes += piece.length
    if (bytes > MOST_BYTES) throw failed('answered with more than 16 MiB')
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
