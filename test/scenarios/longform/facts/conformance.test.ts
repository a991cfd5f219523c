// Statements of the specification about books, stories, pronunciation and the watermark that no other test holds, and the count of all of them;
// statements.ts is the list.

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { replyOf } from '#control-plane/features/base/watermark/detection.rules.ts'
import { loudnessReport } from '#control-plane/features/books/assembly/chapters.ts'
import { AudiobookRequest, PreviewRequest, StoryRequest } from '#control-plane/features/books/book/book.schema.ts'
import { createBookStore } from '#control-plane/features/books/book/book.store.ts'
import { createBookJobs } from '#control-plane/features/books/book/book-job.ts'
import { chaptersOfScript, manifestFor } from '#control-plane/features/books/book/manifest.rules.ts'
import { createMakers } from '#control-plane/store/sqlite/made-by.ts'
import { OWNER_ID } from '#shared/protocol/access/client.ts'
import { systemRandom } from '#shared/runtime/random.ts'
import { ended, jobsFor } from '#test/support/doubles/jobs.ts'
import { requireStatements, specifiedRoutes } from '#test/support/facts/statements.ts'
import { form } from '#test/support/world/http.ts'
import { eventually, type Reply, sharedWorld, temporaryFolder } from '#test/support/world/world.ts'
import { render } from '../book-client.ts'
import { STATEMENTS } from './statements.ts'

const opened = sharedWorld({ env: { PATH: '/nowhere' } })
const ok = (reply: Reply): Reply => {
  assert.equal(reply.status, 200, reply.body.toString().slice(0, 300))
  return reply
}
const keysOf = (value: object) => Object.keys(value).toSorted()
const AREAS = /^\w+ \/(stories|audiobook|longform|watermark|pronunciation)(\/|$)/
const EXPRESSION = {
  num_step: [1, 512],
  guidance_scale: [0, 20],
  position_temperature: [0, 100],
  class_temperature: [0, 100],
  seed: [0, 2 ** 32 - 1],
  emo_alpha: [0, 1],
} as const
const manifest = async (more: object) => {
  const { text, ...request } = AudiobookRequest.parse({ text: '# One\nHello.', ...more })
  return manifestFor('audiobook', await chaptersOfScript(text), request, request)
}

test('every route of books, pronunciation and the watermark has statements, and every statement has its test', () => {
  const specified = specifiedRoutes('4.10').filter((route) => AREAS.test(route))
  assert.equal(specified.length, 20)
  requireStatements(STATEMENTS, specified, import.meta.filename)
})

test('the three requests have the fields of expression, with their limits', () => {
  const bodies = [
    [AudiobookRequest, { text: 'a' }],
    [PreviewRequest, { text: 'a' }],
    [StoryRequest, { chapters: [] }],
  ] as const
  for (const [schema, body] of bodies) {
    const takes = (more: object) => schema.safeParse({ ...body, ...more }).success
    for (const [name, [low, high]] of Object.entries(EXPRESSION)) {
      for (const value of [low, high, null]) assert.ok(takes({ [name]: value }), `${name} ${value}`)
      for (const value of [low - 1, high + 1, 'x']) assert.ok(!takes({ [name]: value }), `${name} ${value}`)
    }
    assert.ok(takes({ emo_vector: [0, 0.5, 1, -1, 2, 3, 200, 0], emo_text: 'x'.repeat(500), postprocess_output: true, vary_repeats: true }))
    for (const wrong of [{ emo_vector: Array(7).fill(0) }, { emo_vector: Array(8).fill('x') }, { emo_text: 'x'.repeat(501) }])
      assert.ok(!takes(wrong), JSON.stringify(wrong).slice(0, 60))
  }
})

test('an unknown format, bitrate, loudness or cover means the usual one', async () => {
  const { output, varyRepeats } = await manifest({})
  assert.deepEqual([output.format, output.bitrateKbps, output.loudness, output.cover, varyRepeats], ['m4b', 128, null, null, false])
  const long = 'x'.repeat(900)
  const unusual = await manifest({ format: long, bitrate: long, loudness: long, cover_path: `/elsewhere/${long}` })
  assert.deepEqual(unusual.output, output)
  const given = (await manifest({ format: 'mp3', bitrate: '64k', loudness: 'podcast', cover_path: '/elsewhere/0123456789ab.png' })).output
  assert.deepEqual([given.format, given.bitrateKbps, given.loudness, given.cover], ['mp3', 64, 'podcast', '0123456789ab.png'])
})

test('the events of a book have exactly the fields of the specification', async () => {
  const world = await opened()
  const text = '# One\nThe first chapter of the book is here.\n# Two\nAnd this is the second one.'
  const events = await render(world, '/audiobook', { text, engine: 'tone', format: 'mp3', loudness: 'acx', later: 1 })
  const fieldsOf = (type: string) => keysOf(events.find((event) => event.type === type) ?? {}).filter((name) => name !== 'type')
  assert.deepEqual(fieldsOf('started'), ['chapters', 'job_id'])
  assert.deepEqual(
    fieldsOf('chapter').filter((name) => name !== 'warning'),
    ['cached', 'cached_segments', 'duration_s', 'index', 'segments', 'title', 'total'],
  )
  assert.deepEqual(fieldsOf('assembling'), [])
  assert.deepEqual(
    events.find(({ type }) => type === 'mastering'),
    { type: 'mastering', preset: 'acx' },
  )
  const { loudness, ...done } = events.at(-1)!
  assert.deepEqual(keysOf(done), ['cached_chapters', 'chapters', 'duration_s', 'failed_chapters', 'output', 'type'])
  const { measured_i } = loudness
  assert.equal(typeof measured_i, 'number')
  assert.deepEqual(loudness, { preset: 'acx', target_i: -19, target_tp: -3, two_pass: true, measured_i })
  assert.deepEqual(loudnessReport('podcast', null), { preset: 'podcast', target_i: -16, target_tp: -1.5, two_pass: true, measured_i: null })
  const { jobs } = ok(await world.get('/longform/jobs?limit=1')).json()
  assert.deepEqual(
    [jobs.length, keysOf(jobs[0])],
    [1, ['chapters', 'created_at', 'duration_s', 'job_id', 'output', 'size_bytes', 'title', 'type']],
  )
  assert.deepEqual([jobs[0].type, jobs[0].chapters, jobs[0].title], ['audiobook', 2, 'One'])
  assert.equal(jobs[0].size_bytes, (await world.get(`/audio/${jobs[0].output}`)).body.length)
  for (const limit of ['0', '501', 'x']) assert.equal((await world.get(`/longform/jobs?limit=${limit}`)).status, 422, limit)
  const preview = ok(await world.post('/audiobook/preview', { text, chapter_index: 1, engine: 'tone' })).json()
  assert.deepEqual([keysOf(preview), preview.title], [['cached', 'duration_s', 'notices', 'output', 'title'], 'Two'])
})

test('a book that stopped says how far it came, is listed, and is resumed as a new job', async (t) => {
  const folder = temporaryFolder(t)
  const world = jobsFor(t, [], join(folder, 'studio.db'))
  const books = createBookStore({ db: world.db })
  const started: string[] = []
  let isHeld = true
  const jobs = createBookJobs({
    audioFolder: folder,
    jobs: world.jobs,
    store: books,
    makers: createMakers({ db: world.db, clock: world.clock }),
    artifacts: {
      pathOf: (digest) => join(folder, digest),
      keep: async (digest, source) => {
        const parts: Uint8Array[] = []
        if ('chunks' in source) for await (const bytes of source.chunks) parts.push(bytes)
        writeFileSync(join(folder, digest), Buffer.concat(parts))
      },
    },
    renderBook: async ({ jobId }, { signal }) => {
      started.push(jobId)
      books.progress(jobId, { chapters_done: 1, cached_chapters: 1, failed: [2] })
      if (isHeld) await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      books.finish(jobId, `audiobook_${jobId}.mp3`, 2.5, world.clock.now())
      const counts = { chapters: 3, cached_chapters: 1, failed_chapters: [2] }
      return { type: 'done', output: `audiobook_${jobId}.mp3`, duration_s: 2.5, ...counts }
    },
    clock: world.clock,
    random: systemRandom,
  })
  world.jobs.start()
  const id = await jobs.start(await manifest({ text: '# One\nA.\n# Two\nB.\n# Three\nC.' }), false, OWNER_ID)
  assert.match(id, /^[0-9a-f]{16}$/)
  await eventually(() => started.length === 1)
  await assert.rejects(jobs.resume(id, false), { code: 'CONFLICT' })
  await world.jobs.cancel(id)
  await ended(world, id)
  const last = (await world.jobs.events(id, 0, 100)).at(-1)!
  assert.deepEqual(JSON.parse(last.payload), { type: 'stopped', rendered: 1, total: 3, cached_chapters: 1, failed_chapters: [2] })
  const row = { job_id: id, type: 'audiobook', title: 'One', total_chapters: 3, chapters_done: 1, created_at: world.clock.now() / 1000 }
  assert.deepEqual(await jobs.resumable(null), [{ ...row, status: 'cancelled' }])
  isHeld = false
  const next = await jobs.resume(id, false)
  assert.notEqual(next, id)
  await ended(world, next)
  await assert.rejects(jobs.resume(id, false), { code: 'NOT_FOUND' })
  assert.deepEqual(
    (await jobs.finished(50, null)).map(({ job_id, output, duration_s }) => [job_id, output, duration_s]),
    [[next, `audiobook_${next}.mp3`, 2.5]],
  )
})

test('an unknown format of a story is 400 and an unknown bitrate the usual one, however long', async () => {
  const world = await opened()
  const encode = (fields: object) => world.post('/stories/encode', form({ file: Buffer.from('RIFF'), ...fields }))
  assert.equal((await encode({ format: 'x'.repeat(500) })).status, 400)
  assert.equal((await encode({ bitrate: 'x'.repeat(500) })).status, 501, 'only the program is missing')
})

test('an entry is checked before it is looked for, and equal entries are allowed', async () => {
  const world = await opened()
  const add = async (body: object) => ok(await world.post('/pronunciation', { replacement: 'x', ...body })).json()
  const [first, second] = [await add({ term: 'equal' }), await add({ term: 'equal', later: 1 })]
  const third = await add({ term: 'longer term' })
  assert.notEqual(first.id, second.id)
  assert.deepEqual(keysOf(first), ['created_at', 'enabled', 'id', 'language', 'replacement', 'scope', 'term', 'type'])
  assert.equal((await world.get('/pronunciation')).json().length, 3)
  const tried = ok(await world.post('/pronunciation/test', { text: 'Equal is a longer term, and unequal is not.' })).json()
  assert.deepEqual([tried.substituted, tried.applied_terms], ['x is a x, and unequal is not.', ['longer term', 'equal']])
  for (const [change, status] of [
    [{}, 400],
    [{ term: ' ' }, 400],
    [{ term: 'a' }, 404],
  ] as const)
    assert.equal((await world.put('/pronunciation/nothing', change)).status, status, JSON.stringify(change))
  assert.equal((await world.post('/pronunciation', { term: 'a', type: 'x'.repeat(100) })).status, 400)
  const { entries } = ok(await world.get('/pronunciation/export')).json()
  assert.deepEqual(entries.map(keysOf), Array(3).fill(['enabled', 'language', 'replacement', 'term', 'type']))
  for (const { id } of [first, second, third]) await world.delete(`/pronunciation/${id}`)
})

test('seven types of sound are searched, and the figures of a search are rounded', async () => {
  const world = await opened()
  for (const type of ['wav', 'mp3', 'flac', 'ogg', 'm4a', 'aac', 'opus', 'wma', '']) {
    const data = new FormData()
    data.set('file', new Blob(['no sound']), `take.${type}`)
    const { status, json } = await world.post('/watermark/detect', data)
    const isKnown = type !== 'wma' && type !== ''
    assert.deepEqual([status, /must end with/.test(json().detail)], [400, !isKnown], type)
  }
  const found = { level: 'none', payload: null, keyIndex: null, speed: 1 } as const
  for (const [confidence, is_watermarked, rounded] of [
    [0.5, false, 0.5],
    [0.50001, true, 0.5],
    [0.123_456, false, 0.1235],
  ] as const) {
    const reply = replyOf({ ...found, confidence } as unknown as Parameters<typeof replyOf>[0])
    assert.deepEqual([reply.is_watermarked, reply.confidence], [is_watermarked, rounded])
  }
})
