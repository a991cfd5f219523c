import { z } from 'zod'
import { contract } from '../../../http/contract.ts'

const Seconds = z.number().nullable()
export const dubQcContracts = {
  check: contract({
    id: 'dubbing.checkTrack',
    method: 'POST',
    path: '/dub/qc/{job_id}',
    access: 'consume',
    summary:
      'Listens to the voice track of a dub with a recogniser of this machine and stores how far each line is from its text and its time.',
    params: z.object({ job_id: z.string().max(1_000) }),
    query: z.strictObject({ lang: z.string().max(64).optional(), drift_threshold: z.coerce.number().min(0).max(1).default(0.5) }),
    reply: z
      .object({
        engine: z.string(),
        total: z.int(),
        flagged_count: z.int(),
        drift_threshold: z.number(),
        segments: z.array(
          z.object({
            seg_id: z.union([z.string(), z.number()]),
            drift: z.number(),
            flagged: z.boolean(),
            recognized_text: z.string(),
            measured_start: Seconds,
            measured_end: Seconds,
          }),
        ),
      })
      .meta({ id: 'DubCheck' }),
  }),
}
