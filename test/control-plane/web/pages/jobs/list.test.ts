import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { countOf, withNewest } from '#control-plane/web/pages/jobs/list.ts'
import { eventLine, placeOf, progressText } from '#control-plane/web/pages/jobs/texts.ts'
import { strings as frame } from '#messages/frame.ts'

const job = (id: number, more = {}) => ({
  ...{ id: String(id), type: 'audiobook', project_id: null, status: 'done' as const, created_at: id, updated_at: id, finished_at: id + 60 },
  ...{ error: null, meta_json: '{}', step: null, progress: null, seconds_left: null, set_aside: false, ...more },
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
  assert.equal(progressText(job(1, { status: 'running', finished_at: null, step })), 'Step 2 of 5 · speaking')
  const only = { name: 'download', ordinal: 1, total: 1 }
  assert.equal(progressText(job(1, { status: 'running', finished_at: null, step: only, progress: 0.25 })), '25 %', 'a name for programs')
  assert.equal(progressText(job(1, { status: 'running', finished_at: null, progress: 0.5 })), '50 %')
})

test('an event is named by its frame or its data, and hostile data stays text', () => {
  const named = (payload: string) => eventLine({ seq: 1, created_at: 0, payload }).name
  assert.equal(named('data: {"type":"chapter_start","n":1}\n\n'), 'chapter start')
  assert.equal(named('event: segments\ndata: []\n\n'), 'segments')
  assert.equal(named('data: {"type":{"a":1}}'), '')
  assert.equal(named('not JSON'), '')
  const textOf = (payload: string) => eventLine({ seq: 1, created_at: 0, payload }).text
  assert.equal(textOf(`data: ${'x'.repeat(9_000)}`).length, 300)
  assert.equal(textOf('data: {"type":"error","reason":"The disk is full.","error_class":"STORAGE_FULL"}'), 'The disk is full.')
  assert.equal(textOf('data: {"type":"aggregate","bytes_done":3000010}'), '', 'fields are for programs')
})

test('each type of job that exists has a name, and opens the page of its result', () => {
  const meta_json = JSON.stringify({ dub: 'a/b', filename: 'harbour.mp4' })
  const places = {
    ...{ generate: '#/files', audiobook: '#/audiobook', story: '#/audiobook', model_install: '#/models', transcription: '#/transcribe/1' },
    ...Object.fromEntries(['ingest', 'upload', 'transcribe', 'generate', 'repair'].map((one) => [`dub_${one}`, '#/dub/a%2Fb'])),
    batch: '#/dub/a%2Fb',
  }
  for (const [type, place] of Object.entries(places))
    assert.equal(placeOf(job(1, { type, meta_json: place.startsWith('#/dub') ? meta_json : '{"dub":{}}' })), place)
  assert.equal(placeOf(job(1, { type: 'of a later version', meta_json: 'null' })), null)
  assert.deepEqual(Object.keys(frame.kinds).toSorted(), typesOfJobs())
})

/** Types as the areas register them. */
function typesOfJobs(): string[] {
  const sources = globSync('control-plane/features/**/*.ts').map((path) => readFileSync(path, 'utf8'))
  const registered = sources.flatMap((source) =>
    [...source.matchAll(/jobType\(\{\s+type: ([\w']+)/g)].flatMap(([, type = '']) => {
      if (type === 'kind') return ['audiobook', 'story']
      const named = new RegExp(`const ${type} = '(\\w+)'`)
      return [(type.startsWith("'") ? type.slice(1, -1) : (named.exec(source) ?? named.exec(sources.join('\n')))?.[1]) ?? type]
    }),
  )
  assert.ok(registered.length > 6)
  return registered.toSorted()
}

test('a job that failed for want of a model says so in words of the page, without a command', () => {
  const needs = { for: 'cloning', models: [{ repo_id: 'a/b', label: 'B', size_bytes: 1e9 }] }
  const error = 'Install it with ./studio models install a/b.'
  assert.equal(progressText(job(1, { status: 'failed', error, needs })), 'A model that speaks in your voices is not installed yet.')
})
