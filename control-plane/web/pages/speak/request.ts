// Sends the text to the studio: as a job for a take, or as one request for another kind of file.
import { request } from '#control-plane/web/lib/api.ts'
import type { SpeechRequestBody } from '#control-plane/web/lib/api-types.ts'
import type { Draft } from './draft.ts'

/** take that the player shows */
export type Take = {
  /** null for a file that is not kept as a take */
  id: string | null
  url: string
  file: string
  text: string
  autoplay: boolean
  /** the bytes, when only the page has them */
  sound?: Blob
}
export type Generated = Omit<Take, 'text' | 'autoplay'> & { readonly notices: string[] }
/** Small, so that the first sound comes soon; large enough that an engine knows the place of a sentence. */
const CHUNK_CHARS = 120

const noticesOf = (response: Response) => {
  const sentences = [response.headers.get('x-svc-routing-reason'), response.headers.get('x-svc-notice')]
  return [...new Set(sentences.filter((sentence) => sentence !== null))]
}

function formOf({ text, engine, voice, language, instruct, seed, speed }: Draft) {
  const form = new FormData()
  const fields = { text, engine, voice, language, instruct, seed }
  for (const [name, value] of Object.entries(fields)) if (value !== '') form.set(name, value)
  form.set('speed', speed)
  form.set('max_chunk_chars', String(CHUNK_CHARS))
  return form
}

/** Starts a take, which continues without the page. Returns the id of its job. Throws ApiError. */
export async function startTake(draft: Draft) {
  const response = await request('POST', '/generate', { form: formOf(draft), headers: { prefer: 'respond-async' } })
  const { id }: { id: string } = await response.json()
  return id
}

/** Generates a file of another kind, which is complete when the result arrives. Throws ApiError, or the reason of an abort. */
export async function generateFile(draft: Draft, signal: AbortSignal): Promise<Generated> {
  const body: SpeechRequestBody = {
    input: draft.text,
    model: draft.engine || 'tts-1',
    voice: draft.voice || 'default',
    response_format: draft.kind,
    speed: Number(draft.speed),
    language: draft.language || null,
    instruct: draft.instruct || null,
    seed: draft.seed === '' ? null : Number(draft.seed),
  }
  const response = await request('POST', '/v1/audio/speech', { body, signal })
  const sound = await response.blob()
  // Without an encoder the studio answers WAV, and the header has its name.
  const file = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? `speech.${draft.kind}`
  return { id: null, sound, url: URL.createObjectURL(sound), file, notices: noticesOf(response) }
}

/**
 * The notice of a take without the sentence about the substitute that the form shows already. `substitutes`: the sentences of the form
 */
export function informationOf(notice: string, substitutes: readonly string[]) {
  const substitute = substitutes.find((sentence) => notice.startsWith(sentence)) ?? ''
  return notice.slice(substitute.length).trim()
}
