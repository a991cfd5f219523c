// The variables that the owner set in the running studio, stored encrypted. Proxies apply at once to requests of the studio and of its agent.

import type { Variables } from '#control-plane/kernel/variables.ts'
import type { OwnerSettings } from '#control-plane/store/setting.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { NO_PROXY, PROXY_OBJECTION, useProxies } from '#shared/runtime/builtin/http.ts'
import { keyOfAddress } from '#shared/translators.ts'
import { checkedValue, isSameServer, PROXIES } from './environment.rules.ts'
import { variableSetting } from './environment.settings.ts'

type Deps = { readonly settings: Pick<OwnerSettings, 'read' | 'write'> }
type ProxyVariable = 'HTTP_PROXY' | 'HTTPS_PROXY' | 'ALL_PROXY'

export function createVariables({ settings }: Deps): Variables {
  let restore = () => {}
  const listeners: ((proxies: Record<string, string>) => void)[] = []
  /** '' when it is not set. */
  const get = (name: string): string => settings.read(variableSetting(name))
  const proxy = (name: ProxyVariable): string => get(name) || get(name.toLowerCase())

  /** The environment that makes a Node process use the proxies; empty without any. */
  function proxyEnvironment(): Record<string, string> {
    const plain = proxy('HTTP_PROXY') || proxy('ALL_PROXY')
    const secure = proxy('HTTPS_PROXY') || proxy('ALL_PROXY')
    if (plain === '' && secure === '') return {}
    return {
      ...(plain && { HTTP_PROXY: plain }),
      ...(secure && { HTTPS_PROXY: secure }),
      NO_PROXY: NO_PROXY.join(','),
      NODE_USE_ENV_PROXY: '1',
    }
  }
  function apply(): void {
    restore()
    restore = useProxies(proxyEnvironment())
  }

  /** The newest change. A key that is entered during the change of its address belongs to the new address. */
  let change: Promise<unknown> = Promise.resolve()
  async function store(key: string, value: string) {
    const secret = keyOfAddress(key)
    const isDropped = secret !== null && get(secret) !== '' && !isSameServer(get(key), value)
    // The key first: a crash between the two leaves no key beside an address that it was not entered for.
    if (isDropped) await settings.write(variableSetting(secret), '')
    await settings.write(variableSetting(key), value)
    if (PROXIES.includes(key)) {
      apply()
      for (const listener of listeners) listener(proxyEnvironment())
    }
    return { key, set: value !== '', ...(isDropped && { removed: [secret] }) }
  }

  return {
    get,
    proxy: () => proxyEnvironment()['HTTPS_PROXY'] ?? proxyEnvironment()['HTTP_PROXY'] ?? '',
    proxyEnvironment,
    proxyProblem: () => (Object.keys(proxyEnvironment()).length > 0 ? PROXY_OBJECTION : null),
    port: ({ port, isPortSet }) => (isPortSet ? port : Number(get('VOICESTUDIO_PORT')) || port),
    apply,
    onProxies: (listener) => void listeners.push(listener),
    async set(key, text) {
      const value = checkedValue(key, text)
      if (PROXIES.includes(key) && value !== '' && PROXY_OBJECTION !== null) throw new Failure('BAD_REQUEST', PROXY_OBJECTION)
      const stored = change.then(() => store(key, value))
      change = stored.catch(() => {})
      return stored
    },
  }
}
