import { handle, type Route } from '../../../http/handle.ts'
import type { SettingsApi } from '../../settings/api.ts'
import { environmentContracts } from './environment.contract.ts'
import { checkedValue, HUB_TOKEN, storedName } from './environment.rules.ts'
import type { Variables } from './variables.ts'

export type EnvironmentParts = {
  readonly variables: Pick<Variables, 'set'>
  readonly hubToken: Pick<SettingsApi['hubToken'], 'set' | 'clear'>
}

export const environmentRoutes = ({ variables, hubToken }: EnvironmentParts): Route[] => [
  handle(environmentContracts.setVariable, async ({ body: { key, value } }) => {
    if (key !== HUB_TOKEN) return { ...(await variables.set(storedName(key), value)), key }
    const token = checkedValue(key, value)
    // Like the programs of the hub: setting it signs in, clearing it signs out.
    await (token === '' ? hubToken.clear(true) : hubToken.set(token))
    return { key, set: token !== '' }
  }),
]
