// The sound of a dub as numbers to draw.
import { z } from 'zod'
import { contract } from '#control-plane/http/contract/contract.ts'

export const dubPeaksContracts = {
  peaks: contract({
    id: 'dubbing.readPeaks',
    method: 'GET',
    path: '/dub/peaks/{job_id}',
    access: 'consume',
    of: { kind: 'dub', param: 'job_id' },
    summary: 'Returns the loudest sample of equal parts of the sound, from 0 to 255, to draw it. The first call reads the whole sound.',
    extension: true,
    params: z.strictObject({ job_id: z.string().max(128) }),
    query: z.strictObject({
      from: z.coerce.number().min(0).max(1e6).default(0),
      to: z.coerce.number().min(0).max(1e6).optional(),
      peaks: z.coerce.number().int().min(1).max(4000).default(2000),
    }),
    reply: z.object({ from: z.number(), to: z.number(), peaks: z.array(z.int()) }).meta({ id: 'DubPeaks' }),
  }),
}
