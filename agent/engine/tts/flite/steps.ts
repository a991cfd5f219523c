// Converts the segments of a task to an ordered list of pieces and silences.

import { engineRow } from '#shared/engines.ts'
import type { TtsParams } from '#shared/operations/tts.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { spelledFor } from '#shared/text/normalise/for-engine.ts'
import { MAX_PIECE_CHARACTERS, toFlitePieces } from './sentences.ts'
import { isSpeakable, toSpeakable } from './speakable.ts'

/** Speech of `text`, or silence of `silentMs` when `text` is ''. */
export type FliteStep = { readonly part: number; readonly text: string; readonly silentMs: number }

/** Length of a segment without speech, because its part must not be empty. */
const SILENT_SEGMENT_MS = 200

/** Estimated duration of a character of ordinary text. */
const SECONDS_PER_CHARACTER = 0.065
const MIN_PIECE_CHARACTERS = 60

/** Slow speech takes longer to synthesise, so its pieces are shorter: the limit is the time for which a piece blocks the host. */
function pieceLimit({ segments, speed, duration }: TtsParams): number {
  const characters = segments.reduce((sum, segment) => sum + segment.text.length, 0)
  const scale = duration === null ? 1 / speed : duration / (characters * SECONDS_PER_CHARACTER)
  return Math.max(MIN_PIECE_CHARACTERS, Math.round(MAX_PIECE_CHARACTERS / Math.max(1, scale)))
}

/** `dropped`: number of unsupported characters. Throws INVALID_TASK_PARAMS when no segment has speech. */
export function toFliteSteps(params: TtsParams): { steps: FliteStep[]; dropped: number } {
  const limit = pieceLimit(params)
  let dropped = 0
  const steps = params.segments.flatMap((segment, part): FliteStep[] => {
    const speakable = toSpeakable(spelledFor(engineRow('flite')?.spells, segment.text, 'en'))
    dropped += speakable.dropped
    const pieces = toFlitePieces(speakable.text, limit).filter(isSpeakable)
    const silentMs = segment.pause_after_ms + (pieces.length === 0 ? SILENT_SEGMENT_MS : 0)
    const spoken = pieces.map((text) => ({ part, text, silentMs: 0 }))
    return silentMs === 0 ? spoken : [...spoken, { part, text: '', silentMs }]
  })
  if (!steps.some((step) => step.text !== ''))
    throw new Failure('INVALID_TASK_PARAMS', 'The text contains nothing that the embedded voice can speak.')
  return { steps, dropped }
}
