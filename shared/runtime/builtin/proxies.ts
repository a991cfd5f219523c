// Proxies for all requests of this process: those of node:http, node:https and fetch.
type ProxyVariables = Readonly<Record<string, string>>

const { setGlobalProxyFromEnv } = process.getBuiltinModule('node:http') as {
  setGlobalProxyFromEnv?: (variables: ProxyVariables) => () => void
}

/** Says what to do where this Node sends no request through a proxy; null where it does. Node has had it since 24.14, but not in 22. */
export const PROXY_OBJECTION: string | null = setGlobalProxyFromEnv
  ? null
  : `A proxy needs Node 24.14 or newer, and this is Node ${process.versions.node}. Install a newer Node, or use no proxy.`

/**
 * Uses the proxies of HTTP_PROXY, HTTPS_PROXY and NO_PROXY; none for {}. Returns how to undo it. Throws PROXY_OBJECTION rather than sending
 * requests past a proxy.
 */
export function useProxies(variables: ProxyVariables): () => void {
  if (setGlobalProxyFromEnv) return setGlobalProxyFromEnv(variables)
  if (PROXY_OBJECTION !== null && Object.keys(variables).length > 0) throw new Error(PROXY_OBJECTION)
  return () => {}
}
