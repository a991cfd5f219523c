// The events of lines that are spoken again because their check has failed.
import { z } from 'zod'
import { SPEAK_STEPS } from '#control-plane/features/dubbing/voice/speak/speak-events.schema.ts'
import { JobCancelled, JobFailed } from '#control-plane/jobs/job-type.ts'

export const RepairEvent = z
  .union([
    ...SPEAK_STEPS,
    z.strictObject({
      type: z.literal('done'),
      flagged_count: z.int(),
      faulty_count: z.int(),
      /** `best`: the take that is kept, of `takes`. */
      lines: z.array(z.strictObject({ seg_id: z.union([z.string(), z.int()]), takes: z.int(), best: z.int() })),
    }),
    JobCancelled,
    JobFailed,
  ])
  .meta({ id: 'RepairEvent' })
