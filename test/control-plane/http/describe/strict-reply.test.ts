import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { contract } from '#control-plane/http/contract/contract.ts'
import { strictHeaders, strictReply } from '#control-plane/http/describe/strict-reply.ts'

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

test('a header that the contract does not name is a fault, unless it is left out', () => {
  const row = contract({
    id: 'a.read',
    method: 'GET',
    path: '/a',
    access: 'open',
    summary: 'Reads.',
    sends: ['x-seed'],
    media: ['audio/wav'],
  })
  strictHeaders(row, { headers: { 'x-seed': 5, 'x-svc-notice': 'A notice.', 'x-svc-voice': null, etag: 'W/"1"' } })
  assert.throws(() => strictHeaders(row, { headers: { 'x-svc-voice': 'emma' } }), /x-svc-voice, which the contract a\.read does not name/)
})
