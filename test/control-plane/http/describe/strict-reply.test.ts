import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { strictReply } from '#control-plane/http/describe/strict-reply.ts'

const Row = z.object({
  id: z.string(),
  parts: z.array(z.object({ at: z.number() })),
  open: z.looseObject({}),
  map: z.record(z.string(), z.int()),
})

test('a reply that its contract describes is sent', () => {
  const reply = { id: 'a', parts: [{ at: 1 }], open: { any: { thing: 1 } }, map: { x: 1 } }
  assert.deepEqual(strictReply(Row, reply), reply)
  assert.deepEqual(strictReply(Row, { ...reply, absent: undefined }), reply)
})

test('a field that the contract does not describe is named, at any depth', () => {
  const reply = { id: 'a', parts: [{ at: 1 }, { at: 2, secret: 1 }], open: {}, map: {} }
  assert.throws(() => strictReply(Row, reply), /parts\.1\.secret, which its contract does not describe/)
  assert.throws(() => strictReply(z.union([Row, z.object({ ok: z.boolean() })]), { ok: true, more: null }), /more/)
})
