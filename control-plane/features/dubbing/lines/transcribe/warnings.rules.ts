// Warnings in the events of a transcription. Pure.

import type { JobFrame } from '#control-plane/jobs/job-type.ts'
import type { Json } from '#control-plane/jobs/key.ts'
import type { FailureCode } from '#shared/protocol/failure.ts'
import type { ModelNeed } from '#shared/protocol/fields/model-need.ts'

export type TranscriptWarning = {
  readonly detail: string
  readonly source: 'diarization' | 'speaker_clone' | 'transcript'
  readonly error_class?: FailureCode
  readonly speaker_hint?: Json
  readonly needs?: ModelNeed
}
export const transcriptWarning = (warning: TranscriptWarning): JobFrame => ({ type: 'warning', ...warning })

const clock = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds) % 60).padStart(2, '0')}`

/** `parts`: in seconds of the film. */
export function wordlessWarning(parts: readonly { readonly from: number; readonly to: number }[]): JobFrame {
  const named = parts.slice(0, 5).map(({ from, to }) => `${clock(from)} to ${clock(to)}`)
  const rest = parts.length - named.length
  const detail = `Speech without words was found at ${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}. There are no lines for it.`
  return transcriptWarning({ detail, source: 'transcript' })
}
