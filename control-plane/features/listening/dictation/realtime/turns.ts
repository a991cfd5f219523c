// Divides the sound of a session into items: by the voice detector, or where the client commits.
import { Failure } from '#shared/protocol/failure.ts'
import { createLivePiece } from '../live/audio/piece.ts'
import { LIVE_RATE } from '../live/audio/source.ts'
import type { DictationTasks, RecognitionHints } from '../live/tasks.ts'
import type { RealtimeSession } from './realtime.contract.ts'
import type { createItemTexts, NewEvent, TranscriptItem } from './transcripts.ts'

type Deps = {
  readonly emit: (event: NewEvent) => void
  readonly transcripts: Pick<ReturnType<typeof createItemTexts>, 'open'>
  readonly newItemId: () => string
}
/** The state of the session when sound arrives. */
export type Listening = {
  readonly tasks: DictationTasks
  readonly hints: RecognitionHints
  readonly detection: RealtimeSession['audio']['input']['turn_detection']
}

const BYTES_PER_SECOND = LIVE_RATE * 2
/** Seconds of sound that are examined for speech at once, and those before them for context. */
const SLICE = { bytes: 0.25 * BYTES_PER_SECOND, contextSeconds: 0.5 }
/** The longest window of a recogniser is 30 seconds. */
const PART_SECONDS = 25
const LEAST_SECONDS = 0.1
const SESSION_SECONDS = 4 * 3600

export function createTurnCutter({ emit, transcripts, newItemId }: Deps) {
  const piece = createLivePiece()
  let unexamined = 0
  let item: TranscriptItem | null = null
  /** Seconds of the item that were handed to a recogniser. */
  let handed = 0
  let previous: string | null = null

  function part({ tasks, hints }: Listening, until: number): void {
    if (until - piece.from() >= LEAST_SECONDS) {
      item!.part(tasks, piece.until(until), hints)
      handed += until - piece.from()
    }
    piece.cut(until)
  }

  function finish(): void {
    const { id } = item!
    const order = { previous_item_id: previous }
    const message = {
      id,
      object: 'realtime.item' as const,
      type: 'message' as const,
      status: 'completed' as const,
      role: 'user' as const,
      content: [{ type: 'input_audio' as const, transcript: null }] as [{ type: 'input_audio'; transcript: null }],
    }
    emit({ type: 'input_audio_buffer.committed', item_id: id, ...order })
    emit({ type: 'conversation.item.added', item: message, ...order })
    emit({ type: 'conversation.item.done', item: message, ...order })
    item!.end()
    previous = id
    item = null
    handed = 0
  }

  async function detect(listening: Listening): Promise<void> {
    const { tasks, detection } = listening
    const { threshold, prefix_padding_ms, silence_duration_ms } = detection!
    if (tasks.place().detector === null)
      throw new Failure(
        'MODEL_NOT_INSTALLED',
        'The voice detector is not installed, so turns are not detected. Send turn_detection null and commit the sound.',
      )
    const examined = piece.tail(unexamined / BYTES_PER_SECOND + SLICE.contextSeconds)
    unexamined = 0
    const offset = piece.end() - examined.length / BYTES_PER_SECOND
    for (const { start, end } of await tasks.speechIn(examined, threshold)) piece.heard({ start: offset + start, end: offset + end })
    const speech = piece.speech()
    if (!item && speech) {
      item = transcripts.open(newItemId())
      const startMs = Math.max(0, Math.round(speech.start * 1000 - prefix_padding_ms))
      emit({ type: 'input_audio_buffer.speech_started', item_id: item.id, audio_start_ms: startMs })
    }
    if (!item) return piece.trim()
    const quietSince = speech?.end ?? piece.from()
    if ((piece.end() - quietSince) * 1000 >= silence_duration_ms) {
      emit({ type: 'input_audio_buffer.speech_stopped', item_id: item.id, audio_end_ms: Math.round(quietSince * 1000) })
      // A little silence after the last word, as much as there is.
      part(listening, Math.min(piece.end(), quietSince + SLICE.contextSeconds))
      finish()
      piece.trim()
    }
  }

  return {
    /** Throws what a task of the detector throws, and BODY_TOO_LARGE after four hours. */
    async push(pcm: Buffer, listening: Listening): Promise<void> {
      if (piece.end() >= SESSION_SECONDS)
        throw new Failure('BODY_TOO_LARGE', 'A session lasts at most 4 hours of sound. Start another one.')
      piece.append(pcm)
      if (listening.detection) {
        unexamined += pcm.length
        if (unexamined >= SLICE.bytes) await detect(listening)
      } else item ??= transcripts.open(newItemId())
      if (item && piece.seconds() >= PART_SECONDS) part(listening, piece.quietest())
    },
    /** Throws BAD_REQUEST without sound. */
    commit(listening: Listening): void {
      if (handed + piece.seconds() < LEAST_SECONDS)
        throw new Failure('BAD_REQUEST', 'There are less than 100 ms of sound to commit.', { values: { code: EMPTY } })
      item ??= transcripts.open(newItemId())
      part(listening, piece.end())
      unexamined = 0
      finish()
    },
    clear(): void {
      item?.drop()
      item = null
      handed = 0
      unexamined = 0
      piece.cut(piece.end())
      emit({ type: 'input_audio_buffer.cleared' })
    },
  }
}

/** The code of the public API for a commit without sound. */
export const EMPTY = 'input_audio_buffer_commit_empty'
