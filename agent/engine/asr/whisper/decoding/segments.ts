// Divides the tokens of a window at its timestamps, and decides where the next window starts. Pure.
import { MIN_VOICE_SECONDS } from './coverage.ts'
import { SECONDS_PER_STAMP, type Vocabulary } from './rules.ts'

export type TokenSegment = {
  /** Seconds from the start of the window. The end is after the start. */
  readonly start: number
  readonly end: number
  readonly tokens: readonly number[]
}
export type WindowSegments = {
  readonly segments: readonly TokenSegment[]
  /** Start of the next window, in seconds from the start of this one. Windows always advance. */
  readonly next: number
}

/** The part of a window after its last sentence. */
export type Rest = {
  /** True if the window ends with the sound. Otherwise the next window has what is left of this one. */
  readonly isLast: boolean
  /** Seconds of voice between a time and the end of the window. */
  readonly voiceAfter: (seconds: number) => number
}
/** A shorter remainder of the sound gets no window of its own, unless it has a voice. */
const MAX_REST_SECONDS = 1
/** A shorter voice at the end of a window is the end of its last word. */
const MAX_TAIL_SECONDS = 0.1
/** A window that would advance less is taken as a whole, which limits the number of windows. */
const MIN_ADVANCE_SECONDS = 0.5

/**
 * `tokens`: the output of a window without its prefix and its end. `seconds`: the length of the sound in the window, which may be shorter
 * than the window: the network invents sentences after the end of the sound, and those are dropped.
 */
export function divideTokens(
  tokens: readonly number[],
  seconds: number,
  { timestampBegin }: Vocabulary,
  { isLast, voiceAfter }: Rest,
): WindowSegments {
  const isStamp = (token: number | undefined) => token !== undefined && token >= timestampBegin
  const timeOf = (token: number) => (token - timestampBegin) * SECONDS_PER_STAMP
  // A sentence ends before the second timestamp of a pair.
  const cuts = tokens.flatMap((token, at) => (at > 0 && isStamp(token) && isStamp(tokens[at - 1]) ? [at] : []))
  const pieces = [...cuts, tokens.length].map((cut, index) => tokens.slice(cuts[index - 1] ?? 0, cut))
  const tail = pieces.at(-1)!
  const lastEnd = cuts.length > 0 ? timeOf(tokens[cuts.at(-1)! - 1]!) : 0
  const isTailClosed = tail.length > 1 && isStamp(tail.at(-1))
  const hasVoice = (at: number) => voiceAfter(at) > (isLast ? MIN_VOICE_SECONDS : MAX_TAIL_SECONDS)
  const isLong = (rest: number) => rest > (isLast ? MAX_REST_SECONDS : 0)
  // An open sentence after a closed one is decoded again as a whole.
  const isTailRepeated = !isTailClosed && lastEnd >= MIN_ADVANCE_SECONDS && (isLong(seconds - lastEnd) || hasVoice(lastEnd))
  const segments = (isTailRepeated ? pieces.slice(0, -1) : pieces).flatMap((piece): TokenSegment[] => {
    const start = isStamp(piece[0]) ? timeOf(piece[0]!) : 0
    const end = Math.min(seconds, piece.length > 1 && isStamp(piece.at(-1)) ? timeOf(piece.at(-1)!) : seconds)
    const text = piece.some((token) => !isStamp(token))
    return text && start < end ? [{ start, end, tokens: piece }] : []
  })
  // The network may end before its window does.
  const closedAt = isTailClosed ? timeOf(tail.at(-1)!) : seconds
  const next = isTailRepeated ? lastEnd : closedAt >= MIN_ADVANCE_SECONDS && closedAt < seconds && hasVoice(closedAt) ? closedAt : seconds
  return { segments, next }
}
