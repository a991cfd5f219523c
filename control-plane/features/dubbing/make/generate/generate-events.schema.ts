// The events of the voice track of a dub.
import { z } from 'zod'
import { TIMING_STRATEGIES } from '#control-plane/features/dubbing/store/dub.ts'
import { SPEAK_STEPS } from '#control-plane/features/dubbing/voice/speak/speak-events.schema.ts'
import { JobFailed } from '#control-plane/jobs/job-type.ts'

/** `segment`: the line by its position in the request; absent when the job has failed. */
const Fit = z.strictObject({
  status: z.enum(['fits', 'audio_slowed', 'overflows', 'video_stretched', 'audio_stretched', 'hybrid', 'overflow_trimmed']),
  compression_applied: z.boolean().exactOptional(),
  audio_rate: z.number().exactOptional(),
  overflow_s: z.number().exactOptional(),
  stretch_ratio: z.number().exactOptional(),
  video_ratio: z.number().exactOptional(),
})
const Done = z.strictObject({
  type: z.literal('done'),
  segments_processed: z.int(),
  language_code: z.string(),
  tracks: z.array(z.string()),
  timing_strategy: z.enum(TIMING_STRATEGIES),
  /** Fields that `omitted` names are absent, because the event would be too large. */
  sync_scores: z.array(z.number()).exactOptional(),
  fit_status: z.array(Fit).exactOptional(),
  seg_hashes: z.record(z.string(), z.string()).exactOptional(),
  seg_num_step: z.record(z.string(), z.int()).exactOptional(),
  omitted: z.array(z.enum(['fit_status', 'seg_num_step', 'seg_hashes', 'sync_scores'])).exactOptional(),
})
export type GenerateDone = z.output<typeof Done>
const Checked = z.strictObject({
  type: z.literal('qc_done'),
  event: z.literal('qc_done'),
  engine: z.string(),
  flagged: z.int(),
  total: z.int(),
})
/** The check of a track, which may follow the end of its generation. */
export type TrackChecked = z.output<typeof Checked>

export const GenerateEvent = z
  .union([...SPEAK_STEPS, Done, z.strictObject({ type: z.literal('cancelled'), segments_processed: z.int() }), JobFailed, Checked])
  .meta({ id: 'DubEvent' })
