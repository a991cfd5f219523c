// One dictation. The audio since the last settled text is recognised again every few seconds, each time as one task; the text
// is settled at a pause, and final after three seconds of silence. So a lost machine or a crashed engine costs one task and no words, and at
// most PIECE.mostSeconds of audio are in memory.
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Refine } from '../refine.ts'
import { createPcmQueue } from './audio/pcm-queue.ts'
import { createLivePiece } from './audio/piece.ts'
import { LIVE_RATE } from './audio/source.ts'
import { type FinalMessage, type LiveMessage, rounded } from './messages.ts'
import type { DictationTasks, Recognised } from './tasks.ts'
import { createUtterances } from './utterance.ts'

export type SessionParts = {
  readonly tasks: DictationTasks
  readonly audio: AsyncIterable<Buffer>
  readonly clock: Clock
  readonly refine: Refine
  readonly signal: AbortSignal
}

const BYTES_PER_SECOND = LIVE_RATE * 2
const QUEUED_SECONDS = 20
/** Seconds of audio that are examined for speech at once, with those before them for context. */
const SLICE = { usual: 1, continuing: 0.5, context: 0.5 }
/** Seconds of audio between two partial texts. */
const PARTIAL = { usual: 2, continuing: 0.5 }
const SILENCE_SECONDS = 3
/** A detector moves the end of speech by less when more silence follows. */
const SAME_END_SECONDS = 0.1
const PIECE = {
  /** A piece of this length is settled at the next pause. */
  longSeconds: 8,
  pauseSeconds: 0.5,
  /** A piece without a pause is cut. The longest window of a recogniser is 30 seconds. */
  mostSeconds: 25,
}
/** An utterance without a long silence ends at a pause after this time. */
const UTTERANCE_SECONDS = 120
const SESSION_SECONDS = 4 * 3600
const FAILED_PARTIALS = 3

export async function* dictate({ tasks, audio, clock, refine, signal }: SessionParts): AsyncGenerator<LiveMessage> {
  // It changes when the dictation moves to another machine.
  const recogniser = () => tasks.place().recogniser
  const queue = createPcmQueue(QUEUED_SECONDS * BYTES_PER_SECOND, clock.after)
  /** Aborted when no more audio will come. */
  const over = new AbortController()
  const stop = () => {
    over.abort()
    queue.end()
  }
  signal.addEventListener('abort', stop)
  let sourceFailure: unknown = null
  const reading = (async () => {
    for await (const bytes of audio) {
      signal.throwIfAborted()
      await queue.push(bytes)
    }
  })()
    .catch((error: unknown) => {
      sourceFailure = error
    })
    .finally(stop)

  const piece = createLivePiece()
  const utterances = createUtterances(() => recogniser().engine)
  /** The newest recognition of the piece, and the end of the speech in it. */
  let newest = null as { readonly result: Recognised; readonly speechEnd: number } | null
  let partialAt = 0
  let partialText = ''
  let failedPartials = 0

  /** End of the sound that was recognised, in seconds: what is recognised again with more behind it counts once for the limits of a person. */
  let recognisedTo = 0
  async function recognise(pcm: Buffer, isPartial: boolean, until: AbortSignal): Promise<Recognised> {
    const end = piece.from() + pcm.length / BYTES_PER_SECOND
    const result = await tasks.recognise(pcm, isPartial, until, { newSeconds: Math.max(0, end - Math.max(recognisedTo, piece.from())) })
    recognisedTo = Math.max(recognisedTo, end)
    return result
  }

  async function detect(bytes: Buffer): Promise<void> {
    const examined = piece.tail(bytes.length / BYTES_PER_SECOND + SLICE.context)
    const offset = piece.end() - examined.length / BYTES_PER_SECOND
    for (const { start, end } of await tasks.speechIn(examined)) piece.heard({ start: offset + start, end: offset + end })
  }

  async function partial(): Promise<string | null> {
    const speechEnd = piece.speech()!.end
    partialAt = piece.end()
    try {
      newest = { result: await recognise(piece.spoken(), true, recogniser().continues ? signal : over.signal), speechEnd }
      failedPartials = 0
    } catch (error) {
      signal.throwIfAborted()
      // The final text is wanted now: it does not wait for a partial one.
      if (over.signal.aborted) return null
      if (++failedPartials >= FAILED_PARTIALS) throw error
      return null
    }
    const text = utterances.partial(newest.result, piece.from())
    if (text === '' || text === partialText) return null
    partialText = text
    return text
  }

  /** Settles the text up to `cut`; up to the end of the speech without it. */
  async function settle(cut: number | null = null): Promise<void> {
    const speech = piece.speech()
    if (!speech) return
    // A recogniser that continues holds back its last words until it is told that no more will come.
    const isCurrent =
      cut === null && newest !== null && speech.end - newest.speechEnd < SAME_END_SECONDS && !newest.result.recogniser.continues
    const result = isCurrent ? newest!.result : await recognise(cut === null ? piece.spoken() : piece.until(cut), false, signal)
    utterances.settle(result, piece.from(), { start: speech.start, end: cut ?? speech.end })
    newest = null
    piece.cut(cut ?? speech.end)
    piece.trim()
  }

  async function refined(message: FinalMessage): Promise<FinalMessage> {
    partialText = ''
    // A summary repeats utterances that were refined already.
    const isRefined = message.text !== '' && message.final_kind !== 'summary'
    const text = isRefined ? await refine(message.text, signal) : null
    return text === null ? message : { ...message, refined_text: text }
  }

  try {
    let lastSpeech = 0
    for (;;) {
      const speed = recogniser().continues ? 'continuing' : 'usual'
      const sliceBytes = SLICE[speed] * BYTES_PER_SECOND
      const arrival = await queue.wait(sliceBytes, SILENCE_SECONDS * 1000)
      signal.throwIfAborted()
      const bytes = queue.take(sliceBytes)
      if (bytes.length > 0) {
        piece.append(bytes)
        await detect(bytes)
      }
      const isOver = (arrival === 'ended' && queue.length() < 2) || piece.end() >= SESSION_SECONDS
      const speech = piece.speech()
      if (speech) lastSpeech = Math.max(lastSpeech, speech.end)
      if (!newest) piece.trim()
      const silence = arrival === 'quiet' && bytes.length === 0 ? SILENCE_SECONDS : piece.end() - lastSpeech
      if (isOver) break
      if (silence >= SILENCE_SECONDS) {
        await settle()
        const final = utterances.end()
        if (final) yield await refined(final)
      } else if (speech && piece.seconds() >= PIECE.longSeconds && silence >= PIECE.pauseSeconds) await settle()
      else if (piece.seconds() >= PIECE.mostSeconds) await settle(piece.quietest())
      else if (
        speech &&
        speech.end > (newest?.speechEnd ?? 0) &&
        piece.end() - partialAt >= PARTIAL[speed] &&
        queue.length() < sliceBytes
      ) {
        const text = await partial()
        if (text !== null) yield { type: 'partial', text }
      }
      if (utterances.seconds() >= UTTERANCE_SECONDS) {
        const final = utterances.end()
        if (final) yield await refined(final)
      }
    }
    await settle()
    const lastOnes = utterances.finish()
    for (const [at, final] of lastOnes.entries())
      yield await refined(at === lastOnes.length - 1 ? { ...final, used_s: rounded(piece.end()) } : final)
    if (sourceFailure !== null) throw Failure.from(sourceFailure)
    if (piece.end() >= SESSION_SECONDS) throw new Failure('BAD_REQUEST', 'A dictation lasts at most 4 hours. Start another one.')
  } finally {
    signal.removeEventListener('abort', stop)
    stop()
    void reading
  }
}
