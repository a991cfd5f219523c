// The variables that the owner set in the running studio.
import type { Settings } from '#shared/protocol/settings.ts'

export type Variables = {
  /** '' when it is not set. */
  readonly get: (name: string) => string
  /** The proxy for requests to https addresses; '' without one. */
  readonly proxy: () => string
  /** The environment that makes a Node process use the proxies; empty without any. */
  readonly proxyEnvironment: () => Record<string, string>
  /** Reason why the requests of this studio fail although a proxy is set: this Node cannot use one. Null without a proxy, and if it can. */
  readonly proxyProblem: () => string | null
  /** The port of this run: VOICESTUDIO_PORT counts only if the environment names none. */
  readonly port: (settings: Pick<Settings, 'port' | 'isPortSet'>) => number
  /** Makes the requests of this process use the proxies. */
  readonly apply: () => void
  /** Calls back with the new `proxyEnvironment` after each change of a proxy. */
  readonly onProxies: (listener: (proxies: Record<string, string>) => void) => void
  /**
   * `key` is one of STORED; an empty value clears it. In effect at once; resolves when durable. Another server in an address removes the
   * key that was entered for the earlier one; `removed` names it. Throws BAD_REQUEST.
   */
  readonly set: (key: string, text: string) => Promise<{ readonly key: string; readonly set: boolean; readonly removed?: string[] }>
}
