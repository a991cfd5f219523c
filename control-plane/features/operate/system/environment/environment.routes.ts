import type { SettingsApi } from '#control-plane/features/base/settings/api.ts'
import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import type { Variables } from '#control-plane/kernel/variables.ts'
import { environmentContracts } from './environment.contract.ts'
import { checkedValue, HUB_TOKEN, isAddress, storedName } from './environment.rules.ts'

export type EnvironmentParts = {
  readonly variables: Pick<Variables, 'set'>
  readonly hubToken: Pick<SettingsApi['hubToken'], 'set' | 'clear'>
}

export const environmentRoutes = ({ variables, hubToken }: EnvironmentParts): Route[] => [
  handle(environmentContracts.setVariable, async ({ body }) => {
    const set = async ({ key, value }: (typeof body)[number]) => {
      if (key !== HUB_TOKEN) return { ...(await variables.set(storedName(key), value)), key }
      const token = checkedValue(key, value)
      // Like the programs of the hub: setting it signs in, clearing it signs out.
      await (token === '' ? hubToken.clear(true) : hubToken.set(token))
      return { key, set: token !== '' }
    }
    // All are checked before the first one is set.
    for (const { key, value } of body) checkedValue(storedName(key), value)
    const all = []
    // Another address removes the key of the earlier one, and a key beside it belongs to the new one.
    for (const one of body.toSorted((left, right) => Number(isAddress(right.key)) - Number(isAddress(left.key)))) all.push(await set(one))
    return { ...all[0]!, ...(all.length > 1 && { variables: all }) }
  }),
]
