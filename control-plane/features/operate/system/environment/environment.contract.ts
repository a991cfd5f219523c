// Variables that change the running studio.
import { z } from 'zod'
import { contract } from '#control-plane/http/contract/contract.ts'

const Name = z.string().min(1).max(64)
const Value = z.string().max(2_048)
const MOST = 64
/** `{key, value}`, or the variables by their names. */
const VariableBody = z
  .looseObject({ key: Name.optional(), value: Value.optional() })
  .transform(({ key, value, ...named }, context) => {
    if (key !== undefined && value !== undefined) return [{ key, value }]
    const given = z
      .record(Name, Value)
      .refine((all) => Object.keys(all).length <= MOST)
      .safeParse(named)
    if (key === undefined && value === undefined && given.success && Object.keys(named).length > 0)
      return Object.entries(given.data).map(([name, text]) => ({ key: name, value: text }))
    const path = [key === undefined ? 'key' : 'value']
    context.addIssue({ code: 'invalid_type', expected: 'string', input: undefined, path })
    return z.NEVER
  })
  .meta({ id: 'VariableRequest' })
const VariableSet = z.object({ key: z.string(), set: z.boolean(), removed: z.array(z.string()).optional() })

export const environmentContracts = {
  setVariable: contract({
    id: 'system.setVariable',
    method: 'POST',
    path: '/system/set-env',
    access: 'own',
    summary:
      'Sets one of the allowed variables, as {key, value} or as an object with its name: proxies, translation services, ports, HF_TOKEN. An empty value clears it. Proxies and ports apply from the next start. Another server in an address removes the key of the earlier one, which `removed` names.',
    body: VariableBody,
    reply: VariableSet.extend({
      /** All of them, if the request set several. */
      variables: z.array(VariableSet).optional(),
    }).meta({ id: 'VariablesSet' }),
  }),
}
