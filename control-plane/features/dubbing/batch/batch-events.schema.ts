// The events of a film that is dubbed without edits: those of its steps.
import { z } from 'zod'
import type { IngestEvent } from '#control-plane/features/dubbing/film/ingest/ingest-events.schema.ts'
import { PREP_STEPS, type PrepEvent, PrepWarning } from '#control-plane/features/dubbing/film/prep/prep-events.schema.ts'
import { TRANSCRIBE_STEPS, type TranscribeEvent } from '#control-plane/features/dubbing/lines/transcribe/transcribe-events.schema.ts'
import type { GenerateEvent } from '#control-plane/features/dubbing/make/generate/generate-events.schema.ts'
import type { RepairEvent } from '#control-plane/features/dubbing/make/repair/repair-events.schema.ts'
import { SPEAK_STEPS } from '#control-plane/features/dubbing/voice/speak/speak-events.schema.ts'
import { JOB_ENDS } from '#control-plane/jobs/job-type.ts'

export const BatchEvent = z.union([...PREP_STEPS, PrepWarning, ...TRANSCRIBE_STEPS, ...SPEAK_STEPS, ...JOB_ENDS]).meta({ id: 'BatchEvent' })
export type BatchEvent = z.output<typeof BatchEvent>

/** An event of any job that works for a dub. */
export type DubJobEvent =
  | BatchEvent
  | IngestEvent
  | TranscribeEvent
  | z.output<typeof PrepEvent>
  | z.output<typeof GenerateEvent>
  | z.output<typeof RepairEvent>
