// The events of a film that comes from an address: its download, and its preparation.
import { z } from 'zod'
import { FAILURE_FIELDS, JobCancelled } from '#control-plane/jobs/job-type.ts'
import { PREP_STEPS, PrepReady, PrepWarning } from '../prep/prep-events.schema.ts'

const Progress = z.strictObject({
  type: z.literal('download_progress'),
  /** Null while the size is unknown. */
  percent: z.number().nullable(),
  speed_bps: z.number().nullable(),
  eta_s: z.number().nullable(),
})
/** The film has no subtitles, and the download goes on. */
const Warning = PrepWarning.extend({ stage: z.enum([...PrepWarning.shape.stage.options, 'download']) })
/** An event of the download. */
export type DownloadStepEvent = z.output<typeof Progress> | z.output<typeof Warning>

export const IngestEvent = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('download_start'), url: z.string() }),
    Progress,
    z.strictObject({
      type: z.literal('download_done'),
      title: z.string(),
      size: z.int(),
      filename: z.string(),
      youtube_subs: z.array(z.string()),
    }),
    ...PREP_STEPS,
    Warning,
    PrepReady,
    z.strictObject({ type: z.literal('error'), ...FAILURE_FIELDS, stage: z.enum(['download', 'ingest', 'extract']) }),
    JobCancelled,
  ])
  .meta({ id: 'IngestEvent' })
export type IngestEvent = z.output<typeof IngestEvent>
