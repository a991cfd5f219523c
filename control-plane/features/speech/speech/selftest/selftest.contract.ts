// The self-test of an engine. It is a request for speech, so it belongs to this area although its path is under /engines.
import { z } from 'zod'
import { EnginePath } from '#control-plane/features/machines/engines/engines.schema.ts'
import { contract } from '#control-plane/http/contract/contract.ts'

const SelftestReply = z
  .object({
    id: z.string(),
    ok: z.boolean(),
    message: z.string(),
    duration_ms: z.number(),
    sample_rate: z.int().nullable(),
    num_samples: z.int().nullable(),
    audio_seconds: z.number().nullable(),
    timed_out: z.boolean(),
  })
  .meta({ id: 'EngineSelftest' })
export type SelftestReply = z.output<typeof SelftestReply>

export const selftestContracts = {
  run: contract({
    id: 'engines.selftest',
    method: 'POST',
    path: '/engines/{engine_id}/selftest',
    access: 'admin',
    summary: 'Synthesises one short sentence with an engine and measures it.',
    params: EnginePath,
    reply: SelftestReply,
  }),
}
