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

/** Servers of this machine are never reached through a proxy. */
export const NO_PROXY = ['localhost', '127.0.0.1', '::1']

/**
 * All requests of this process, also those of node:https and fetch, use the proxies of HTTP_PROXY, HTTPS_PROXY and NO_PROXY; none for {}.
 * Where this Node cannot do that, requests to other machines fail with PROXY_OBJECTION rather than going past the proxy. Returns how to undo it.
 */
export function useProxies(variables: Variables): () => void {
  if (http.setGlobalProxyFromEnv) return http.setGlobalProxyFromEnv(variables)
  return Object.keys(variables).length > 0 ? refuseRequests() : () => {}
}

const isHere = (host: string | null | undefined): boolean => NO_PROXY.includes((host ?? '').replace(/^\[|\]$/g, ''))
const refusal = () => new TypeError(PROXY_OBJECTION ?? '') // as fetch reports a network that cannot be reached

function refuseRequests(): () => void {
  const https = process.getBuiltinModule('node:https')
  const usual = { http: http.globalAgent, https: https.globalAgent, fetch: globalThis.fetch }
  http.globalAgent = refusing(new http.Agent({ keepAlive: true }))
  https.globalAgent = refusing(new https.Agent({ keepAlive: true }))
  globalThis.fetch = (input, init) => {
    const { hostname } = new URL(input instanceof Request ? input.url : input)
    // A redirect may lead to another machine.
    if (isHere(hostname)) return usual.fetch(input, { ...init, redirect: init?.redirect === 'manual' ? 'manual' : 'error' })
    return Promise.reject(refusal())
  }
  return () => {
    http.globalAgent = usual.http
    https.globalAgent = usual.https
    globalThis.fetch = usual.fetch
  }
}

/** Fails before it connects to another machine. */
function refusing<A extends InstanceType<Http['Agent']>>(agent: A): A {
  const connect = agent.createConnection.bind(agent)
  agent.createConnection = (options, callback) => {
    const { host, socketPath } = options as { readonly host?: string; readonly socketPath?: string }
    if (socketPath || isHere(host)) return connect(options, callback)
    // Node takes undefined for a connection that the callback reports.
    callback?.(refusal(), undefined as never)
    return undefined
  }
  return agent
}
