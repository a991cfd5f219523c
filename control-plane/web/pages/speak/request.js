// @ts-check
// Sends the text to the studio and reads the answer while it arrives: lines of JSON for a take, bytes for another kind of file.
import { ApiError, request } from '../../lib/api.js'
import { strings } from './strings.js'

/** @import { GenerateLine, SpeechRequestBody } from '../../lib/api-types.ts' */
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
/**
 * @typedef {object} Progress
 * @property {(start: { sampleRate: number, crossfadeMs: number, total: number, notice: string }) => void} start
 * @property {(pcm: Int16Array<ArrayBuffer>, done: number) => void} piece
 */

/** Small, so that the first sound comes soon; large enough that an engine knows the place of a sentence. */
const CHUNK_CHARS = 120
/** Limit of POST /v1/audio/speech. */
export const FILE_CHARS = 4096
export const TAKE_CHARS = 200_000

/** @param {Response} response */
const noticesOf = (response) => {
  const sentences = [response.headers.get('x-svc-routing-reason'), response.headers.get('x-svc-notice')]
  return [...new Set(sentences.filter((sentence) => sentence !== null))]
}

/** @param {Response} response @returns {AsyncGenerator<GenerateLine>} */
async function* linesOf({ body }) {
  if (!body) return
  let rest = ''
  for (const reader = body.pipeThrough(new TextDecoderStream()).getReader(); ; ) {
    const { value, done } = await reader.read()
    if (done) break
    const lines = (rest + value).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line !== '') yield JSON.parse(line)
  }
}

/** @param {string} text base64 of 16-bit samples */
function pcmOf(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
  return new Int16Array(bytes.buffer, 0, bytes.length >> 1)
}

/** @param {Draft} draft */
function formOf({ text, engine, voice, language, instruct, seed, speed }) {
  const form = new FormData()
  const fields = { text, engine, voice, language, instruct, seed }
  for (const [name, value] of Object.entries(fields)) if (value !== '') form.set(name, value)
  form.set('speed', speed)
  form.set('stream', 'true')
  form.set('max_chunk_chars', String(CHUNK_CHARS))
  return form
}

/**
 * Generates a take. Calls `on.start` with the rate and the number of pieces, then `on.piece` with each. Throws ApiError, or the reason of an abort.
 * @param {Draft} draft
 * @param {Progress} on
 * @param {AbortSignal} signal
 * @returns {Promise<Generated>}
 */
export async function generateTake(draft, on, signal) {
  const response = await request('POST', '/generate', { form: formOf(draft), signal })
  const notices = noticesOf(response)
  for await (const line of linesOf(response)) {
    switch (line.type) {
      case 'start':
        on.start({ sampleRate: line.sample_rate, crossfadeMs: line.crossfade_ms, total: line.total_chunks, notice: notices[0] ?? '' })
        break
      case 'chunk':
        on.piece(pcmOf(line.pcm), line.seq + 1)
        break
      case 'warning':
        notices.push(strings.silentParts(line.count, line.text.join(' | ')))
        break
      case 'error':
        throw new ApiError(500, line.detail, line, line.retryable ? strings.retryHint : strings.changeHint)
      case 'done':
        return { id: line.id, url: `/audio/${line.audio_path}`, file: line.audio_path, notices }
    }
  }
  throw new ApiError(0, strings.brokenAnswer, null, strings.brokenAnswerHint)
}

/**
 * Generates a file of another kind, which is complete when the result arrives. Throws as `generateTake` does.
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
