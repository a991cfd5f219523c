// @ts-check
// Sends the text to the studio: as a job for a take, or as one request for another kind of file.
import { request } from '../../lib/api.js'

/** @import { SpeechRequestBody } from '../../lib/api-types.ts' */
/** @import { Draft } from './draft.js' */
/**
 * @typedef {object} Take what the player shows
 * @property {string | null} id null for a file that is not kept as a take
 * @property {string} url
 * @property {string} file
 * @property {string} text
 * @property {boolean} autoplay
 * @property {Blob} [sound] the bytes, when only the page has them
 */
/** @typedef {Omit<Take, 'text' | 'autoplay'> & { readonly notices: string[] }} Generated */
/** Small, so that the first sound comes soon; large enough that an engine knows the place of a sentence. */
const CHUNK_CHARS = 120

/** @param {Response} response */
const noticesOf = (response) => {
  const sentences = [response.headers.get('x-svc-routing-reason'), response.headers.get('x-svc-notice')]
  return [...new Set(sentences.filter((sentence) => sentence !== null))]
}

/** @param {Draft} draft */
function formOf({ text, engine, voice, language, instruct, seed, speed }) {
  const form = new FormData()
  const fields = { text, engine, voice, language, instruct, seed }
  for (const [name, value] of Object.entries(fields)) if (value !== '') form.set(name, value)
  form.set('speed', speed)
  form.set('max_chunk_chars', String(CHUNK_CHARS))
  return form
}

/** Starts a take, which continues without the page. Returns the id of its job. Throws ApiError. @param {Draft} draft */
export async function startTake(draft) {
  const response = await request('POST', '/generate', { form: formOf(draft), headers: { prefer: 'respond-async' } })
  /** @type {{ id: string }} */
  const { id } = await response.json()
  return id
}

/**
 * Generates a file of another kind, which is complete when the result arrives. Throws ApiError, or the reason of an abort.
 * @param {Draft} draft
 * @param {AbortSignal} signal
 * @returns {Promise<Generated>}
 */
export async function generateFile(draft, signal) {
  /** @type {SpeechRequestBody} */
  const body = {
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
