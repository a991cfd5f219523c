// The access check without a server, for tests of its policy.
import type { PersonSender } from '#control-plane/clients/client.ts'
import { createClientOf } from '#control-plane/http/access/client-of.ts'
import { createAccessGate } from '#control-plane/http/access/gate.ts'
import { createKeyGuard } from '#control-plane/http/access/key-guard.ts'
import { createOrigins } from '#control-plane/http/access/origins.ts'
import { createProofs } from '#control-plane/http/access/proofs.ts'
import { createSharePin } from '#control-plane/http/access/share-pin.ts'
import { createSignIns } from '#control-plane/http/access/sign-ins.ts'
import { createTrustedNetworks } from '#control-plane/http/access/trusted-networks.ts'
import type { Access } from '#control-plane/http/contract/contract.ts'
import type { ClientId } from '#shared/protocol/access/client.ts'
import type { PersonRole } from '#shared/protocol/access/person.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { createLog } from '#shared/runtime/log.ts'
import { systemRandom as random } from '#shared/runtime/random.ts'
import { createFakeClock } from '#test/support/doubles/fake-clock.ts'

type Options = {
  readonly host?: string
  readonly apiKey?: string | null
  readonly allowedHosts?: readonly string[]
  readonly allowedOrigins?: readonly string[]
  readonly serverMode?: boolean
  /** True if loopback connections belong to the user of the studio. */
  readonly ourUser?: boolean
  readonly trustedNetworks?: readonly string[]
}

const SHARED_PORT = 3902

export function createTestGate(options: Options = {}) {
  const { host = '127.0.0.1', apiKey = null, allowedHosts = [], allowedOrigins = [], serverMode = false, ourUser = true } = options
  const { trustedNetworks = [] } = options
  const clock = createFakeClock()
  // Refusals are sent without a delay.
  const log = createLog('silent', 'test')
  let wrong = 0
  const keys = createKeyGuard({ apiKey, clock: { ...systemClock, sleep: async () => {} }, log, counted: () => void wrong++ })
  const signIns = createSignIns({ clock, random })
  const origins = createOrigins({ host, apiKey, allowedHosts, allowedOrigins, sharedNames: () => ['studio-box.local'] })
  const pins = createSharePin({ clock, random, log })
  const isTrustedNetwork = createTrustedNetworks(trustedNetworks)
  const persons = new Map<string, PersonSender>()
  const localUsers = { isOurs: async () => ourUser, otherUser: async () => (ourUser ? null : 1001) }
  const isShared = ({ localPort }: { localPort?: number | undefined }) => localPort === SHARED_PORT
  const people = { find: async (text: string) => persons.get(text) ?? null }
  const proofs = createProofs({ keys, signIns, people, pins, isShared })
  const gate = createAccessGate({ origins, keys, proofs, localUsers, isTrustedNetwork, isShared, serverMode })
  type Sent = {
    readonly method?: string
    readonly pin?: string
    readonly isReading?: boolean
    readonly isSocket?: true
    readonly ticket?: { readonly text: string; readonly path: string }
  }
  async function ask(access: Access, address: string, headers: Record<string, string | string[]>, localPort: number, sent: Sent = {}) {
    const { method = 'GET', ...more } = sent
    const connection = { remoteAddress: address, localPort }
    return gate(access, { connection, method, headers: { host: '127.0.0.1:3900', ...headers }, ...more })
  }
  const clientOf = createClientOf({ origins, localUsers })
  const codeOf = (principal: Promise<unknown>): Promise<string> =>
    principal.then(
      () => 'ok',
      (error: unknown) => Failure.from(error).code,
    )
  return {
    gate,
    signIns,
    pins,
    clock,
    /** The key of a new person, and the function that ends it. */
    person(role: PersonRole, id = role as string) {
      const ending = new AbortController()
      const key = `svk_${id}`
      const sender = { id, keyId: `key-of-${id}`, role: () => role, ended: ending.signal }
      persons.set(key, sender)
      const end = () => {
        persons.delete(key)
        ending.abort()
      }
      return { key, sender, headers: { authorization: `Bearer ${key}` }, end }
    },
    /** Wrong keys so far. */
    wrongKeys: () => wrong,
    ask,
    /** The client that makes what an admitted request makes. */
    async maker(address: string, headers: Record<string, string> = {}, localPort = 3900): Promise<ClientId> {
      const principal = await ask('consume', address, headers, localPort)
      return (await clientOf(principal, { connection: { remoteAddress: address, localPort }, headers, access: 'consume' })).id
    },
    /** Same as `verdict`, on the shared port. */
    shared: (access: Access, address: string, headers: Record<string, string> = {}, sent: Sent = {}): Promise<string> =>
      codeOf(ask(access, address, headers, SHARED_PORT, sent)),
    /** 'ok', or the code of the refusal. */
    verdict: (access: Access, address: string, headers: Record<string, string | string[]> = {}, method = 'GET'): Promise<string> =>
      codeOf(ask(access, address, headers, 3900, { method })),
  }
}
