import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createAttemptCalls } from '#control-plane/sessions/attempt-calls.ts'
import type { AttemptReceiver } from '#control-plane/sessions/attempt-receiver.ts'
import type { AttemptStreams } from '#control-plane/sessions/attempt-stream.ts'
import type { Link, RunCall } from '#shared/link/rpc.ts'
import type { SnapshotMessage } from '#shared/protocol/messages.ts'
import { silentLog as log } from '#shared/runtime/log.ts'
import { openLedger, specOf } from '#test/support/doubles/ledger.ts'

async function open(t: TestContext) {
  const { ledger, clock } = openLedger(t)
  const streams: AttemptStreams = new Map()
  const call = { write: () => true, end() {}, cancel() {} } as unknown as RunCall
  const link = { isOpen: true, run: () => call, commit: async () => {} } as unknown as Link
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
  return { ledger, streams, calls, other: callsOf('w1'), report }
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
