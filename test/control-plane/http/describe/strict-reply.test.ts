import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { checkJobEvents } from '#control-plane/build/areas.ts'
import { contract } from '#control-plane/http/contract/contract.ts'
import { jsonText } from '#control-plane/http/contract/json-text.ts'
import { strictEvents, strictMessage } from '#control-plane/http/describe/strict-events.ts'
import { strictHeaders, strictReply } from '#control-plane/http/describe/strict-reply.ts'
import { JobEnd } from '#control-plane/jobs/job-type.ts'
import { FOLLOW_JOB } from '#control-plane/registry/job-events.ts'

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

const Beat = z.object({ beat: z.int() })
async function pieces(type: string, ...body: string[]): Promise<string> {
  let passed = ''
  for await (const piece of strictEvents(Beat, type, ReadableStream.from(body))) passed += piece
  return passed
}

test('events that the contract describes pass as they are, cut anywhere', async () => {
  const events = ': open\n\nevent: beat\nid: 7\ndata: {"beat": 1}\n\ndata: [DONE]\n\n'
  assert.equal(await pieces('text/event-stream', events), events)
  assert.equal(await pieces('text/event-stream', ...events), events)
  assert.equal(await pieces('application/x-ndjson', '{"beat":1}\n\n', '{"beat":2}\n'), '{"beat":1}\n\n{"beat":2}\n')
})

test('an event with a field that the contract does not describe is a fault', async () => {
  await assert.rejects(pieces('text/event-stream', 'data: {"beat": 1,', '"why": 2}\n\n'), /why, which its contract does not describe/)
  await assert.rejects(pieces('application/x-ndjson', '{"beat":1}\n{"beat":2,"why":0}\n'), /why, which its contract does not describe/)
})

test('an event with a name has the data that its contract describes for that name', async () => {
  const named = async (body: string) => {
    for await (const _ of strictEvents({ beat: Beat, end: z.strictObject({}) }, 'text/event-stream', ReadableStream.from([body])));
  }
  await named('event: beat\nid: 1\ndata: {"beat": 1}\n\nevent: end\ndata: {}\n\n')
  await assert.rejects(named('event: end\ndata: {"beat": 1}\n\n'), /beat/)
  await assert.rejects(named('event: other\ndata: {}\n\n'), /an event named 'other', which its contract does not describe/)
  await assert.rejects(named('data: {}\n\n'), /an event named '', which its contract does not describe/)
})

test('a message of a socket with a field that the contract does not describe is a fault', () => {
  const sound = new Uint8Array(2)
  assert.equal(strictMessage(Beat, sound), sound)
  assert.equal(strictMessage(Beat, '{"beat":1}'), '{"beat":1}')
  assert.throws(() => strictMessage(Beat, '{"beat":1,"why":0}'), /why, which its contract does not describe/)
})

test('a field that is not described is named inside a text of JSON, too', () => {
  const Holder = z.object({ data: jsonText(z.object({ beats: z.array(Beat) })) })
  const reply = { data: '{ "beats": [{ "beat": 1 }] }' }
  strictReply(Holder, reply)
  assert.throws(() => strictReply(Holder, { data: '{"beats":[{"beat":1,"why":0}]}' }), /data\.beats\.0\.why, which its contract does not/)
  for (const data of ['{"beats":7}', '{', '']) assert.throws(() => strictReply(Holder, { data }), /is no JSON of its schema/)
})

test('an event of a job with a field too many is a fault, and so is one of no job type', async () => {
  const { events } = FOLLOW_JOB
  const progress = { type: 'progress', chunk: 1, total_chunks: 2 }
  const download = { repo_id: 'a/b', target: 'local', phase: 'aggregate', bytes_done: 1, total_bytes: 2, rate: 1, eta_seconds: null }
  for (const event of [progress, { type: 'done' }, { type: 'aggregate', ...download, files_done: 0, files_total: 1 }]) {
    strictReply(events, event)
    assert.throws(() => strictReply(events, { ...event, why: 1 }))
  }
  assert.throws(() => strictReply(events, { type: 'unknown' }))
  assert.throws(() => checkJobEvents([{ type: 'new', events: JobEnd }]), /The events of these job types are not in the table: new\./)
})
