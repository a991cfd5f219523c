// `/ws/tts`: a text in, its audio out during synthesis. A socket serves any number of requests, one at a time.
import { z } from 'zod'
import { messageFor } from '#control-plane/http/contract/errors.ts'
import type { SocketMessage } from '#control-plane/http/socket/messages.ts'
import type { SocketRoute } from '#control-plane/http/socket/socket.ts'
import { type Notice, sentencesOf } from '#control-plane/inference/notice.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { speechSocket } from '../speech.contract.ts'
import { SpeechBody, speakable, textFormat } from '../speech.schema.ts'
import type { createSpeech } from '../speech.service.ts'
import type { SpokenMark } from '../text/mark-times.ts'

type Deps = { readonly speech: ReturnType<typeof createSpeech>; readonly clock: Clock }

const CONNECTIONS_PER_CLIENT = 16
const MAX_BYTES = 64 * 1024
const IDLE_MS = 10 * 60_000
/** UTF-16 units of a text. */
const MAX_CHARS = 4096

const { voice, language, speed, instruct, description, seed } = SpeechBody.shape
const Request = z.object({
  text: speakable(MAX_CHARS),
  text_format: textFormat,
  engine: z
    .string()
    .max(64)
    .nullish()
    .transform((id) => id || 'tts-1'),
  voice: voice.nullish().transform((id) => id ?? 'default'),
  speed: speed.nullish().transform((factor) => factor ?? 1),
  language,
  instruct,
  description,
  seed,
})
const FIELDS = Object.keys(Request.shape)

/** Throws BAD_REQUEST that names the first wrong field. */
function parseRequest(message: SocketMessage): { readonly request: z.output<typeof Request>; readonly ignored: readonly string[] } {
  if (typeof message !== 'string') throw new Failure('BAD_REQUEST', 'Send a text message with JSON, such as {"text": "Hello."}.')
  const json = z.record(z.string(), z.unknown()).safeParse(jsonOf(message))
  if (!json.success) throw new Failure('BAD_REQUEST', 'The message is not a JSON object.')
  const { success, data, error } = Request.safeParse(json.data)
  if (success) return { request: data, ignored: Object.keys(json.data).filter((name) => !FIELDS.includes(name)) }
  const { path, message: why } = error.issues[0]!
  throw new Failure('BAD_REQUEST', `The field ${path.join('.') || 'text'} is invalid: ${why}.`)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

export const ttsSocket = ({ speech, clock }: Deps): SocketRoute => ({
  contract: speechSocket,
  connectionsPerClient: CONNECTIONS_PER_CLIENT,
  receives: { mostBytes: MAX_BYTES, idleMs: IDLE_MS },
  async *frames({ messages, signal }) {
    for await (const message of messages) {
      try {
        yield* answer({ speech, clock }, message, signal)
      } catch (error) {
        if (signal.aborted) return
        const failure = Failure.from(error)
        yield JSON.stringify({ type: 'error', detail: messageFor(failure) })
        if (failure.code === 'UNKNOWN') throw failure // it is logged, and the socket is closed
      }
    }
  },
})

async function* answer({ speech, clock }: Deps, message: SocketMessage, signal: AbortSignal): AsyncGenerator<string | Uint8Array> {
  const startedAt = clock.mono()
  const { request, ignored } = parseRequest(message)
  const { text: input, engine: model, ...rest } = request
  const body = SpeechBody.parse({ input, model, response_format: 'pcm', ...rest })
  const call = { idempotencyKey: null, sendsMarks: true, signal, traceparent: '' }
  const { engine, sampleRate, notice, voice, marks, body: audio } = await speech.speak(body, call)
  if (notice || ignored.length > 0) yield routing(notice, ignored)
  yield JSON.stringify({ type: 'start', sample_rate: sampleRate, channels: 1, format: 'pcm16', engine, voice })
  let bytes = 0
  let firstMs = 0
  for await (const frame of audio) {
    yield* passed(marks)
    if (frame.length === 0) continue
    if (bytes === 0) firstMs = clock.mono() - startedAt
    bytes += frame.length
    yield frame
  }
  yield* passed(marks)
  const seconds = bytes / 2 / sampleRate!
  const tookSeconds = (clock.mono() - startedAt) / 1000
  yield JSON.stringify({
    type: 'done',
    duration: rounded(seconds),
    gen_time: rounded(tookSeconds),
    ttfa_ms: Math.round(firstMs),
    rtf: seconds > 0 ? rounded(tookSeconds / seconds) : 0,
  })
}

const passed = (marks: () => readonly SpokenMark[]): string[] =>
  marks().map(({ name, seconds }) => JSON.stringify({ type: 'mark', name, time: seconds }))

const routing = (notice: Notice | null, ignored: readonly string[]): string =>
  JSON.stringify({
    type: 'routing',
    routing: notice?.routing ?? 'notice',
    reason: notice ? sentencesOf(notice) : '',
    // Names of a client, which may send any.
    ...(ignored.length > 0 && { ignored_fields: ignored.slice(0, 16).map((name) => name.slice(0, 64)) }),
  })

/** Two decimals. */
const rounded = (value: number): number => Math.round(value * 100) / 100
