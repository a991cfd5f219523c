// Requests of the official Python client, openai 3.22.1, as they were on the wire. Each is replayed with its headers and its body unchanged,
// because the client is not a package of Debian 12 and tests install nothing.
import { wavHeader } from '#shared/audio/wav.ts'
import { type Arrived, request } from './http.ts'

const SAMPLES = 8_000
/** Half a second of silence at 16 kHz, the recording in all of these requests. */
const RECORDING = Buffer.concat([wavHeader({ sampleRate: 16_000, channels: 1, samples: SAMPLES }), Buffer.alloc(2 * SAMPLES)])
const COMMON = {
  Host: '127.0.0.1:38911',
  'Accept-Encoding': 'gzip, deflate',
  Connection: 'keep-alive',
  authorization: 'Bearer sk-local',
  'user-agent': 'OpenAI/Python 3.22.1',
  'x-stainless-lang': 'python',
  'x-stainless-package-version': '3.22.1',
  'x-stainless-os': 'Linux',
  'x-stainless-arch': 'x64',
  'x-stainless-runtime': 'CPython',
  'x-stainless-runtime-version': '3.11.7',
  'x-stainless-async': 'false',
  'x-stainless-retry-count': '0',
  'x-stainless-read-timeout': '600',
}
type Recorded = {
  readonly method: string
  readonly path: string
  readonly headers: Record<string, string>
  readonly body?: string | Buffer
}

const get = (path: string): Recorded => ({ method: 'GET', path, headers: { accept: 'application/json' } })
const json = (path: string, length: number, body: string): Recorded => ({
  method: 'POST',
  path,
  headers: { accept: 'application/octet-stream', 'content-type': 'application/json', 'Content-Length': String(length) },
  body,
})
const form = (path: string, length: number, boundary: string, fields: readonly (readonly [string, string])[]): Recorded => {
  const text = fields.map(([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`).join('')
  const file = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="speech.wav"\r\nContent-Type: audio/x-wav\r\n\r\n`
  return {
    method: 'POST',
    path,
    headers: {
      accept: 'application/json',
      'Content-Length': String(length),
      'Content-Type': `multipart/form-data; boundary=${boundary}`,
    },
    body: Buffer.concat([Buffer.from(text + file), RECORDING, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  }
}

/** By the call that produced them. */
const REQUESTS = {
  'models.list()': get('/v1/models'),
  "models.retrieve('whisper-1')": get('/v1/models/whisper-1'),
  'audio.speech.create(pcm)': json(
    '/v1/audio/speech',
    127,
    '{"input":"Hello from Python.","model":"gpt-4o-mini-tts","voice":"alloy","instructions":"Speak calmly.","response_format":"pcm"}',
  ),
  'audio.speech.create(wav)': json('/v1/audio/speech', 74, '{"input":"Hello.","model":"tts-1","voice":"alloy","response_format":"wav"}'),
  'audio.transcriptions.create(verbose_json)': form('/v1/audio/transcriptions', 16_734, '89dcce822fd69ba508a1a979de9d92a5', [
    ['model', 'whisper-1'],
    ['language', 'en'],
    ['response_format', 'verbose_json'],
    ['timestamp_granularities[]', 'word'],
    ['timestamp_granularities[]', 'segment'],
  ]),
  'audio.transcriptions.create(stream)': form('/v1/audio/transcriptions', 16_411, '394892f16b8d5e0e8a22bd5dec5c300d', [
    ['model', 'gpt-4o-transcribe'],
    ['stream', 'true'],
  ]),
  'audio.translations.create()': form('/v1/audio/translations', 16_312, '2bec2c5596ce9c66c7bdc0f8173e066f', [['model', 'whisper-1']]),
}

/** Replays the request of a call at `origin`. Node refuses to send it when the recorded length differs from the body. */
export function replay(origin: string, call: keyof typeof REQUESTS): Promise<Arrived> {
  const { path, headers, ...rest } = REQUESTS[call]
  return request(origin + path, { ...rest, headers: { ...COMMON, ...headers } })
}
