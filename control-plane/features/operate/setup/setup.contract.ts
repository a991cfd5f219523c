// The first start.
import { z } from 'zod'
import { contract } from '#control-plane/http/contract/contract.ts'
import { booleanText } from '#control-plane/http/input/boolean-text.ts'
import { Preflight, Recommendations, SetupStatus } from './setup.schema.ts'

const access = 'consume' as const

export const setupContracts = {
  readStatus: contract({
    id: 'setup.readStatus',
    method: 'GET',
    path: '/setup/status',
    access,
    summary: 'Returns the required models that are missing on this machine, and whether the disk has room for them.',
    reply: SetupStatus,
  }),
  preflight: contract({
    id: 'setup.preflight',
    method: 'GET',
    path: '/setup/preflight',
    access,
    summary:
      'Checks this machine and returns a fix for each check that does not pass. Contacts the model server, which may take 5 s, unless network=false.',
    query: z.object({ network: booleanText().default(true) }),
    reply: Preflight,
  }),
  recommend: contract({
    id: 'setup.recommend',
    method: 'GET',
    path: '/setup/recommendations',
    access,
    summary: 'Lists the models that suit this machine.',
    reply: Recommendations,
  }),
  warmUp: contract({
    id: 'setup.warmUp',
    method: 'POST',
    path: '/setup/warmup',
    access,
    summary:
      'Loads the selected speech engine, or another engine for speech or recognition, on the local agent. With wait=true it answers when the engine is loaded.',
    query: z.object({ engine: z.string().max(64).optional(), wait: booleanText().default(false) }),
    reply: z.object({ status: z.enum(['warmup_started', 'loaded']) }),
  }),
}
