// Large bodies in memory: what arrives counts by its bytes, what has arrived by its number, both for each client.

import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { PassThrough, type Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { asClient, type Client, STUDIO_CLIENT } from '#control-plane/clients/client.ts'
import { createLargeBodies } from '#control-plane/http/limits/large-bodies.ts'
import { MIB } from '#shared/runtime/memory/bytes.ts'

const LARGE = { 'content-length': String(2 * MIB) }
const other: Client = { source: 'b', name: 'b', id: 'address:b', isOwner: false }

function bodiesOf(slots: number, bytes: number) {
  const bodies = createLargeBodies(slots, bytes)
  return (client: Client = STUDIO_CLIENT, headers: Record<string, string> = LARGE) => {
    const response = new EventEmitter()
    const sender = new PassThrough()
    const body = asClient(client, () => bodies.counted(sender, headers, response)) as Readable
    const whole = buffer(body)
    whole.catch(() => {})
    return { sender, response, whole, isCounted: (body as unknown) !== sender }
  }
}
const full = { code: 'QUEUE_FULL' }

test('a body takes a slot when it has arrived, and the end of the response makes room', async () => {
  const open = bodiesOf(2, 64 * MIB)
  const slow = Array.from({ length: 20 }, () => open())
  for (const { sender } of slow) sender.write(Buffer.alloc(MIB / 2))
  const sendWhole = (one: ReturnType<typeof open>) => {
    one.sender.end(Buffer.alloc(2 * MIB))
    return one.whole
  }
  const first = open()
  assert.equal((await sendWhole(first)).length, 2 * MIB)
  await sendWhole(open())
  await assert.rejects(sendWhole(open()), { ...full, message: /at most 2 places for large requests/ })
  assert.equal((await sendWhole(open(other))).length, 2 * MIB, 'another client has its own')
  first.response.emit('close')
  assert.equal((await sendWhole(slow[0]!)).length, 2.5 * MIB)
})

test('the bytes of bodies that arrive are limited, and the rest of a refused one is read and dropped', async () => {
  const open = bodiesOf(8, 4 * MIB)
  const [one, two] = [open(), open()]
  one.sender.write(Buffer.alloc(3 * MIB))
  two.sender.write(Buffer.alloc(2 * MIB))
  await assert.rejects(two.whole, { ...full, message: /at most 4 MiB for large requests that arrive, and this one has/ })
  two.sender.end(Buffer.alloc(20 * MIB))
  await new Promise((resolve) => two.sender.once('end', resolve))
  const another = open(other)
  another.sender.end(Buffer.alloc(2 * MIB))
  await another.whole
})

test('a body of unknown length counts from its first byte, and needs a slot only if it is large; small ones never count', async () => {
  const open = bodiesOf(1, MIB)
  assert.equal(open(STUDIO_CLIENT, { 'content-length': String(MIB) }).isCounted, false)
  const chunked = open(STUDIO_CLIENT, { 'transfer-encoding': 'chunked' })
  assert.equal(chunked.isCounted, true)
  chunked.sender.end(Buffer.alloc(100))
  await chunked.whole
  const another = open(STUDIO_CLIENT, { 'transfer-encoding': 'chunked' })
  another.sender.end(Buffer.alloc(1_000))
  await another.whole
})

test('a body whose connection broke is an error, not an end', async () => {
  const { sender, whole } = bodiesOf(1, MIB)()
  sender.write(Buffer.alloc(1_000))
  sender.destroy(new Error('reset'))
  await assert.rejects(whole, /reset/)
})
