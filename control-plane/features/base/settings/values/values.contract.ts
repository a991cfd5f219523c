// Every setting by its key. Extensions of the specification, used by the command line.
import { z } from 'zod'
import { contract } from '#control-plane/http/contract/contract.ts'
import { SETTING_GROUPS } from '#control-plane/store/setting.ts'
import { ValueForm } from './value-form.rules.ts'

const Row = z
  .object({
    key: z.string(),
    /** Presentation on a page; null if no page shows it. */
    page: z
      .object({
        group: z.enum(SETTING_GROUPS),
        needs_restart: z.boolean(),
        /** `field`: of a value that is an object, whose fields are switches; null for the whole value. */
        controls: z.array(z.object({ field: z.string().nullable(), title: z.string(), help: z.string() })),
      })
      .nullable(),
    value: z.unknown(),
    default: z.unknown(),
    source: z.enum(['environment', 'stored', 'default']),
    secret: z.boolean(),
    is_set: z.boolean(),
    overridden_by: z.string().nullable(),
    changed_by: z.string().nullable(),
    /** False if the sender of the request may not change it. */
    may_change: z.boolean(),
    summary: z.string(),
    form: ValueForm,
  })
  .meta({ id: 'Setting' })
const shared = { access: 'admin', extension: true } as const
const params = z.strictObject({ key: z.string().max(200) })

export const valueContracts = {
  list: contract({
    ...shared,
    id: 'settings.listValues',
    method: 'GET',
    path: '/api/settings/values',
    summary: 'Lists every setting with its value, its default and the source of the value. Secrets are not returned.',
    reply: z.object({ settings: z.array(Row) }),
  }),
  get: contract({
    ...shared,
    id: 'settings.readValue',
    method: 'GET',
    path: '/api/settings/values/{key}',
    summary: 'Returns one setting.',
    params,
    reply: Row,
  }),
  set: contract({
    ...shared,
    id: 'settings.setValue',
    method: 'PUT',
    path: '/api/settings/values/{key}',
    summary: 'Sets one setting. Settings with further effects are refused; their own routes change them.',
    params,
    body: z.strictObject({ value: z.unknown() }),
    reply: Row,
  }),
  rotateKey: contract({
    ...shared,
    access: 'own',
    id: 'settings.rotateKey',
    method: 'POST',
    path: '/api/settings/secrets/rotate',
    summary: 'Encrypts the stored secrets with a new key.',
    reply: z.object({ rotated: z.int() }),
  }),
}
