// The events of a transcription of a film: of its job, and of its stream, which names them.
import { z } from 'zod'
import { DubOptions } from '#control-plane/features/dubbing/store/dub.ts'
import { DubLineRow } from '#control-plane/features/dubbing/store/line.ts'
import type { EventsByName } from '#control-plane/http/contract/contract.ts'
import { JobCancelled, JobDone } from '#control-plane/jobs/job-type.ts'
import { NeedView } from '#shared/protocol/fields/model-need.ts'

const START = { duration: z.number(), chunks: z.int(), chunk_s: z.number() }
const SEGMENTS = {
  chunk: z.int(),
  total_chunks: z.int(),
  segments: z.array(DubLineRow),
  progress: z.number(),
  /** Reason why the part has no lines. */
  error: z.string().nullable(),
  error_code: z.string().nullable(),
}
const Hint = z.strictObject({ requested: z.int(), status: z.enum(['ignored', 'approximate']) })
const WARNING = {
  detail: z.string(),
  source: z.enum(['diarization', 'speaker_clone', 'transcript', 'translation']),
  /** A code of docs/errors.md. */
  error_class: z.string().exactOptional(),
  /** The number of speakers that was requested and could not be honoured. */
  speaker_hint: Hint.exactOptional(),
  /** The model that is missing. */
  needs: NeedView.exactOptional(),
}
const ERROR = { detail: z.string(), retryable: z.boolean(), code: z.string(), needs: NeedView.exactOptional() }

const Segments = z.strictObject({ type: z.literal('segments'), ...SEGMENTS })
export type TranscribedPart = z.output<typeof Segments>
const Warning = z.strictObject({ type: z.literal('warning'), ...WARNING })
export type TranscriptWarning = z.output<typeof Warning>
export type TranscriptRemark = Omit<TranscriptWarning, 'type'>
/** Lines that were translated into a language: how long each would take to say, in seconds, or the reason why it has no translation. */
const Translated = z.strictObject({
  type: z.literal('translated'),
  language: z.string(),
  lines: z.array(z.strictObject({ id: z.string(), seconds: z.number().exactOptional(), error: z.string().exactOptional() })),
})
export type TranslatedEvent = z.output<typeof Translated>
/** Events of the steps. The lines of `final` are those of the dub. */
export const TRANSCRIBE_STEPS = [
  z.strictObject({ type: z.literal('start'), ...START }),
  Segments,
  Warning,
  z.strictObject({ type: z.literal('final') }),
] as const
export type TranscribeStepEvent = z.output<(typeof TRANSCRIBE_STEPS)[number]>

/** An event of the job. */
export const TranscribeEvent = z
  .discriminatedUnion('type', [
    ...TRANSCRIBE_STEPS,
    Translated,
    z.strictObject({ type: z.literal('error'), ...ERROR }),
    JobDone,
    JobCancelled,
  ])
  .meta({ id: 'TranscribeEvent' })
export type TranscribeEvent = z.output<typeof TranscribeEvent>

const Nothing = z.strictObject({})
/** The data of the events of GET /dub/transcribe-stream, by name. */
export const TranscribeNamed = {
  start: z.strictObject(START),
  segments: z.strictObject(SEGMENTS),
  warning: z.strictObject(WARNING),
  final: z.strictObject({
    segments: z.array(DubLineRow),
    source_lang: z.string(),
    full_transcript: z.string(),
    speaker_clones: DubOptions.shape.speaker_clones,
    cast_sources: DubOptions.shape.cast_sources,
  }),
  ping: Nothing,
  /** With the fields of a missing model, where one must be installed first. */
  error: z.strictObject({
    ...ERROR,
    error: z.string().exactOptional(),
    message: z.string().exactOptional(),
    recommended: z.strictObject({ repo_id: z.string(), label: z.string(), size_gb: z.number() }).exactOptional(),
  }),
  aborted: Nothing,
  done: Nothing,
} as const
export type TranscribeNamed = EventsByName<typeof TranscribeNamed>
