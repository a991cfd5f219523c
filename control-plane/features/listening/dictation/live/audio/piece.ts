// The audio of a dictation that has no settled text yet. All times are seconds since the start of the dictation.
import { LIVE_RATE } from './source.ts'

export type SpeechSpan = { readonly start: number; readonly end: number }
export type LivePiece = ReturnType<typeof createLivePiece>

const BYTES_PER_SECOND = LIVE_RATE * 2
/** The start of a word is softer than what a detector calls speech. */
const BEFORE_SPEECH_SECONDS = 0.5
const AFTER_SPEECH_SECONDS = 0.5
/** The part before its end in which a piece without a pause is cut. */
const CUT_WITHIN_SECONDS = 5
const QUIET_SECONDS = 0.1
/** Less is what a rounded cut leaves. */
const MIN_SPEECH_SECONDS = 0.05

const bytesOf = (seconds: number): number => Math.max(0, Math.round(seconds * LIVE_RATE)) * 2

export function createLivePiece() {
  let from = 0
  let pcm: Buffer = Buffer.alloc(0)
  let speech: SpeechSpan | null = null
  const end = () => from + pcm.length / BYTES_PER_SECOND

  /** Removes what is before `at`. */
  function cut(at: number): void {
    const bytes = Math.min(pcm.length, bytesOf(at - from))
    // A copy: a view would keep the whole piece in memory.
    pcm = Buffer.from(pcm.subarray(bytes))
    from += bytes / BYTES_PER_SECOND
    speech = speech && speech.end - from > MIN_SPEECH_SECONDS ? { start: Math.max(from, speech.start), end: speech.end } : null
  }

  return {
    from: () => from,
    end,
    seconds: () => pcm.length / BYTES_PER_SECOND,
    /** Span from the first to the last speech; null without any. */
    speech: () => speech,
    append(bytes: Buffer): void {
      pcm = Buffer.concat([pcm, bytes])
    },
    /** The last seconds. */
    tail: (seconds: number): Buffer => pcm.subarray(Math.max(0, pcm.length - bytesOf(seconds))),
    heard({ start, end: to }: SpeechSpan): void {
      speech = { start: Math.min(start, speech?.start ?? start), end: Math.max(to, speech?.end ?? to) }
    },
    /** Removes silence before speech. */
    trim(): void {
      cut((speech?.start ?? end()) - BEFORE_SPEECH_SECONDS)
    },
    cut,
    /** Up to the end of its speech, with a little silence. */
    spoken: (): Buffer => pcm.subarray(0, bytesOf((speech?.end ?? from) + AFTER_SPEECH_SECONDS - from)),
    until: (at: number): Buffer => pcm.subarray(0, bytesOf(at - from)),
    /** The quietest moment near its end, for a cut. */
    quietest(): number {
      const step = bytesOf(QUIET_SECONDS)
      let best = pcm.length
      let least = Number.POSITIVE_INFINITY
      for (let at = Math.max(0, pcm.length - bytesOf(CUT_WITHIN_SECONDS)); at + step <= pcm.length; at += step) {
        let energy = 0
        for (let byte = at; byte < at + step; byte += 2) energy += Math.abs(pcm.readInt16LE(byte))
        if (energy >= least) continue
        least = energy
        best = at + step / 2
      }
      return from + (best & ~1) / BYTES_PER_SECOND
    },
  }
}
