import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { createSession, SESSION_CHECK_MS, type SessionDeps } from '#control-plane/sessions/session.ts'
import { createSharedCapabilities } from '#control-plane/sessions/shared-capabilities.ts'
import type { Link } from '#shared/link/rpc.ts'
import type { Failure } from '#shared/protocol/failure.ts'
import { LOST_MS } from '#shared/protocol/lease.ts'
import { PROTOCOL_VERSION, type Snapshot } from '#shared/protocol/messages.ts'
import { silentLog as log } from '#shared/runtime/log.ts'
import { createFakeClock } from '#test/support/doubles/fake-clock.ts'
import { openLedger } from '#test/support/doubles/ledger.ts'

test('a machine is lost after silent checks, not after a time in which the studio itself stood still', async (t) => {
  const { ledger } = openLedger(t)
  const clock = createFakeClock()
  const reasons: Failure[] = []
  const snapshots: ((snapshot: Snapshot) => void)[] = []
  const link = {
    peerAddress: 'box',
    isOpen: true,
    closed: new Promise<Failure>(() => {}),
    close: (reason: Failure) => void reasons.push(reason),
    describe: async () => ({
      agent_version: '0',
      features: [],
      host: { hostname: 'box', os: 'linux', arch: 'x64', cpu_count: 2, memory_bytes: 0, gpus: [] },
      capabilities: [],
      generation: 0,
      protocol: PROTOCOL_VERSION,
      instance: '',
      inventory: 0,
    }),
    consent: async () => {},
    async *watch() {
      for (;;) yield await new Promise<Snapshot>((resolve) => snapshots.push(resolve))
    },
  }
  const deps = {
    ledger,
    clock,
    log,
    consentOf: () => null,
    drainOf: () => null,
    onChanged: () => {},
    streams: new Map(),
    shareCapabilities: createSharedCapabilities(),
    studioVersion: '0',
  }
  const session = createSession('box', link as unknown as Link, deps as unknown as SessionDeps)
  let beat = 0
  const reports = async () => {
    while (snapshots.length === 0) await turn()
    snapshots.pop()!({
      held: [],
      resident_models: [],
      free_memory_bytes: 0,
      free_disk_bytes: 0,
      draining: false,
      beat: ++beat,
      inventory: 0,
    })
    while (snapshots.length === 0) await turn()
  }
  await Promise.all([session.open(() => {}), reports()])

  clock.advance(10 * LOST_MS)
  session.check()
  assert.deepEqual(reasons, [], 'its messages wait to be read')
  await reports()

  const allowed = LOST_MS / SESSION_CHECK_MS
  for (let count = 0; count < allowed; count++) session.check()
  assert.deepEqual(reasons, [])
  session.check()
  assert.deepEqual(
    reasons.map(({ code, message }) => [code, message]),
    [['WORKER_DISCONNECTED', 'The machine sent nothing for 15 s.']],
  )
})
