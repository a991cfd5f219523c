// GET and PUT for a setting whose route has the shape of the setting itself.
import type { z } from 'zod'
import { type Access, contract } from '#control-plane/http/contract/contract.ts'
import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import type { OwnerSettings, Setting } from '#control-plane/store/setting.ts'

type Row = { readonly id: string; readonly path: string; readonly access: Access; readonly extension?: true }

/** `id`: `<area>.<noun>`; the routes are `<area>.read<Noun>` and `<area>.write<Noun>`. A secret setting has no such route. */
export function settingContracts<T>({ schema, summary, secret }: Setting<T>, { id, path, access, extension }: Row) {
  if (secret) throw new Error(`${id} is secret: a route must not show it.`)
  const [area, noun = ''] = id.split('.')
  const named = (verb: string) => `${area}.${verb}${noun.charAt(0).toUpperCase()}${noun.slice(1)}`
  const shared = { path, access, summary, ...(extension && { extension }) }
  const reply: z.ZodType = schema
  return {
    read: contract({ ...shared, id: named('read'), method: 'GET', reply }),
    write: contract({ ...shared, id: named('write'), method: 'PUT', body: schema, reply }),
  }
}

export function settingRoutes<T>(
  one: Setting<T>,
  contracts: ReturnType<typeof settingContracts<T>>,
  settings: Pick<OwnerSettings, 'read' | 'write'>,
): Route[] {
  return [
    handle(contracts.read, () => settings.read(one)),
    handle(contracts.write, async ({ body }) => {
      await settings.write(one, body as T)
      return settings.read(one)
    }),
  ]
}
