// Asks the studio to speak, and reads its answer while it arrives: lines of JSON for a take, bytes for a file of another kind.
import { ApiError, ask } from '../api.js'

/** Short enough that the first sound comes soon, long enough that an engine hears where a sentence belongs. */
const CHUNK_CHARS = 120
/** What the other way of asking takes at most. */
export const FILE_CHARS = 4096
export const TAKE_CHARS = 200_000

/** Kinds of file; only the first is kept as a take. */
export const KINDS = [
  { id: 'wav', label: 'WAV, kept as a take' },
  { id: 'mp3', label: 'MP3 file, not kept' },
  { id: 'flac', label: 'FLAC file, not kept' },
  { id: 'opus', label: 'Opus file, not kept' },
  { id: 'aac', label: 'AAC file, not kept' },
]

const noticeOf = (response) => response.headers.get('x-svc-routing-reason') ?? ''

async function* linesOf(body) {
  let rest = ''
  for (const reader = body.pipeThrough(new TextDecoderStream()).getReader(); ; ) {
    const { value, done } = await reader.read()
    if (done) break
    const lines = (rest + value).split('\n')
    rest = lines.pop()
    for (const line of lines) if (line !== '') yield JSON.parse(line)
  }
}

function pcmOf(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
  return new Int16Array(bytes.buffer, 0, bytes.length >> 1)
}

/**
 * A take: `on.start` with the rate and the number of pieces, `on.piece` with each, then the take itself is the result.
 * Throws ApiError, or what an abort throws.
 */
export async function makeTake(wish, on, signal) {
  const form = new FormData()
  const fields = {
    text: wish.text,
    engine: wish.engine,
    voice: wish.voice,
    language: wish.language,
    instruct: wish.instruct,
    seed: wish.seed,
  }
  for (const [name, value] of Object.entries(fields)) if (value !== '') form.set(name, value)
  form.set('speed', String(wish.speed))
  form.set('stream', 'true')
  form.set('max_chunk_chars', String(CHUNK_CHARS))
  const response = await ask('POST', '/generate', { form, signal })
  const notices = [noticeOf(response)].filter(Boolean)
  for await (const line of linesOf(response.body)) {
    if (line.type === 'start')
      on.start({ sampleRate: line.sample_rate, crossfadeMs: line.crossfade_ms, total: line.total_chunks, notice: notices[0] ?? '' })
    if (line.type === 'chunk') on.piece(pcmOf(line.pcm), line.seq + 1)
    if (line.type === 'warning') notices.push(`${line.count} part(s) of the text had no sound and were left out: ${line.text.join(' | ')}`)
    if (line.type === 'error')
      throw new ApiError(500, line.detail, line, line.retryable ? 'It can be tried again as it is.' : 'Change what is asked for.')
    if (line.type === 'done')
      return { id: line.id, url: `/audio/${line.audio_path}`, file: line.audio_path, seconds: line.duration, seed: line.seed, notices }
  }
  throw new ApiError(0, 'the answer of the studio ended in the middle', null, 'Is the studio still running? Press Speak to try again.')
}

/** A file of another kind; it is whole when the result is there. */
export async function makeFile(wish, signal) {
  const body = {
    input: wish.text,
    model: wish.engine || 'tts-1',
    voice: wish.voice || 'default',
    response_format: wish.kind,
    speed: Number(wish.speed),
    language: wish.language || null,
    instruct: wish.instruct || null,
    seed: wish.seed === '' ? null : Number(wish.seed),
  }
  const response = await ask('POST', '/v1/audio/speech', { body, signal })
  const sound = await response.blob()
  // Without an encoder the studio answers WAV and says so.
  const file = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? `speech.${wish.kind}`
  return {
    id: null,
    sound,
    url: URL.createObjectURL(sound),
    file,
    seconds: null,
    seed: null,
    notices: [noticeOf(response)].filter(Boolean),
  }
}
