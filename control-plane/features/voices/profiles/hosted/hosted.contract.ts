import { z } from 'zod'
import { contract } from '#control-plane/http/contract/contract.ts'

const Shown = z.object({ url: z.string(), has_key: z.boolean() }).meta({ id: 'HostedVoices' })
const shared = { path: '/api/settings/hosted-voices', access: 'admin', extension: true } as const

export const hostedContracts = {
  read: contract({
    ...shared,
    id: 'voices.readHosted',
    method: 'GET',
    summary: 'Returns the hosted voice library without its key.',
    reply: Shown,
  }),
  write: contract({
    ...shared,
    access: 'own', // of the key
    id: 'voices.writeHosted',
    method: 'PUT',
    summary: 'Sets the hosted voice library. An absent field stays, an empty one is removed; a new server removes the key.',
    body: z.strictObject({ url: z.string().max(2_000).nullish(), key: z.string().max(1_000).nullish() }),
    reply: Shown,
  }),
}
