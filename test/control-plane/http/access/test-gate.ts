// The access check without a server, for tests of its policy.
import { createAccessGate } from '#control-plane/http/access/gate.ts'
import { createKeyGuard } from '#control-plane/http/access/key-guard.ts'
import { createOrigins } from '#control-plane/http/access/origins.ts'
import { createSignIns } from '#control-plane/http/access/sign-ins.ts'
import type { Access } from '#control-plane/http/contract.ts'
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
  /** Whether loopback connections belong to the user of the studio. */
  readonly ourUser?: boolean
}

export function createTestGate(options: Options = {}) {
  const { host = '127.0.0.1', apiKey = null, allowedHosts = [], allowedOrigins = [], serverMode = false, ourUser = true } = options
  const clock = createFakeClock()
  // Refusals are sent without a delay.
  const log = createLog('silent', 'test')
  const keys = createKeyGuard({ apiKey, clock: { ...systemClock, sleep: async () => {} }, log, counted: () => {} })
  const signIns = createSignIns({ clock, random })
  const origins = createOrigins({ host, allowedHosts, allowedOrigins })
  const gate = createAccessGate({ origins, keys, signIns, isOurUser: async () => ourUser, serverMode })
  return {
    gate,
    signIns,
    clock,
    /** 'ok', or the code of the refusal. */
    async verdict(access: Access, address: string, headers: Record<string, string | string[]> = {}, method = 'GET'): Promise<string> {
      try {
        await gate(access, { connection: { remoteAddress: address }, method, headers: { host: '127.0.0.1:3900', ...headers } })
        return 'ok'
      } catch (error) {
        return Failure.from(error).code
      }
    },
  }
}
