// Takes that are generated as jobs.
import { z } from 'zod'
import { contract } from '#control-plane/http/contract/contract.ts'

const access = 'consume' as const
const params = z.strictObject({ job_id: z.string().min(1).max(128) })

export const takeContracts = {
  followSound: contract({
    id: 'speech.followTakeAudio',
    method: 'GET',
    path: '/jobs/{job_id}/audio',
    access,
    of: { kind: 'job', param: 'job_id' },
    summary:
      'The sound of a take as 16-bit mono PCM while it is generated; X-Sample-Rate has the rate. Range continues an interrupted download. For a complete take a redirect to its file.',
    extension: true,
    params,
    reads: ['range'],
    sends: ['x-sample-rate'],
    media: ['audio/pcm'],
  }),
  move: contract({
    id: 'speech.moveTake',
    method: 'POST',
    path: '/jobs/{job_id}/move',
    access,
    of: { kind: 'job', param: 'job_id' },
    summary: 'Finishes a take on this machine. The finished parts are kept.',
    extension: true,
    params,
    body: z.object({ target: z.literal('local').default('local') }),
    reply: z.object({ ok: z.literal(true) }),
  }),
}
