// What a task's segments come down to: pieces to say and silences to keep, in order.

import type { TtsParams } from '#shared/operations/tts.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { MAX_PIECE_CHARACTERS, toFlitePieces } from './sentences.ts'
import { isSpeakable, toSpeakable } from './speakable.ts'

/** Either `text` is said, or it is '' and `silentMs` of silence are made. */
export type FliteStep = { readonly part: number; readonly text: string; readonly silentMs: number }

/** A segment without anything to say still takes its place, because its part must have a length. */
const SILENT_SEGMENT_MS = 200

/** How long a character of ordinary text sounds; only to guess before anything was spoken. */
const SECONDS_PER_CHARACTER = 0.065
const SHORTEST_LIMIT = 60

/** Slow speech takes longer to make, so its pieces are shorter: what counts is how long one piece blocks the host. */
function pieceLimit({ segments, speed, duration }: TtsParams): number {
  const characters = segments.reduce((sum, segment) => sum + segment.text.length, 0)
  const scale = duration === null ? 1 / speed : duration / (characters * SECONDS_PER_CHARACTER)
  return Math.max(SHORTEST_LIMIT, Math.round(MAX_PIECE_CHARACTERS / Math.max(1, scale)))
}

/** `dropped` counts characters that cannot be said. INVALID_TASK_PARAMS when no segment has anything that can. */
export function toFliteSteps(wanted: TtsParams): { steps: FliteStep[]; dropped: number } {
  const limit = pieceLimit(wanted)
  let dropped = 0
  const steps = wanted.segments.flatMap((segment, part): FliteStep[] => {
    const speakable = toSpeakable(segment.text)
    dropped += speakable.dropped
    const pieces = toFlitePieces(speakable.text, limit).filter(isSpeakable)
    const silentMs = segment.pause_after_ms + (pieces.length === 0 ? SILENT_SEGMENT_MS : 0)
    const said = pieces.map((text) => ({ part, text, silentMs: 0 }))
    return silentMs === 0 ? said : [...said, { part, text: '', silentMs }]
  })
  if (!steps.some((step) => step.text !== '')) throw new Failure('INVALID_TASK_PARAMS', 'segments: no text that the embedded voice can say')
  return { steps, dropped }
}
