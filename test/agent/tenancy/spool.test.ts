import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createSpool, OUTPUT_CHUNK_BYTES } from '#agent/tenancy/spool.ts'
import type { Wire } from '#shared/protocol/generated/wire.ts'
import { turn } from '#test/support/doubles/fake-clock.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

function open(t: TestContext) {
  const path = join(temporaryFolder(t), 'a.spool')
  const spool = createSpool(path)
  t.after(() => spool.wipe())
  return { spool, path }
}
/** Everything after `seq`, asked for as a listener asks: batch by batch. */
function all(spool: ReturnType<typeof createSpool>, seq = 0): Wire<'Event'>[] {
  const events: Wire<'Event'>[] = []
  for (let batch = spool.after(seq); batch.length > 0; batch = spool.after(seq + events.length)) events.push(...batch)
  return events
}
const payloads = (events: Wire<'Event'>[]) =>
  Buffer.concat(events.map((event) => (event.fact === 'output' ? event.output.payload : Buffer.alloc(0))))

test('events are numbered from one and can be read again from any of them', (t) => {
  const { spool } = open(t)
  spool.append({ fact: 'accepted', accepted: {} })
  spool.append({ fact: 'running', running: { machine: '' } })
  spool.output(2, Buffer.from('abc'))
  spool.output(3, Buffer.from('de'))
  const events = all(spool)
  assert.deepEqual(
    events.map(({ seq, fact }) => `${seq} ${fact}`),
    ['1 accepted', '2 running', '3 output', '4 output'],
  )
  assert.deepEqual(events[3], { seq: 4, fact: 'output', output: { part: 3, offset: 3, payload: Buffer.from('de') } })
  assert.deepEqual(all(spool, 2), events.slice(2))
  assert.deepEqual([spool.after(4), spool.lastSeq, spool.size], [[], 4, 5])
})

test('output is split into chunks that fit a message, and batches stay small', (t) => {
  const { spool } = open(t)
  const bytes = Buffer.alloc(3 * OUTPUT_CHUNK_BYTES + 17, 'sound ')
  spool.output(0, bytes)
  const events = all(spool)
  assert.equal(events.length, 4)
  assert.deepEqual(payloads(events), bytes)
  assert.deepEqual(spool.digest(), createHash('sha256').update(bytes).digest())
  assert.equal(spool.after(0).length, 1, 'one whole piece is a message of its own')
  for (let index = 0; index < 1_500; index++) spool.append({ fact: 'running', running: { machine: '' } })
  assert.equal(spool.after(spool.lastSeq - 1_500).length, 1_000, 'so do batches of small events')
})

test('output beyond the memory budget goes to a private file and reads the same', (t) => {
  const { spool, path } = open(t)
  const bytes = Buffer.from(Array.from({ length: 1000 }, (_, index) => index % 251))
  for (let index = 0; index < 9000; index++) spool.output(0, bytes)
  assert.equal(statSync(path).mode & 0o777, 0o600)
  const heard = payloads(all(spool))
  assert.equal(heard.length, 9_000_000)
  assert.deepEqual(createHash('sha256').update(heard).digest(), spool.digest())
  spool.wipe()
  assert.deepEqual([existsSync(path), spool.lastSeq, spool.after(0)], [false, 0, []])
})

test('a listener wakes once per turn of the event loop, or when it aborts', async (t) => {
  const { spool } = open(t)
  let woken = 0
  const news = spool.changed(new AbortController().signal).then(() => woken++)
  const hangUp = new AbortController()
  const gone = spool.changed(hangUp.signal)
  for (let index = 0; index < 5; index++) spool.append({ fact: 'running', running: { machine: '' } })
  assert.equal(woken, 0)
  await news
  assert.equal(spool.after(0).length, 5)
  const another = spool.changed(hangUp.signal)
  hangUp.abort()
  await Promise.all([gone, another])
  await turn()
  assert.equal(woken, 1)
})
