// One connection: reads the events of a client and answers them, one after the other.
import type { Socket } from 'node:net'
import type { z } from 'zod'
import { fromServer, messageFor } from '#control-plane/http/contract/errors.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import { type DescribeDeps, describeStudio } from './describe.ts'
import { type Manner, TEXT_CHARS, WYOMING_REQUESTS } from './events.schema.ts'
import { bytesOfEvent, createEventReader, type WyomingEvent } from './frames.ts'
import { createRecording, type RecordingDeps } from './recording.ts'
import { createSound, type SpeakingDeps } from './speaking.ts'
import { createSentenceCutter, textPieces } from './texts.rules.ts'

export type ConnectionDeps = SpeakingDeps & RecordingDeps & DescribeDeps & { readonly clock: Clock; readonly log: Log }
type Requests = typeof WYOMING_REQUESTS
type Sound = ReturnType<typeof createSound>
type Stream = { readonly sound: Sound; readonly cutter: ReturnType<typeof createSentenceCutter>; chars: number }

/** Longest silence between two events. */
const IDLE_MS = 5 * 60_000
/** Time for the rest of an event that has begun. */
const REST_MS = 30_000
/** Time for a client to take what was sent. */
const TAKE_MS = 60_000
/** Bytes that wait while an event is answered. More are left to TCP. */
const WAITING_BYTES = 256 * 1024
/** A client may send one byte at a time. */
const WAITING_PIECES = 1024

/** Resolves when the connection has ended. Never rejects. `ended`: aborts when the client has left or the studio stops. */
export async function serveWyoming(socket: Socket, deps: ConnectionDeps, ended: AbortController): Promise<void> {
  const { clock, log } = deps
  const { signal } = ended
  const recording = createRecording(deps)
  let language: string | null = null
  let stream: Stream | null = null

  function send(bytes: Buffer): Promise<void> {
    // A client that has closed its own side still receives what was asked for before.
    if (!socket.writable) throw new Failure('CANCELLED', 'The client has left.')
    return new Promise((resolve, reject) => {
      const late = () => socket.destroy()
      const forget = clock.after(TAKE_MS, late)
      socket.write(bytes, (error) => {
        forget()
        if (error) reject(new Failure('CANCELLED', 'The client has left.', { cause: error }))
        else resolve()
      })
    })
  }

  async function speakWhole(text: string, manner: Manner): Promise<void> {
    const sound = createSound(deps, manner, send, signal)
    const pieces = manner.text_format === 'ssml' || /^\s*<speak/.test(text) ? [text] : textPieces(text, manner.voice.language ?? '')
    for (const piece of pieces) await sound.speak(piece)
    await sound.end()
  }

  async function speakSentences({ sound }: Stream, sentences: readonly string[]): Promise<void> {
    for (const sentence of sentences) await sound.speak(sentence)
  }

  /** By type; others are ignored. */
  const answers: { readonly [Type in keyof Requests]: (data: z.output<Requests[Type]>) => Promise<void> | void } = {
    ping: ({ text }) => send(bytesOfEvent('pong', text === null ? {} : { text })),
    async synthesize({ text, ...manner }) {
      // Sent within a stream, it repeats the whole text for servers that cannot read streams.
      if (!stream) await speakWhole(text, manner)
    },
    'synthesize-start': (manner) => {
      stream = { sound: createSound(deps, manner, send, signal), cutter: createSentenceCutter(manner.voice.language ?? ''), chars: 0 }
    },
    async 'synthesize-chunk'({ text }) {
      if (!stream) throw new Failure('BAD_REQUEST', 'A synthesize-chunk needs a synthesize-start before it.')
      stream.chars += text.length
      if (stream.chars > TEXT_CHARS)
        throw new Failure('BODY_TOO_LARGE', `A text has at most ${TEXT_CHARS.toLocaleString('en')} characters.`)
      await speakSentences(stream, stream.cutter.add(text))
    },
    async 'synthesize-stop'() {
      if (!stream) throw new Failure('BAD_REQUEST', 'A synthesize-stop needs a synthesize-start before it.')
      await speakSentences(stream, stream.cutter.end())
      await stream.sound.end()
      stream = null
      await send(bytesOfEvent('synthesize-stopped'))
    },
    transcribe: (request) => {
      language = request.language
    },
    'audio-start': (format) => recording.begin(format),
    async 'audio-stop'() {
      if (!recording.isRecording()) return
      const { text, language: recognised } = await recording.end(language, signal)
      await send(bytesOfEvent('transcript', { text, ...(recognised !== null && { language: recognised }) }))
    },
  }

  async function answer({ type, data, payload }: WyomingEvent): Promise<void> {
    if (type === 'describe') return send(bytesOfEvent('info', describeStudio(deps)))
    if (type === 'audio-chunk') {
      if (!recording.isRecording()) await answer({ type: 'audio-start', data, payload })
      return recording.add(payload)
    }
    const known = Object.hasOwn(WYOMING_REQUESTS, type) ? (type as keyof Requests) : null
    if (known) await answers[known](parsed(known, data) as never)
  }

  try {
    for await (const event of eventsOf(socket, clock, ended)) await answer(event)
    socket.end()
  } catch (error) {
    const failure = fromServer(error)
    if (!signal.aborted && !socket.destroyed) {
      log[failure.code === 'UNKNOWN' ? 'error' : 'info']({ err: failure.message }, 'a Wyoming connection was closed')
      socket.end(bytesOfEvent('error', { text: messageFor(failure), code: failure.code.toLowerCase() }))
    } else socket.destroy()
  } finally {
    recording.drop()
    // What still arrives is dropped; a client that does not close its side is not waited for.
    socket.resume()
    const forget = clock.after(REST_MS, () => socket.destroy())
    if (socket.destroyed) forget()
    else socket.once('close', forget)
  }
}

/** Throws BAD_REQUEST that names the first wrong field. */
function parsed<Type extends keyof Requests>(type: Type, data: WyomingEvent['data']): z.output<Requests[Type]> {
  const { success, data: value, error } = WYOMING_REQUESTS[type].safeParse(data)
  if (success) return value as z.output<Requests[Type]>
  const { path, message } = error.issues[0]!
  throw new Failure('BAD_REQUEST', `The field ${path.join('.')} of ${type} is invalid: ${message}.`)
}

/** Events until the client has left, of which `ended` is told at once. Throws BAD_REQUEST, and REQUEST_TIMEOUT for a client that stops in the middle. */
async function* eventsOf(socket: Socket, clock: Clock, ended: AbortController): AsyncGenerator<WyomingEvent> {
  const reader = createEventReader()
  const waiting: Buffer[] = []
  let bytes = 0
  let isOver = false
  let wake = () => {}
  const end = () => {
    isOver = true
    ended.abort(new Failure('CANCELLED', 'The client has left.'))
    wake()
  }
  const take = (piece: Buffer | string) => {
    waiting.push(piece as Buffer)
    bytes += piece.length
    if (bytes > WAITING_BYTES || waiting.length > WAITING_PIECES) socket.pause()
    wake()
  }
  socket.on('data', take)
  socket.once('end', end).once('close', end)
  ended.signal.addEventListener('abort', () => wake())

  try {
    for (let beganAt = clock.mono(); ; ) {
      const piece = waiting.shift()
      if (piece) {
        bytes -= piece.length
        if (!reader.isWithin()) beganAt = clock.mono()
        for (const event of reader.push(piece)) {
          yield event
          beganAt = clock.mono()
        }
        continue
      }
      if (isOver || ended.signal.aborted) return
      socket.resume()
      const leftMs = reader.isWithin() ? Math.max(0, beganAt + REST_MS - clock.mono()) : IDLE_MS
      const isLate = await new Promise<boolean>((resolve) => {
        const forget = clock.after(leftMs, () => resolve(true))
        wake = () => {
          forget()
          resolve(false)
        }
      })
      if (isLate && waiting.length === 0)
        throw new Failure(
          'REQUEST_TIMEOUT',
          reader.isWithin() ? 'The rest of an event did not arrive in time.' : 'No event arrived for five minutes.',
        )
    }
  } finally {
    socket.off('data', take)
  }
}
