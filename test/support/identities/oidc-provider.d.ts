// The parts of oidc-provider that the tests use. The package has no types of its own.
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http'

  type Account = { readonly accountId: string; readonly claims: () => Readonly<Record<string, unknown>> }
  type Configuration = {
    readonly clients: readonly Readonly<Record<string, unknown>>[]
    readonly claims: Readonly<Record<string, readonly string[]>>
    readonly cookies: { readonly keys: readonly string[] }
    readonly pkce: { readonly required: () => boolean }
    readonly findAccount: (context: unknown, id: string) => Account | undefined
  }
  // biome-ignore lint/style/noDefaultExport: the package has no other export of it
  export default class Provider {
    constructor(issuer: string, configuration: Configuration)
    callback(): RequestListener
  }
}
