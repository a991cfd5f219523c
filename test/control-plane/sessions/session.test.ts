import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AttemptReceiver } from '#control-plane/sessions/attempt-receiver.ts'
import { createRegistry } from '#control-plane/sessions/registry.ts'
import { createSession, SESSION_CHECK_MS, type SessionDeps } from '#control-plane/sessions/session.ts'
import { createSharedCapabilities } from '#control-plane/sessions/shared-capabilities.ts'
import type { Link, RunCall } from '#shared/link/rpc.ts'
import type { Failure } from '#shared/protocol/failure.ts'
import type { Wire } from '#shared/protocol/generated/wire.ts'
import { LOST_MS } from '#shared/protocol/lease.ts'
import { INSTALL_NEXT_FEATURE, PROTOCOL_VERSION } from '#shared/protocol/messages.ts'
import { silentLog as log } from '#shared/runtime/log.ts'
import { wireSnapshot } from '#test/support/builders/wire.ts'
import { createFakeClock, turn } from '#test/support/doubles/fake-clock.ts'
import { openLedger, specOf } from '#test/support/doubles/ledger.ts'

/** A link to a machine that the test plays: it describes itself, and sends a snapshot for each `report`. */
function playLink(more: Partial<Link> = {}, features: readonly string[] = []) {
  const reasons: Failure[] = []
  const snapshots: ((snapshot: Wire<'Snapshot'>) => void)[] = []
  const link = {
    peerAddress: 'box',
    isOpen: true,
    closed: new Promise<Failure>(() => {}),
    close: (reason: Failure) => void reasons.push(reason),
    describe: async () => ({
      agent_version: '0',
      features,
      host: { hostname: 'box', os: 'linux', arch: 'x64', cpu_count: 2, memory_bytes: 0, gpus: [] },
      capabilities: [],
      generation: 0,
      protocol: PROTOCOL_VERSION,
      instance: '',
      inventory: 0,
    }),
    consent: async () => {},
    async *watch() {
      for (;;) yield await new Promise<Wire<'Snapshot'>>((resolve) => snapshots.push(resolve))
    },
    ...more,
  } as unknown as Link
  let beat = 0
  return {
    link,
    /** Reasons with which it was closed. */
    reasons,
    /** Resolves when the snapshot has been taken. */
    async report(): Promise<void> {
      while (snapshots.length === 0) await turn()
      snapshots.pop()!(wireSnapshot({ beat: ++beat }))
      while (snapshots.length === 0) await turn()
    },
  }
}

const sessionOn = (link: Link, more: Partial<SessionDeps>) =>
  createSession('box', link, {
    clock: createFakeClock(),
    log,
    consentOf: () => null,
    drainOf: () => null,
    onChanged: () => {},
    streams: new Map(),
    shareCapabilities: createSharedCapabilities(),
    studioVersion: '0',
    ...more,
  } as unknown as SessionDeps)

test('a machine is lost after silent checks, not after a time in which the studio itself stood still', async (t) => {
  const { ledger } = openLedger(t)
  const clock = createFakeClock()
  const { link, reasons, report } = playLink()
  const session = sessionOn(link, { ledger, clock })
  await Promise.all([session.open(() => {}), report()])

  clock.advance(10 * LOST_MS)
  session.check()
  assert.deepEqual(reasons, [], 'its messages wait to be read')
  await report()

  const allowed = LOST_MS / SESSION_CHECK_MS
  for (let count = 0; count < allowed; count++) session.check()
  assert.deepEqual(reasons, [])
  session.check()
  assert.deepEqual(
    reasons.map(({ code, message }) => [code, message]),
    [['WORKER_DISCONNECTED', 'The machine sent nothing for 15 s.']],
  )
})

test('a machine with the agent of an earlier version refuses to change the order of its downloads, and downloads as before', async (t) => {
  const { ledger } = openLedger(t)
  const requests: unknown[] = []
  const openWith = async (features: readonly string[]) => {
    const { link, report } = playLink({ install: (request) => void requests.push(request) as never }, features)
    const session = sessionOn(link, { ledger, consentOf: () => 'consent' })
    await Promise.all([session.open(() => {}), report()])
    return session
  }
  const { signal } = new AbortController()
  const earlier = await openWith([])
  assert.throws(() => earlier.install('a/model', signal, true), {
    code: 'OPERATION_UNSUPPORTED',
    message: 'The agent of this machine is too old to change the order of its downloads.',
    hint: 'Update Voice Studio on that machine. Its downloads keep their order.',
  })
  assert.deepEqual(requests, [], 'an agent that does not know the field would begin the download')
  earlier.install('a/model', signal)
  const current = await openWith([INSTALL_NEXT_FEATURE])
  current.install('a/model', signal, true)
  assert.deepEqual(requests, [
    { id: 'a/model', consent_id: 'consent', next: false },
    { id: 'a/model', consent_id: 'consent', next: true },
  ])
})

test('the offer of an admission that a full disk undoes is called back, and its machine takes the next one', async (t) => {
  const { db, ledger, workers, clock } = openLedger(t)
  const calls: string[] = []
  const { link, report } = playLink({
    run: ({ attempt_id }) => ({ write: () => true, end() {}, cancel: () => void calls.push(`cancel ${attempt_id}`) }) as unknown as RunCall,
    commit: async ({ verdicts }) => void calls.push(...verdicts.map(({ attempt_id, committed }) => `verdict ${attempt_id} ${committed}`)),
  })
  const registry = createRegistry({
    workers,
    ledger,
    receiver: { restart() {}, forget() {} } as unknown as AttemptReceiver,
    clock,
    log,
    studioVersion: '0',
    usesExchange: false,
    traceparentOf: () => '',
    readInput: async function* () {},
    onConnected() {},
    onChanged() {},
  })
  void registry.adopt(workers.required('w0'), link)
  await report()
  await ledger.settled() // the contact is written
  const offer = async (id: string) => {
    ledger.submit(id, specOf(), '')
    ledger.apply(id, { kind: 'offer', workerId: 'w0', attemptId: `a-${id}` })
    await turn()
    registry.get('w0')!.offer(ledger.peek(id)!)
  }
  await offer('t')
  db.pragma('query_only = on')
  ledger.flush()
  db.pragma('query_only = off')
  assert.deepEqual([calls, ledger.held('w0')], [['cancel a-t'], []])
  await offer('u')
  ledger.flush()
  await turn()
  assert.deepEqual([calls.length, ledger.peek('u')?.task.phase], [1, 'offered'])
})
