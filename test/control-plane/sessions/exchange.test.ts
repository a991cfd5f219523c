// The exchange is used with the agents that have it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSession, type SessionDeps } from '#control-plane/sessions/session.ts'
import { createSharedCapabilities } from '#control-plane/sessions/shared-capabilities.ts'
import type { Link } from '#shared/link/rpc.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { EXCHANGE_FEATURE, INPUTS_FEATURE, PROTOCOL_VERSION } from '#shared/protocol/messages.ts'
import { silentLog as log } from '#shared/runtime/log.ts'
import { createFakeClock } from '#test/support/doubles/fake-clock.ts'

/** Calls of the studio on a link to an agent with these features, until the agent refuses the consent. */
async function callsTo(features: readonly string[], usesExchange = true): Promise<string[]> {
  const calls: string[] = []
  const host = { hostname: 'box', os: 'linux', arch: 'x64', cpu_count: 1, memory_bytes: 1, gpus: [] }
  const description = {
    agent_version: '0',
    features,
    host,
    capabilities: [],
    generation: 1,
    protocol: PROTOCOL_VERSION,
    instance: '',
    inventory: 0,
  }
  const link = {
    describe: async () => description,
    openExchange: () => void calls.push('exchange'),
    async consent() {
      calls.push('consent')
      throw new Failure('NOT_READY', 'That is enough.')
    },
  }
  const deps = {
    ledger: { touch() {} },
    clock: createFakeClock(),
    log,
    consentOf: () => null,
    usesExchange,
    studioVersion: '0',
    streams: new Map(),
    shareCapabilities: createSharedCapabilities(),
  }
  const session = createSession('box', link as unknown as Link, deps as unknown as SessionDeps)
  await assert.rejects(
    session.open(() => {}),
    { code: 'NOT_READY' },
  )
  return calls
}

test('an agent with the feature gets one exchange, an older one none', async () => {
  assert.deepEqual(await callsTo([INPUTS_FEATURE, EXCHANGE_FEATURE]), ['exchange', 'consent'])
  assert.deepEqual(await callsTo([INPUTS_FEATURE]), ['consent'])
  assert.deepEqual(await callsTo([EXCHANGE_FEATURE], false), ['consent'])
})
