// Probes are open to every caller that reaches the port, so their replies have no details. Update, stop and finish end the work by POST /system/finish.
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
  finish: contract({
    id: 'system.finish',
    method: 'POST',
    path: '/system/finish',
    access: 'loopback',
    extension: true,
    summary:
      'Refuses new work, lets running work end, and hands over to the installed version (update) or ends the program (stop, finish).',
    body: z.strictObject({
      /** Running requests have this time to end; with `stop` running jobs as well. */
      wait_seconds: z.int().min(0).max(86_400).default(60),
      /** `switch`: the installed version takes over. `stop`: the program ends, and jobs that wait go on at the next start. */
      after: z.enum(['switch', 'stop']).default('switch'),
    }),
    reply: z
      .object({
        pid: z.int(),
        version: z.string(),
        /** Requests that run. */
        running: z.int(),
      })
      .meta({ id: 'Finishing' }),
  }),
}
