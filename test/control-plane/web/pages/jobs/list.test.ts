import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventLine } from '#control-plane/web/pages/jobs/inspector.js'
import { countOf, withNewest } from '#control-plane/web/pages/jobs/list.js'
import { progressText } from '#control-plane/web/pages/jobs/table.js'

const job = (id: number, more = {}) => ({
  ...{ id: String(id), type: 'audiobook', project_id: null, status: 'done' as const, created_at: id, updated_at: id, finished_at: id + 60 },
  ...{ error: null, meta_json: '{}', step: null, progress: null, seconds_left: null, ...more },
})
const page = (from: number, count: number) => Array.from({ length: count }, (_, at) => job(from - at))
const ids = (jobs: readonly { id: string }[]) => jobs.map(({ id }) => Number(id))

test('the newest page replaces what it covers, and older jobs stay', () => {
  const known = page(300, 250)
  const fresh = page(302, 100).filter(({ id }) => id !== '290')
  const whole = [...fresh, job(202)]
  const merged = ids(withNewest(known, whole))
  assert.deepEqual(merged.slice(0, 2), [302, 301])
  assert.ok(!merged.includes(290), 'a job that no longer matches is gone')
  assert.equal(merged.length, new Set(merged).size)
  assert.deepEqual(
    merged,
    merged.toSorted((a, b) => b - a),
  )
  assert.equal(merged.at(-1), 51)
})

test('a short page is the whole list, and a gap forgets what was known', () => {
  assert.deepEqual(ids(withNewest(page(300, 200), page(301, 3))), [301, 300, 299])
  assert.deepEqual(ids(withNewest(page(300, 200), page(900, 100))), ids(page(900, 100)))
})

test('the counts of a filter', () => {
  const counts = { pending: 1, running: 2, done: 30, failed: 4, cancelled: 5 }
  assert.deepEqual(
    ['', 'active', 'done', 'failed', 'cancelled', 'unknown'].map((status) => countOf(counts, status)),
    [42, 3, 30, 4, 5, 0],
  )
})

test('how far a job is, or how it ended', () => {
  assert.equal(progressText(job(1)), 'Took 60 s')
  assert.equal(progressText(job(1, { status: 'failed', error: 'The disk is full.' })), 'The disk is full.')
  const step = { name: 'render_chapter', ordinal: 2, total: 5 }
  assert.equal(progressText(job(1, { status: 'running', finished_at: null, step })), 'Step 2 of 5: render chapter')
  assert.equal(progressText(job(1, { status: 'running', finished_at: null, progress: 0.5 })), '50 %')
})

test('an event is named by its frame or its data, and hostile data stays text', () => {
  const named = (payload: string) => eventLine({ seq: 1, created_at: 0, payload }).name
  assert.equal(named('data: {"type":"chapter_start","n":1}\n\n'), 'chapter start')
  assert.equal(named('event: segments\ndata: []\n\n'), 'segments')
  assert.equal(named('data: {"type":{"a":1}}'), '')
  assert.equal(named('not JSON'), '')
  assert.equal(eventLine({ seq: 1, created_at: 0, payload: `data: ${'x'.repeat(9_000)}` }).text.length, 300)
})
