// Variables that change the running studio.
import { z } from 'zod'
import { contract } from '../../../http/contract.ts'

export const environmentContracts = {
  setVariable: contract({
    id: 'system.setVariable',
    method: 'POST',
    path: '/system/set-env',
    access: 'admin',
    summary:
      'Sets one of the allowed variables: proxies, translation services, ports, HF_TOKEN. An empty value clears it. Proxies and ports apply from the next start. Another server in an address removes the key of the earlier one, which `removed` names.',
    body: z.strictObject({ key: z.string().min(1).max(64), value: z.string().max(2_048) }),
    reply: z.object({ key: z.string(), set: z.boolean(), removed: z.array(z.string()).optional() }).meta({ id: 'VariableSet' }),
  }),
}
