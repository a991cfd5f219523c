// One transcription session of `/v1/realtime`. Loaded with the first client.
import type { SocketClient } from '#control-plane/http/socket/socket.ts'
import { isRecognitionAlias } from '#control-plane/inference/aliases.ts'
import type { Inference } from '#control-plane/inference/run.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Random } from '#shared/runtime/random.ts'
import { LIVE_RATE } from '../live/audio/source.ts'
import { createLivePlaces, type LiveMachines } from '../live/places.ts'
import { createDictationTasks, type DictationTasks } from '../live/tasks.ts'
import { ClientEvent, EventHead, type RealtimeInput } from './client-events.schema.ts'
import { type InputDecoder, type InputFormat, openDecoder } from './input.ts'
import { type RealtimeEvent, RealtimeQuery, type RealtimeSession } from './realtime.contract.ts'
import { createItemTexts, type NewEvent, problemOf } from './transcripts.ts'
import { createTurnCutter, EMPTY } from './turns.ts'

export type RealtimeDeps = {
  readonly inference: Pick<Inference, 'holdInput' | 'run'>
  readonly machines: LiveMachines
  readonly clock: Clock
  readonly random: Random
}
type Detection = RealtimeSession['audio']['input']['turn_detection']
type Update = Extract<ClientEvent, { readonly session: unknown }>

/** Events that wait for a client that does not read. */
const WAITING = 256
/** Half a second: loads the model before the first words. */
const WARM_UP = Buffer.alloc(LIVE_RATE)
const SERVER_VAD = { type: 'server_vad', threshold: 0.5, prefix_padding_ms: 300, silence_duration_ms: 500 } as const
/** Silence that ends a turn; another model than a voice detector would tell more. */
const EAGERNESS_MS = { low: 1_500, medium: 800, auto: 800, high: 500 } as const
/** Models of the public API whose clients commit by themselves. */
const WITHOUT_TURNS = /^gpt-(?:realtime-whisper|live-transcribe)/

/** '' for the owner's choice, which every name of the public API means. */
const modelOf = (name: string): string => (isRecognitionAlias(name) || name.startsWith('gpt-') ? '' : name)

function detectionOf(wanted: NonNullable<RealtimeInput['turn_detection']>): Detection {
  if (wanted.type === 'semantic_vad') return { ...SERVER_VAD, silence_duration_ms: EAGERNESS_MS[wanted.eagerness ?? 'auto'] }
  const { threshold, prefix_padding_ms: prefix, silence_duration_ms: silence } = wanted
  return {
    type: 'server_vad',
    threshold: Math.min(0.99, Math.max(0.01, threshold ?? SERVER_VAD.threshold)),
    prefix_padding_ms: Math.round(prefix ?? SERVER_VAD.prefix_padding_ms),
    silence_duration_ms: Math.round(silence ?? SERVER_VAD.silence_duration_ms),
  }
}

/** Throws BAD_REQUEST that names the first wrong field. */
function eventOf(json: unknown): ClientEvent {
  const { success, data, error } = ClientEvent.safeParse(json)
  if (success) return data
  const { path, message, code } = error.issues[0]!
  const field = path.join('.')
  if (code === 'invalid_union' && field === 'type')
    throw new Failure(
      'BAD_REQUEST',
      `Events of the type '${EventHead.parse(json).type}' are not served. A session transcribes; it does not answer.`,
    )
  throw new Failure(
    'BAD_REQUEST',
    field === '' ? 'The message is not a JSON object with a type.' : `The field ${field} is invalid: ${message}.`,
  )
}

export async function* realtimeSession(
  { inference, machines, clock, random }: RealtimeDeps,
  { query, messages, signal }: SocketClient,
): AsyncGenerator<RealtimeEvent> {
  const prefix = random.hex(8)
  let events = 0
  let items = 0
  const outbox: NewEvent[] = []
  let wake = () => {}
  let taken = () => {}
  const emit = (event: NewEvent): void => {
    outbox.push(event)
    wake()
  }
  const transcripts = createItemTexts(emit, signal)
  const turns = createTurnCutter({ emit, transcripts, newItemId: () => `item_${prefix}_${++items}` })

  let transcription: RealtimeSession['audio']['input']['transcription'] = { model: '', language: null, prompt: '' }
  let detection: Detection | undefined
  let format: InputFormat = { type: 'audio/pcm', rate: 24_000 }
  let decoder: InputDecoder | null = null
  let tasks: DictationTasks | null = null
  const detectionNow = (): Detection =>
    detection === undefined ? (WITHOUT_TURNS.test(transcription.model) ? null : SERVER_VAD) : detection
  const session = (): RealtimeSession => ({
    id: `sess_${prefix}`,
    object: 'realtime.transcription_session',
    type: 'transcription',
    audio: { input: { format, transcription, turn_detection: detectionNow(), noise_reduction: null } },
  })

  /** Throws MODEL_NOT_FOUND for an unknown name, and what `chooseLive` throws. */
  function openTasks(): DictationTasks {
    try {
      tasks = createDictationTasks({ inference, clock, places: createLivePlaces(machines, modelOf(transcription.model)) }, signal)
    } catch (error) {
      const failure = Failure.from(error)
      throw failure.code === 'BAD_REQUEST' ? new Failure('MODEL_NOT_FOUND', failure.message, { cause: failure }) : failure
    }
    tasks.recognise(WARM_UP, false, signal, { newSeconds: 0 }).catch(() => {}) // the first words report it
    return tasks
  }
  const listening = () => ({
    tasks: tasks ?? openTasks(),
    hints: { language: transcription.language, prompt: transcription.prompt || null },
    detection: detectionNow(),
  })

  function update(event: Update): void {
    const input = (event.type === 'session.update' ? event.session.audio?.input : event.session) ?? {}
    const before = transcription.model
    if (input.transcription) {
      const { model, language, prompt } = input.transcription
      transcription = {
        model: model ?? transcription.model,
        language: language === undefined ? transcription.language : language || null,
        prompt: prompt ?? transcription.prompt,
      }
    }
    if (input.turn_detection !== undefined) detection = input.turn_detection && detectionOf(input.turn_detection)
    if (input.format && input.format.type !== format.type) {
      decoder?.close()
      decoder = null
      format = input.format.type === 'audio/pcm' ? { type: 'audio/pcm', rate: 24_000 } : { type: input.format.type }
    }
    if (tasks === null || before !== transcription.model) openTasks()
    emit({ type: 'session.updated', session: session() })
  }

  async function serve(event: ClientEvent): Promise<void> {
    switch (event.type) {
      case 'input_audio_buffer.append': {
        decoder ??= await openDecoder(format)
        await turns.push(decoder.decode(event.audio), listening())
        return transcripts.room()
      }
      case 'input_audio_buffer.commit':
        turns.commit(listening())
        return transcripts.room()
      case 'input_audio_buffer.clear':
        return turns.clear()
      default:
        return update(event)
    }
  }

  /** Ends with the client, and after a failure that no other event could correct. */
  async function read(): Promise<void> {
    const { intent, model } = RealtimeQuery.parse(Object.fromEntries(query))
    if (intent !== 'transcription')
      throw new Failure('BAD_REQUEST', `Sessions with the intent '${intent}' are not served. Use transcription.`)
    transcription = { ...transcription, model }
    emit({ type: 'session.created', session: session() })
    for await (const message of messages) {
      const json = typeof message === 'string' ? jsonOf(message) : undefined
      try {
        await serve(eventOf(json))
      } catch (error) {
        if (signal.aborted) return
        const failure = Failure.from(error)
        const id = EventHead.safeParse(json).data?.event_id ?? null
        emit({ type: 'error', error: { ...problemOf(failure), ...(failure.values?.['code'] === EMPTY && { code: EMPTY }), event_id: id } })
        if (failure.code === 'UNKNOWN') throw failure // it is logged, and the socket is closed
        if (failure.code !== 'BAD_REQUEST') return transcripts.finished()
      }
      while (outbox.length >= WAITING && !signal.aborted)
        await new Promise<void>((resolve) => {
          taken = resolve
        })
    }
  }

  let isOver = false
  const end = () => {
    isOver = true
    wake()
    taken()
  }
  signal.addEventListener('abort', end)
  const reading = read().finally(end)
  reading.catch(() => {}) // thrown below
  try {
    for (;;) {
      const event = outbox.shift()
      if (event) {
        taken()
        yield { event_id: `event_${prefix}_${++events}`, ...event } as RealtimeEvent
      } else if (isOver) break
      else
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    }
    if (!signal.aborted) await reading
  } finally {
    signal.removeEventListener('abort', end)
    ;(decoder as InputDecoder | null)?.close()
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
