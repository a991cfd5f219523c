// The texts of committed items: recognised one after the other, beside the detection of speech.
import { messageFor, replyFor } from '#control-plane/http/contract/errors.ts'
import { publicError } from '#control-plane/http/contract/public-error.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { isRejection } from '#shared/protocol/fields/peer-codes.ts'
import { joinPieces } from '#shared/text/join-pieces.ts'
import { polished } from '#shared/text/polished.ts'
import { LIVE_RATE } from '../live/audio/source.ts'
import type { DictationTasks, Recognised, RecognitionHints } from '../live/tasks.ts'
import type { RealtimeEvent, RealtimeProblem } from './realtime.contract.ts'

/** An event without its id. */
export type NewEvent = RealtimeEvent extends infer Each ? (Each extends RealtimeEvent ? Omit<Each, 'event_id'> : never) : never
/** Parts of items that wait. More of them hold up the client. */
const WAITING = 6
const PREFIX = 'conversation.item.input_audio_transcription'

export const problemOf = (failure: Failure): RealtimeProblem => {
  const { type, code, param } = publicError(failure.code, replyFor(failure))
  return { type, code, message: messageFor(failure), param }
}

/** `emit` takes the events in order. */
export function createItemTexts(emit: (event: NewEvent) => void, signal: AbortSignal) {
  let queue: Promise<void> = Promise.resolve()
  let waiting = 0
  let hasRoom = () => {}
  signal.addEventListener('abort', () => hasRoom())

  async function recognised(tasks: DictationTasks, pcm: Buffer, hints: RecognitionHints, until: AbortSignal): Promise<Recognised> {
    const { languages } = tasks.place().recogniser
    const named = hints.language?.toLowerCase().split(/[-_]/)[0]
    const isKnown = named !== undefined && languages.some((tag) => tag === '*' || tag.split('-')[0] === named)
    const wanted = { ...hints, language: isKnown ? named : null }
    if (!wanted.language && !wanted.prompt) return tasks.recognise(pcm, false, until)
    try {
      return await tasks.recognise(pcm, false, until, wanted)
    } catch (error) {
      if (!isRejection(Failure.from(error).code)) throw error
      return tasks.recognise(pcm, false, until) // the languages of a model with many are known only to its engine
    }
  }

  /** One item, whose parts are recognised while the rest of it is spoken. */
  function open(id: string) {
    const dropped = new AbortController()
    const until = AbortSignal.any([signal, dropped.signal])
    const texts: string[] = []
    let language = ''
    let seconds = 0
    let failure: Failure | null = null
    const after = (work: () => Promise<void>): void => {
      waiting++
      queue = queue.then(async () => {
        try {
          if (!until.aborted) await work()
        } finally {
          waiting--
          hasRoom()
        }
      })
    }
    return {
      id,
      drop: () => dropped.abort(new Failure('CANCELLED', 'The client has cleared the sound.')),
      part(tasks: DictationTasks, pcm: Buffer, hints: RecognitionHints): void {
        seconds += pcm.length / 2 / LIVE_RATE
        after(async () => {
          if (failure) return
          try {
            const result = await recognised(tasks, pcm, hints, until)
            texts.push(...result.segments.map(({ text }) => text.trim()).filter((text) => text !== ''))
            language ||= result.language
          } catch (error) {
            failure = Failure.from(error)
          }
        })
      },
      end(): void {
        after(async () => {
          const item = { item_id: id, content_index: 0 as const }
          if (failure) return emit({ type: `${PREFIX}.failed`, ...item, error: problemOf(failure) })
          const transcript = polished(joinPieces(texts))
          if (transcript !== '') emit({ type: `${PREFIX}.delta`, ...item, delta: transcript })
          const usage = { type: 'duration' as const, seconds: Math.round(seconds * 100) / 100 }
          emit({ type: `${PREFIX}.completed`, ...item, transcript, ...(language !== '' && { languages: [{ code: language }] }), usage })
        })
      },
    }
  }

  return {
    open,
    /** Resolves when a client may send more. */
    async room(): Promise<void> {
      while (waiting >= WAITING && !signal.aborted)
        await new Promise<void>((resolve) => {
          hasRoom = resolve
        })
    },
    /** Resolves when every item that has ended has its text. */
    finished: (): Promise<void> => queue,
  }
}
export type TranscriptItem = ReturnType<ReturnType<typeof createItemTexts>['open']>
