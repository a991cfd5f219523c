// Statements of the specification about dubs, glossaries and the batch that no other test holds, and the count of all of them; statements.ts is
// the list. No test here needs a film.

import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createDubIngests } from '#control-plane/features/dubbing/film/ingest/ingest.service.ts'
import { transcribeContracts } from '#control-plane/features/dubbing/lines/transcribe/transcribe.contract.ts'
import { transcribeRoutes } from '#control-plane/features/dubbing/lines/transcribe/transcribe.routes.ts'
import { createTranscribeStream } from '#control-plane/features/dubbing/lines/transcribe/transcribe-stream.ts'
import type { TextService } from '#control-plane/features/listening/translation/providers/service.ts'
import { createTranslationSteps } from '#control-plane/features/listening/translation/steps/steps.ts'
import { TranslateRequest } from '#control-plane/features/listening/translation/translation.schema.ts'
import { createDubTranslation } from '#control-plane/features/listening/translation/translation.service.ts'
import { LLM_FAILURES, LlmFailure } from '#control-plane/llm/failure.ts'
import { authorizationsFolder, writePathAuthorization } from '#control-plane/store/files/path-authorization.ts'
import { OWNER_ID } from '#shared/protocol/access/client.ts'
import { FAILURES } from '#shared/protocol/failure.ts'
import { systemRandom } from '#shared/runtime/random.ts'
import { createFakeClock } from '#test/support/doubles/fake-clock.ts'
import { requireStatements, specifiedRoutes } from '#test/support/facts/statements.ts'
import { playService, sendChat } from '#test/support/services/json-server.ts'
import { form, listenEvents } from '#test/support/world/http.ts'
import { eventually, type Reply, sharedWorld } from '#test/support/world/world.ts'
import { eventsOfTask, typesOf } from '../dub-client.ts'
import { addDubs, FILM, LINES, OTHERS } from './dubs.ts'
import { hostileAnswers } from './hostile-values.ts'
import { STATEMENTS } from './statements.ts'

const KEY = 'a-key-of-more-than-sixteen-characters'
const opened = sharedWorld({ env: { PATH: '/nowhere', STUDIO_API_KEY: KEY }, prepare: addDubs })
const ok = (reply: Reply): Reply => {
  assert.equal(reply.status, 200, reply.body.toString().slice(0, 300))
  return reply
}
const detail = ({ status, json }: Reply) => [status, json().detail]
const keysOf = (value: object) => Object.keys(value).toSorted()
const JOB_KEYS =
  'video_path audio_path vocals_path no_vocals_path thumb_path duration filename segments dubbed_tracks scene_cuts youtube_subs input_type source_lang full_transcript speaker_clones segment_clones cast_sources per_segment_refs language language_code timing_strategy seg_order seg_hashes seg_num_step segments_i18n fit_plans video_stretch_plans aborted last_export_warning'
const ROW_KEYS = 'id filename duration segments_count language language_code tracks job_data content_hash created_at'

test('every route of dubbing has statements, and every statement has its test', () => {
  const specified = specifiedRoutes('4.7')
  assert.equal(specified.length, 47)
  requireStatements(STATEMENTS, [...specified, 'POST /tools/video-context/{job_id}'], import.meta.filename)
})

test('the history has the newest 30 dubs as rows with the whole dub as a text', async () => {
  const rows: Record<string, any>[] = (await (await opened()).get('/dub/history')).json()
  const ids = rows.map(({ id }) => id)
  assert.deepEqual([ids.length, ids.slice(0, 3)], [30, ['whole', 'lost', `other${OTHERS - 1}`]])
  const [row] = rows as [Record<string, any>]
  assert.deepEqual(keysOf(row), [...ROW_KEYS.split(' '), 'size_bytes'].toSorted())
  assert.ok(row['size_bytes'] >= FILM.length, 'with the film')
  assert.deepEqual([JSON.parse(row['tracks']).toSorted(), row['segments_count'], row['duration']], [['en', 'fr'], 2, 10])
  const job = JSON.parse(row['job_data'])
  for (const key of JOB_KEYS.split(' ')) assert.ok(key in job, key)
  assert.deepEqual([Object.keys(job.fit_plans), Object.keys(job.video_stretch_plans)], [['en'], ['fr']])
  const line = { id: 's00001', start: 3, end: 5, text: LINES[1], text_original: LINES[1], speaker_id: 'Speaker 1' }
  const { qc_faults: _, ...second } = job.segments[1]
  const check = { qc_drift: 0.25, qc_flagged: true, qc_recognized: 'wie', qc_measured_start: 3.5, qc_measured_end: null }
  assert.deepEqual([job.segments[0].profile_id, second], ['auto:Speaker 1', { ...line, ...check }])
  const track = { language: 'English', language_code: 'en', duration: 10, timing_strategy: 'smart_fit', fit_fp: 'f'.repeat(16) }
  const { path, ...rest } = (await (await opened()).get('/dub/tracks/whole')).json().tracks.en
  assert.deepEqual([rest, path, job.dubbed_tracks.en], [track, path, { path, ...track }])
})

test('lists have every dub without its lines, and a dub is read whole however old it is', async () => {
  const world = await opened()
  type Row = Record<string, unknown>
  const newest: Row[] = (await world.get('/dub/history')).json()
  const rows: Row[] = ok(await world.get('/dub/summaries')).json()
  assert.equal(rows.length, OTHERS + 2)
  const { job_data: _, ...summary } = newest[0]!
  assert.deepEqual(rows[0], summary)
  assert.equal(ok(await world.get('/dub/summaries?limit=1')).json().length, 1)
  assert.equal((await world.get('/dub/summaries?limit=0')).status, 422)
  const oldest = rows.at(-1)?.['id']
  assert.ok(!newest.some(({ id }) => id === oldest))
  const { job_data: job, ...row } = ok(await world.get(`/dub/history/${oldest}`)).json()
  assert.deepEqual([row, JSON.parse(job).filename], [rows.at(-1), row.filename])
  assert.deepEqual(ok(await world.get('/dub/history/whole')).json(), newest[0])
  assert.equal((await world.get('/dub/history/unknown')).status, 404)
})

test('what a dub does not have is 404, and its file answers HEAD', async () => {
  const world = await opened()
  for (const id of ['lost', 'bare'])
    for (const part of ['audio', 'onsets', 'thumb']) assert.equal((await world.get(`/dub/${part}/${id}`)).status, 404, `${part} ${id}`)
  assert.equal((await world.get('/dub/media/lost')).status, 404)
  const head = ok(await world.send('HEAD', '/dub/media/whole'))
  assert.deepEqual([head.headers.get('content-length'), head.headers.get('accept-ranges')], [String(FILM.length), 'bytes'])
  const beyond = await world.send('GET', '/dub/media/whole', undefined, { range: 'bytes=99-' })
  assert.deepEqual([beyond.status, beyond.headers.get('content-range')], [416, `bytes */${FILM.length}`])
  assert.deepEqual(detail(await world.get('/dub/preview/whole/0')), [404, 'Segment not generated yet'])
})

test('a wrong language code is 400 on every route, however long', async () => {
  const world = await opened()
  const exports = ['srt', 'vtt', 'download-audio', 'download-mp3', 'export-segments', 'export-stems', 'preview-video', 'segments-text']
  for (const lang of ['a/b', 'x'.repeat(33), 'x'.repeat(500)]) {
    const query = `lang=${encodeURIComponent(lang)}`
    for (const part of exports) assert.equal((await world.get(`/dub/${part}/whole?${query}`)).status, 400, part)
    assert.equal((await world.get(`/dub/preview/whole/0?${query}`)).status, 400)
    assert.equal((await world.post(`/dub/qc/whole?${query}`)).status, 400)
  }
  const unusual = `default_track=${'x'.repeat(500)}&out_format=${'x'.repeat(500)}`
  assert.equal((await world.get(`/dub/download/lost?${unusual}`)).status, 400, 'no track, and no other reason')
  assert.equal((await world.get(`/dub/download-mp3/lost?bitrate=${'9'.repeat(500)}`)).status, 400)
})

test('a name for the file changes nothing', async () => {
  const world = await opened()
  for (const kind of ['download', 'download-audio', 'download-mp3', 'srt', 'vtt'])
    for (const id of ['whole', 'lost', 'bare', 'unknown']) {
      const [plain, named] = [await world.get(`/dub/${kind}/${id}`), await world.get(`/dub/${kind}/${id}/any%20name.x`)]
      assert.deepEqual([named.status, named.body], [plain.status, plain.body], `${kind} ${id}`)
      assert.equal(named.headers.get('content-disposition'), plain.headers.get('content-disposition'))
    }
})

test('an unknown authorization is refused before anything is exported', async () => {
  const world = await opened()
  for (const path of ['download/whole', 'download/whole/x.mp4', 'download-audio/whole', 'download-mp3/whole'])
    assert.equal((await world.send('GET', `/dub/${path}`, undefined, { 'x-svc-path-authorization': 'mine' })).status, 403, path)
})

test('an authorization is used from this machine only, for its kind, and once', async () => {
  const world = await opened()
  const folder = authorizationsFolder(world.dataDir)
  const ask = async (token: string, more: Record<string, string> = {}) =>
    (await world.send('GET', '/dub/download-audio/whole', undefined, { 'x-svc-path-authorization': token, ...more })).status
  const inside = join(world.dataDir, 'x.wav')
  const kept = writePathAuthorization(folder, { kind: 'dub_export', path: inside }, systemRandom)
  const elsewhere = { 'x-forwarded-for': '192.0.2.1' }
  const senders: Record<string, string>[] = [
    { ...elsewhere, authorization: `Bearer ${KEY}` },
    elsewhere,
    { origin: 'https://other.example' },
  ]
  assert.deepEqual(await Promise.all(senders.map((sender) => ask(kept, sender))), [403, 401, 403])
  assert.ok(existsSync(join(folder, `${kept}.json`)), 'a refused sender uses up nothing')
  assert.deepEqual([await ask(kept), await ask(kept)], [400, 403], 'a place in the data directory, and once')
  const other = writePathAuthorization(folder, { kind: 'models_dir', path: join(world.dataDir, '..', 'x.wav') }, systemRandom)
  assert.deepEqual([await ask(other), existsSync(join(folder, `${other}.json`))], [403, false])
})

test('a number of speakers that is not from 1 to 20 counts as none', async () => {
  const speakers = (text: string | undefined) =>
    transcribeContracts.stream.query!.parse(text === undefined ? {} : { num_speakers: text }).num_speakers
  assert.deepEqual(['1', '20', '0', '21', '-1', '2.5', 'many', ''].map(speakers), [1, 20, null, null, null, null, null, null])
  assert.deepEqual([speakers(undefined), transcribeContracts.stream.query!.parse({}).per_segment_refs], [null, true])
  assert.equal((await (await opened()).get('/dub/transcribe-stream/bare?num_speakers=99')).status, 200)
})

test('a transcription that cannot begin is an event of the stream, and a status of the other route', async () => {
  const world = await opened()
  const events = async (id: string) => (await world.get(`/dub/transcribe-stream/${id}`)).body.toString().split('\n\n')
  const [open, error, done] = await events('whole')
  assert.deepEqual([open, done], [': transcribe-stream open', 'event: done\ndata: {}'])
  const payload = JSON.parse(error!.replace('event: error\ndata: ', ''))
  assert.deepEqual(
    [payload.error, payload.code, payload.retryable, payload.detail],
    ['asr_model_missing', 'MODEL_NOT_INSTALLED', true, payload.message],
  )
  assert.match((await events('bare'))[1]!, /^event: error\ndata: .*not extracted yet/)
  const refused = await world.post('/dub/transcribe/whole')
  assert.deepEqual([refused.status, refused.json().detail.error], [409, 'asr_model_missing'])
  assert.equal((await world.post('/batch/enqueue', form({ video: Buffer.from('x') }))).status, 409)
})

test('a cancelled transcription is status 499', async () => {
  const routes = transcribeRoutes({ result: async () => null, async *events() {} })
  const { run } = routes.find(({ contract }) => contract.path === '/dub/transcribe/{job_id}')!
  const answer = await run({ params: { job_id: 'd' }, query: { num_speakers: null } } as never)
  assert.equal((answer as { status: number }).status, 499)
})

test('a stream of a transcription has comments until it starts, and then pings', async () => {
  const clock = createFakeClock()
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const
  async function* follow() {
    await gates[0].promise
    yield { seq: 1, payload: '{"type":"start","duration":1,"chunks":1,"chunk_s":30}' }
    await gates[1].promise
    yield { seq: 2, payload: '{"type":"cancelled"}' }
  }
  const stream = createTranscribeStream({
    core: {} as never,
    jobs: { follow: async () => follow(), get: async () => null } as never,
    transcriptions: { start: async () => 'asr_d_1' } as never,
    clock,
  })
  const events = stream.events('d', { num_speakers: null, per_segment_refs: true }, new AbortController().signal)
  const next = async () => (await events.next()).value
  /** The next event, with the clock going on while there is none. */
  const later = async () => {
    const coming = next()
    let seconds = 0
    for (let isThere = false; !isThere; seconds += isThere ? 0 : 5) {
      isThere = await Promise.race([coming.then(() => true), new Promise<false>((resolve) => setImmediate(resolve, false))])
      if (!isThere) clock.advance(5_000)
    }
    return [await coming, seconds]
  }
  assert.equal(await next(), ': transcribe-stream open\n\n')
  assert.deepEqual(await later(), [': keepalive\n\n', 15])
  gates[0].resolve()
  assert.match((await next())!, /^event: start\ndata: \{"duration":1,"chunks":1,"chunk_s":30\}\n\n$/)
  assert.deepEqual(await later(), ['event: ping\ndata: {}\n\n', 5])
  gates[1].resolve()
  assert.deepEqual([await next(), await next()], ['event: aborted\ndata: {}\n\n', undefined])
})

test('a page without a downloader is status 500, and the address is checked first', async () => {
  const ingests = createDubIngests({
    ...{
      core: { claim: () => {} },
      ingest: {},
      abort: { activeOf: () => [] },
      folders: { remove: async () => {} },
      random: { hex: () => '0a0b0c0d' },
    },
    ...{ hasPrograms: () => true, hasDownloader: () => false },
  } as never)
  const start = (url: string) => ingests.start({ url, fetch_subs: false }, OWNER_ID, { isLocal: true, headers: {} })
  await assert.rejects(start('https://video.example/watch'), { code: 'VIDEO_FETCH_FAILED' })
  assert.equal(FAILURES.VIDEO_FETCH_FAILED.http, 500)
  await assert.rejects(start('ftp://video.example/watch'), { code: 'BAD_REQUEST' })
})

test('a preview of a line has the length that was asked for, and stores nothing', async () => {
  const world = await opened()
  ok(await world.post('/engines/select', { family: 'tts', backend_id: 'tone' }))
  const files = () => readdirSync(join(world.dataDir, 'dub_store', 'files')).length
  const before = files()
  const reply = ok(await world.post('/dub/preview-segment/whole', { segment_id: 's00001', text: 'Hello.', duration: 2, later: 1 }))
  assert.deepEqual([reply.headers.get('x-audio-duration'), reply.headers.get('content-type')], ['2.000', 'audio/wav'])
  assert.equal(files(), before)
  assert.equal((await world.post('/dub/preview-segment/whole', { text: ' … ' })).status, 400)
})

test('a generation is a job of its own type; unknown fields do not stop it, unknown values do', async () => {
  const world = await opened()
  const line = { start: 0, end: 2, text: 'Hello.', qc_drift: 0.5, later: true }
  for (const wrong of [{ voice_match: 'loud' }, { timing_strategy: 'loud' }, { slot_fit: 'loud' }])
    assert.equal((await world.post('/dub/generate/whole', { segments: [line], ...wrong })).status, 422, JSON.stringify(wrong))
  const fit_options = { max_audio_only_rate: 1.1, allow_video_retime: false, later: 1 }
  const asked = { segments: [line], language: 'English', language_code: 'en', timing_strategy: 'smart_fit', fit_options, later: 1 }
  const { task_id: task } = ok(await world.post('/dub/generate/whole', asked)).json()
  const events = await eventsOfTask(world, task)
  assert.deepEqual(
    typesOf(events).filter((type) => type !== 'routing_notice'),
    ['progress', 'assembling', 'done'],
  )
  const { type, tracks, timing_strategy, seg_hashes, seg_num_step } = events.at(-1)!
  assert.deepEqual([type, tracks.toSorted(), timing_strategy, seg_num_step], ['done', ['en', 'fr'], 'smart_fit', { s00000: 16 }])
  assert.match(seg_hashes['s00000'], /^[0-9a-f]{16}$/)
  const job = (await world.get(`/jobs/${task}`)).json()
  assert.deepEqual([job.type, job.status], ['dub_generate', 'done'])
  assert.deepEqual(detail(await world.get('/dub/preview/whole/1')), [404, 'Segment not generated yet'])
  ok(await world.get('/dub/preview/whole/0'))
})

test('the look of a picture needs a film that is there', async () => {
  const world = await opened()
  const lost = ok(await world.post('/tools/video-context/lost')).json()
  assert.deepEqual([keysOf(lost), lost.segments], [['error', 'segments'], {}])
  assert.equal((await world.post('/tools/video-context/unknown')).status, 404)
  for (const id of ['a.b', 'x'.repeat(65)])
    assert.deepEqual(detail(await world.post(`/tools/video-context/${id}`)), [400, 'Invalid job id'])
})

test('the language of the lines is that of the request, of the dub, or of their writing', async () => {
  const world = await opened()
  const sourceOf = async (more: object) =>
    ok(await world.post('/dub/translate', { segments: [], target_lang: 'ru', later: 1, ...more })).json().source_lang
  assert.equal(await sourceOf({ job_id: 'whole', source_lang: 'ja' }), 'ja')
  assert.equal(await sourceOf({ job_id: 'whole' }), 'de')
  assert.equal(await sourceOf({ segments: [{ id: 1, text: 'Привет, как дела? Это моя книга.' }] }), 'ru')
  assert.equal(await sourceOf({ job_id: 'unknown' }), 'en')
})

test('a line that the language model did not translate, and one that stays too long, say so', async () => {
  const skills = {
    state: (skill: string) => ({ ready: skill === 'dub_translation' }),
    ask: async () => {
      throw new LlmFailure('auth')
    },
  } as never
  const speakingTime = () => ({ seconds: 2, calibrated: true })
  const fallback = (): TextService => ({
    id: 'local',
    translate: async ({ texts }) => ({
      answers: texts.map((text) => (text === 'b' ? { error: 'No.' } : { text: `${text}!` })),
      notices: [],
    }),
  })
  const translation = createDubTranslation({
    choice: { choose: () => ({ kind: 'llm' }) } as never,
    steps: createTranslationSteps({ skills, clock: createFakeClock(), speakingTime, fallback }),
    ...{ notes: { isReady: () => false } as never, skills, glossaryOf: () => [], dubOf: () => null, speakingTime },
  })
  const segments = ['a', 'b'].map((id) => ({ id, text: id, start: 0, end: 1 }))
  const request = TranslateRequest.parse({ segments, source_lang: 'en', target_lang: 'de', condense: true })
  const { translated } = await translation.translate(request, { signal: new AbortController().signal, traceparent: '' })
  const plan = { status: 'impossible', est_dur_s: 2, available_s: 1, est_overrun_s: 1, calibrated: true }
  assert.deepEqual(translated, [
    { id: 'a', text: 'a!', degraded: true, rate_error: 'no-llm', plan },
    { id: 'b', text: 'b', error: LLM_FAILURES.auth, plan },
  ])
})

test('a term is checked before it is looked for', async () => {
  const world = await opened()
  const row = ok(await world.post('/glossary/p', { source: 'One', target: 'Eins', later: 1 })).json()
  assert.deepEqual(keysOf(row), ['auto', 'created_at', 'id', 'note', 'project_id', 'source', 'target'])
  assert.ok(Math.abs(row.created_at - Date.now() / 1000) < 600)
  for (const [change, status] of [
    [{}, 400],
    [{ source: ' ' }, 400],
    [{ target: '' }, 400],
    [{ note: 'x' }, 404],
  ] as const)
    assert.equal((await world.put('/glossary/p/nothing', change)).status, status, JSON.stringify(change))
  const changed = ok(await world.put(`/glossary/p/${row.id}`, { note: ' n ' })).json()
  assert.deepEqual(changed, { ...row, note: 'n' })
})

test('a language model reads the first 12,000 characters, and its failure is status 502', async (t) => {
  const world = await opened()
  const asked: { rules: string; dialogue: string[] }[] = []
  let isBroken = false
  const base = await playService(t, ({ messages }, response) => {
    if (isBroken) return void response.writeHead(400).end()
    asked.push({ rules: messages[0].content, dialogue: JSON.parse(messages[1].content).dialogue })
    sendChat(response, { summary: '', terms: [{ source: 'xx', target: 'yy' }] })
  })
  ok(await world.put('/api/settings/llm-endpoint', { base_url: `${base}/v1`, model: 'm', api_key: 'k' }))
  ok(await world.post('/api/settings/llm-providers/active', { provider: 'custom' }))
  const extract = (more: object) => world.post('/glossary/film/auto-extract', { target_lang: 'de', ...more })
  const found = ok(await extract({ segments: [{ text: 'x'.repeat(20_000) }] })).json()
  assert.deepEqual([asked[0]!.dialogue[0]!.length, /at most 40/.test(asked[0]!.rules), found.inserted], [12_000, true, 1])
  assert.deepEqual(keysOf(found), ['inserted', 'project_id', 'proposed', 'terms'])
  ok(await world.post('/glossary/whole/auto-extract', { target_lang: 'en', max_terms: 3 }))
  assert.deepEqual([asked[1]!.dialogue, /at most 3/.test(asked[1]!.rules)], [LINES, true])
  isBroken = true
  assert.equal((await extract({ segments: [{ text: 'more' }] })).status, 502)
  assert.deepEqual((await extract({ segments: [] })).json().length, 1, 'the list, without asking')
})

test('hostile ids, queries and bodies are answered with a reason, by every route', async () => {
  const world = await opened()
  // It has nothing that could be hostile, and deletes what the other tests read.
  const routes = [...specifiedRoutes('4.7'), 'POST /tools/video-context/{job_id}'].filter((route) => route !== 'DELETE /dub/history')
  const wrong: string[] = []
  for await (const { request, status, text } of hostileAnswers(world, routes, 'whole')) {
    const isRefused = status >= 400 && status !== 500 && /"(detail|error)":/.test(text)
    if (!(status < 300 || isRefused) || /\bat .*\.[jt]s:\d+|node:internal/.test(text)) wrong.push(`${request}: ${status} ${text}`)
  }
  assert.deepEqual(wrong, [])
  assert.equal((await world.get('/dub/history')).json().length, 30, 'nothing was deleted')
})

test('each change of dubs is an event; deleting all of them has neither action nor id', async (t) => {
  const world = await opened()
  const events = await listenEvents(t, world.url, 'dub_history')
  const srt = form({ file: Buffer.from('00:00:01,000 --> 00:00:02,000\nHello\n') })
  assert.deepEqual(ok(await world.post('/dub/import-srt/whole', srt)).json().segments[0].id, 0)
  assert.equal((await world.post('/dub/import-srt/whole', form({ later: 1 }))).status, 422)
  for (const id of ['unknown', 'lost'])
    assert.deepEqual(ok(await world.delete(`/dub/history/${id}`)).json(), { deleted: true, dir_kept_for: [] })
  assert.equal((await world.delete('/dub/history/whole')).json().deleted, true)
  assert.deepEqual(ok(await world.delete('/dub/history')).json(), { cleared: true, count: OTHERS })
  const seen = await eventually(() => !events.at(-1)?.action && events.length > 3 && events)
  assert.deepEqual(
    seen.map(({ action, id }) => [action, id]),
    [
      ['saved', 'whole'],
      ['deleted', 'lost'],
      ['deleted', 'whole'],
      [undefined, undefined],
    ],
  )
  assert.deepEqual([(await world.get('/dub/history')).json(), (await world.get('/dub/media/bare')).status], [[], 404])
  assert.equal(existsSync(join(world.dataDir, 'dub_store', 'files', 'a'.repeat(64))), false)
})
