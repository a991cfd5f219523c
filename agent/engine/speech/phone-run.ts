// A run of a voice that reads phonemes and whose pieces are trimmed: pauses by the marks of the text at its pace, and notices of what was left out.

import type { EngineEvent } from '#agent/engine/seam/engine.ts'
import type { TtsParams } from '#shared/operations/tts.ts'
import { pauseAfter } from './edges.ts'
import { refusedWords } from './espeak-phones.ts'
import { type Speaker, speakSegments } from './tts-driver.ts'

/** Omissions in the pieces of a run: sounds that the voice does not support, and words that no program pronounces. */
export type LeftOut = { sounds: number; readonly words: Set<string> }
export const nothingLeftOut = (): LeftOut => ({ sounds: 0, words: new Set() })

/** `speak` of the speaker counts in `leftOut`. */
export async function* speakPhones(
  params: TtsParams,
  speaker: Omit<Speaker, 'gapMs' | 'endMs'>,
  { notices, leftOut }: { readonly notices: string[]; readonly leftOut: LeftOut },
  signal: AbortSignal,
): AsyncGenerator<EngineEvent> {
  const [slowest, fastest] = speaker.speeds
  const pace = Math.min(fastest, Math.max(slowest, params.speed))
  const pauseMs = (piece: string) => pauseAfter(piece) / pace
  for await (const event of speakSegments(params, { ...speaker, gapMs: pauseMs, endMs: pauseMs }, notices, signal)) {
    if (event.kind === 'result') {
      if (leftOut.sounds > 0) notices.push(`${leftOut.sounds} sounds that this voice does not support were left out.`)
      notices.push(...refusedWords(leftOut.words))
    }
    yield event
  }
}
