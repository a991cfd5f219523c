// Probes are open to every caller that reaches the port, so their replies have no details.
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
  live: contract({
    id: 'system.live',
    method: 'GET',
    path: '/live',
    access: 'open',
    summary: 'Answers as long as the studio runs. Restart it if this fails for a minute.',
    extension: true,
    reply: z.object({ status: z.literal('ok') }).meta({ id: 'Live' }),
  }),
  ready: contract({
    id: 'system.ready',
    method: 'GET',
    path: '/ready',
    access: 'open',
    summary: 'Answers 200 if the studio can take work: it can read its database, and its disk has free space.',
    extension: true,
    reply: z.object({ status: z.literal('ready') }).meta({ id: 'Ready' }),
  }),
}
