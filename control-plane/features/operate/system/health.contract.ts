// GET /health is open to every caller that reaches the port, so its reply has no details.
import { z } from 'zod'
import { contract } from '#control-plane/http/contract/contract.ts'

export const healthContracts = {
  health: contract({
    id: 'system.health',
    method: 'GET',
    path: '/health',
    access: 'open',
    summary: 'Returns whether the studio responds, and the device of its local engine.',
    reply: z.object({ status: z.literal('ok'), device: z.string(), version: z.string() }).meta({ id: 'Health' }),
  }),
}
