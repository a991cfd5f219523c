// GET /health: open to everybody who reaches the port, so it tells nothing but that.
import { z } from 'zod'
import { contract } from '../../http/contract.ts'

export const healthContracts = {
  health: contract({
    id: 'system.health',
    method: 'GET',
    path: '/health',
    access: 'open',
    summary: 'Whether the studio answers, and what its local engine runs on.',
    reply: z.object({ status: z.literal('ok'), device: z.string(), version: z.string() }).meta({ id: 'Health' }),
  }),
}
