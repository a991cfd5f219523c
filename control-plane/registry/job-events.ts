// The events of every type of job. A new type adds one line; its events are declared beside it.

import { followContract } from '#control-plane/features/base/jobs/jobs.contract.ts'
import { BookConversionEvent, BookEvent } from '#control-plane/features/books/book/book-events.schema.ts'
import { BatchEvent } from '#control-plane/features/dubbing/batch/batch-events.schema.ts'
import { IngestEvent } from '#control-plane/features/dubbing/film/ingest/ingest-events.schema.ts'
import { PrepEvent } from '#control-plane/features/dubbing/film/prep/prep-events.schema.ts'
import { DubExportEvent } from '#control-plane/features/dubbing/leave/job/export-events.schema.ts'
import { TranscribeEvent } from '#control-plane/features/dubbing/lines/transcribe/transcribe-events.schema.ts'
import { GenerateEvent } from '#control-plane/features/dubbing/make/generate/generate-events.schema.ts'
import { RepairEvent } from '#control-plane/features/dubbing/make/repair/repair-events.schema.ts'
import { TranscriptionEvent } from '#control-plane/features/listening/recognition/job/transcription-events.schema.ts'
import { InstallEvent } from '#control-plane/features/machines/models/download-events.schema.ts'
import { TakeEvent } from '#control-plane/features/speech/speech/stream/take-events.schema.ts'

export const JOB_EVENTS = [
  TakeEvent,
  TranscriptionEvent,
  BookEvent,
  BookConversionEvent,
  PrepEvent,
  IngestEvent,
  TranscribeEvent,
  GenerateEvent,
  RepairEvent,
  DubExportEvent,
  BatchEvent,
  InstallEvent,
] as const
/** GET /tasks/stream, which sends the events of any job. */
export const FOLLOW_JOB = followContract(JOB_EVENTS)
