import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createAttemptCalls } from '#control-plane/sessions/attempt-calls.ts'
import type { AttemptReceiver } from '#control-plane/sessions/attempt-receiver.ts'
import type { AttemptStreams } from '#control-plane/sessions/attempt-stream.ts'
import type { Link, RunCall, RunReader } from '#shared/link/rpc.ts'
import type { SnapshotMessage } from '#shared/protocol/messages.ts'
import { silentLog as log } from '#shared/runtime/log.ts'
import { openLedger, specOf } from '#test/support/doubles/ledger.ts'

async function open(t: TestContext) {
  const { ledger, clock } = openLedger(t)
  const streams: AttemptStreams = new Map()
  const said: string[] = []
  const call = { write: () => true, end: () => void said.push('end'), cancel: () => void said.push('cancel') } as unknown as RunCall
  let reader: RunReader | null = null
  const run = (_header: unknown, given: RunReader) => {
    reader = given
    return call
  }
  const link = { isOpen: true, run, commit: async () => {} } as unknown as Link
  const receiver = { restart() {} } as unknown as AttemptReceiver
  const callsOf = (workerId: string) =>
    createAttemptCalls({
      ledger,
      receiver,
      clock,
      log,
      consentOf: () => 'yes',
      traceparentOf: () => '',
      readInput: async function* () {},
      streams,
      workerId,
      link,
      acceptsInputs: () => true,
    })
  ledger.submit('t', specOf(), '')
  ledger.apply('t', { kind: 'offer', workerId: 'w0', attemptId: 'a' })
  await ledger.settled()
  const calls = callsOf('w0')
  calls.offer(ledger.peek('t')!)
  const report = (of: typeof calls, held: object[]) => of.reconcile({ held } as unknown as SnapshotMessage)
  return { ledger, clock, streams, calls, other: callsOf('w1'), report, said, ends: () => reader!.end(null) }
}
const HELD = { attempt_id: 'a', task_id: 't', epoch: 1, phase: 'running', last_seq: 1 }

test('an accepted attempt that two snapshots in a row lack is lost although its call is open; one snapshot may be older', async (t) => {
  const { ledger, streams, calls, report } = await open(t)
  for (let snapshots = 0; snapshots < 3; snapshots++) report(calls, [])
  assert.equal(ledger.stateOf('t')?.attemptId, 'a', 'the agent may not have read the offer yet')
  streams.get('a')!.lastSeq = 1
  ledger.apply('t', { kind: 'accept', epoch: 1 })
  report(calls, [])
  report(calls, [HELD])
  report(calls, [])
  assert.equal(ledger.stateOf('t')?.attemptId, 'a')
  report(calls, [])
  assert.notEqual(ledger.stateOf('t')?.attemptId, 'a')
})

test('a machine that reports the attempt of another one does not end its stream', async (t) => {
  const { streams, other, report } = await open(t)
  for (const task_id of ['t', 'unknown']) report(other, [{ ...HELD, task_id }])
  assert.ok(streams.get('a')?.call)
})

test('a call that the machine leaves open after its commit is cancelled, and one that it ends is not', async (t) => {
  for (const isEnded of [false, true]) {
    const { clock, calls, said, ends } = await open(t)
    calls.settle('a', 1, true)
    if (isEnded) ends()
    assert.deepEqual(said, ['end'])
    clock.advance(60_000)
    assert.deepEqual(said, isEnded ? ['end'] : ['end', 'cancel'])
  }
})
