// The events of the job of a transcription.
import { z } from 'zod'
import { JOB_ENDS } from '#control-plane/jobs/job-type.ts'

/** `at`: the UTF-16 unit of the part from which `delta` replaces the text. */
const TextDelta = z.strictObject({ type: z.literal('transcript.text.delta'), part: z.int(), at: z.int(), delta: z.string() })
export type TextDelta = z.output<typeof TextDelta>
export const TranscriptionEvent = z.discriminatedUnion('type', [TextDelta, ...JOB_ENDS]).meta({ id: 'TranscriptionEvent' })
