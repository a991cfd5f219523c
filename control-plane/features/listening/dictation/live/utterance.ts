// The text of the utterance that is spoken now, and of the whole dictation. Pure.
import { joinPieces } from '#shared/text/join-pieces.ts'
import { polished } from '#shared/text/polished.ts'
import type { SpeechSpan } from './audio/piece.ts'
import { type FinalMessage, type LiveSegment, rounded } from './messages.ts'
import type { Recognised } from './tasks.ts'

export type Utterances = ReturnType<typeof createUtterances>
/** A summary of more text than a client can use would only take memory. */
const MAX_SEGMENTS = 20_000

/** `texts`: of the ended utterances. */
type Text = { texts: string[]; segments: LiveSegment[]; language: string; took: number; seconds: number }
const emptyText = (): Text => ({ texts: [], segments: [], language: '', took: 0, seconds: 0 })

/** `engine`: of the recogniser at that moment. */
export function createUtterances(engine: () => string) {
  const whole = emptyText()
  let current = emptyText()
  let ended = 0

  const add = (text: Text, segments: readonly LiveSegment[], language: string, took: number, seconds: number): void => {
    text.segments.push(...segments.slice(0, Math.max(0, MAX_SEGMENTS - text.segments.length)))
    text.language ||= language
    text.took += took
    text.seconds += seconds
  }
  const textOf = (segments: readonly LiveSegment[]) => joinPieces(segments.map(({ text }) => text))
  const message = ({ texts, segments, language, took, seconds }: Text): FinalMessage => ({
    type: 'final',
    text: texts.length > 0 ? joinPieces(texts) : polished(textOf(segments)),
    segments,
    language: language || 'unknown',
    duration_s: rounded(seconds),
    transcription_time_s: rounded(took),
    engine: engine(),
  })

  return {
    /** Seconds of speech with settled text. */
    seconds: () => current.seconds,
    /** `offset`: start of the recognised audio. */
    settle({ segments, language, tookSeconds }: Recognised, offset: number, speech: SpeechSpan): void {
      add(current, at(segments, offset), language, tookSeconds, speech.end - speech.start)
    },
    partial: ({ segments }: Pick<Recognised, 'segments'>, offset: number): string => textOf([...current.segments, ...at(segments, offset)]),
    /** The utterance; null if nothing was recognised in it. */
    end(): FinalMessage | null {
      const { segments, language, took, seconds } = current
      const final = segments.length > 0 ? { ...message(current), final_kind: 'utterance' as const } : null
      add(whole, segments, language, took, seconds)
      if (final) {
        ended++
        if (final.text !== '' && whole.texts.length < MAX_SEGMENTS) whole.texts.push(final.text)
      }
      current = emptyText()
      return final
    },
    /** Ends the recording. Without an earlier utterance the last one is all that was said. */
    finish(): FinalMessage[] {
      const last = this.end()
      if (ended <= 1 && (last !== null || ended === 0)) return [message(whole)]
      return [...(last ? [last] : []), { ...message(whole), final_kind: 'summary' }]
    },
  }
}

const at = (segments: Recognised['segments'], offset: number): LiveSegment[] =>
  segments
    .map(({ start, end, text }) => ({ start: rounded(offset + start), end: rounded(offset + end), text: text.trim() }))
    .filter(({ text }) => text !== '')
