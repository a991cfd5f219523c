// The parts of node:http that the programs use. An import from 'node:http' evaluates all of its exports, and reading its WebSocket loads
// the client behind fetch, which costs 60 ms of processor time at each start of a program.
type Variables = Readonly<Record<string, string>>
type Http = typeof import('node:http')
/** Node has had the last one since 24.14, but not in 22. */
type Available = Omit<Http, 'setGlobalProxyFromEnv'> & { readonly setGlobalProxyFromEnv?: (variables: Variables) => () => void }

const http: Available = process.getBuiltinModule('node:http')
export const { createServer, IncomingMessage, request, STATUS_CODES } = http

/** Message with a remedy if this Node cannot send requests through a proxy; null if it can. */
export const PROXY_OBJECTION: string | null = http.setGlobalProxyFromEnv
  ? null
  : `A proxy needs Node 24.14 or newer, and this is Node ${process.versions.node}. Install a newer Node, or use no proxy.`

/**
 * All requests of this process, also those of node:https and fetch, use the proxies of HTTP_PROXY, HTTPS_PROXY and NO_PROXY; none for {}.
 * Returns how to undo it. Throws PROXY_OBJECTION rather than sending requests past a proxy.
 */
export function useProxies(variables: Variables): () => void {
  if (http.setGlobalProxyFromEnv) return http.setGlobalProxyFromEnv(variables)
  if (Object.keys(variables).length > 0) throw new Error(PROXY_OBJECTION ?? '')
  return () => {}
}
