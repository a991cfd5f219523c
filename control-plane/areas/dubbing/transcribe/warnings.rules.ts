// Warnings in the events of a transcription. Pure.
import type { FailureCode } from '#shared/protocol/failure.ts'
import type { JobFrame } from '../../../jobs/job-type.ts'
import type { Json } from '../../../jobs/key.ts'

export type TranscriptWarning = {
  readonly detail: string
  readonly source: 'diarization' | 'speaker_clone' | 'transcript'
  readonly error_class?: FailureCode
  readonly speaker_hint?: Json
}
export const transcriptWarning = (warning: TranscriptWarning): JobFrame => ({ type: 'warning', ...warning })
