import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agentDefinition } from '#shared/link/rpc.ts'
import { FIELD_LIMIT } from '#shared/link/transport/bounded.ts'
import type { Wire } from '#shared/protocol/generated/wire.ts'
import { ownCpuSeconds } from '#test/support/world/process.ts'

const { Watch, Commit } = agentDefinition as typeof agentDefinition & Record<'Watch' | 'Commit', (typeof agentDefinition)[string]>
const snapshotOf = (bytes: Buffer | number[]) => Watch.responseDeserialize(Buffer.from(bytes as number[])) as Wire<'Snapshot'>
const empty: Wire<'Snapshot'> = {
  held: [],
  resident_models: [],
  free_memory_bytes: 0,
  free_disk_bytes: 0,
  drain_requested: false,
  draining: false,
  beat: 0,
  inventory: 0,
  pool: null,
}
const HELD = [0x0a, 0]

test('the largest allowed lists pass', () => {
  const verdicts = Array.from({ length: 10_000 }, (_, index) => ({ attempt_id: `a-${index}`, epoch: 7, committed: true }))
  const bytes = Commit.requestSerialize({ verdicts })
  assert.deepEqual((Commit.requestDeserialize(bytes) as Wire<'CommitRequest'>).verdicts, verdicts)
})

test('two million elements of two bytes are refused cheaply', () => {
  const from = ownCpuSeconds()
  assert.throws(() => snapshotOf(Buffer.alloc(4 * 1024 * 1024, Buffer.from(HELD))), { code: 'BAD_REQUEST', message: /more than/ })
  // Two seconds, if they were decoded.
  assert.ok(ownCpuSeconds() - from < 1)
  assert.equal(snapshotOf(Buffer.alloc(2 * FIELD_LIMIT, Buffer.from(HELD))).held.length, FIELD_LIMIT)
  assert.throws(() => snapshotOf(Buffer.alloc(2 * FIELD_LIMIT + 2, Buffer.from(HELD))), { code: 'BAD_REQUEST' })
})

test('a list cannot be hidden from the count', () => {
  // Field 3 is a number: taken for bytes, these would be skipped, and the decoder would read on behind the first of them.
  const hidden = Buffer.concat([Buffer.from([0x1a, 20]), Buffer.alloc(20, Buffer.from(HELD))])
  for (const bytes of [
    hidden,
    [0x08, 1], // a message as a number
    [0x1b, 0x1c], // a group
    [0x0f], // no wire type at all
    [0x0a, 0x85, 0x80, 0x80, 0x80, 0x80, 0x00], // a length of six bytes
    [0x0a, 5, 0], // longer than there is
    [0x12, 0xff, 0xff, 0xff, 0xff, 0x0f],
    [0x18, ...Array<number>(11).fill(0x80), 0], // a number that never ends
    [0x80],
    [0x00, 0], // field 0
  ])
    assert.throws(() => snapshotOf(bytes), { code: 'BAD_REQUEST', message: 'The message is malformed.' }, String(bytes))
})

test('unknown fields of a newer peer are accepted', () => {
  assert.deepEqual(snapshotOf([0xa2, 0x06, 3, 1, 2, 3]), empty) // 100: bytes
  assert.deepEqual(snapshotOf([0xa0, 0x06, 0xff, 0x01]), empty) // 100: a number
  assert.deepEqual(snapshotOf([0xa1, 0x06, 1, 2, 3, 4, 5, 6, 7, 8]), empty) // 100: 64 bits
  assert.deepEqual(snapshotOf([0xa5, 0x06, 1, 2, 3, 4]), empty) // 100: 32 bits
  assert.deepEqual(snapshotOf([]), empty)
})
