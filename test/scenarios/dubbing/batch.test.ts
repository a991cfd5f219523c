// The batch: films that are dubbed without edits, with the programs of this machine, against the facts of the specification.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { findProgram } from '#shared/runtime/program.ts'
import { corpus, ffmpeg, ffprobe, folder, make, withPrograms } from '#test/control-plane/media/film/corpus.ts'
import { recording, SENTENCES, spoken } from '#test/support/audio/round-trip.ts'
import { eventually, type Reply, sharedWorld, type World } from '#test/support/world/world.ts'
import { eventsOfTask, filmForm } from './dub-client.ts'

const path = process.env['PATH']
/** An ffmpeg that waits while it is held: opening a pipe for reading waits for its writer. */
const [bin, pipe] = [join(folder, 'bin'), join(folder, 'hold')]
mkdirSync(bin)
writeFileSync(join(bin, 'ffmpeg'), `#!/bin/sh\n[ -p '${pipe}' ] && true 2>/dev/null < '${pipe}'\nexec '${ffmpeg}' "$@"\n`, {
  mode: 0o755,
})
const hold = () => void execFileSync('mkfifo', [pipe])
const release = () => {
  if (!existsSync(pipe)) return
  const writer = openSync(pipe, 'r+')
  rmSync(pipe)
  closeSync(writer)
}
const open = sharedWorld({ env: { PATH: `${bin}:${path}` } })
const apertium = findProgram('apertium', path)
const hasSpanish = apertium !== null && execFileSync(apertium, ['-l'], { encoding: 'utf8' }).includes('eng-spa')
const missing =
  findProgram('pocketsphinx_continuous', path) === null
    ? 'pocketsphinx is not installed'
    : hasSpanish
      ? false
      : 'apertium-eng-spa is not installed'
const whole = { skip: withPrograms.skip || missing }
const UNKNOWN = ['/batch/jobs/unknown', '/batch/download/unknown/es']

/** A film of about 5 s in which two sentences are said. `empties`: another film for each number, with so many empty boxes at its end. */
async function talk(empties = 0): Promise<Uint8Array<ArrayBuffer>> {
  const [sound, film] = [join(folder, 'talk.wav'), join(folder, 'talk.mp4')]
  if (!existsSync(film)) {
    const said = await Promise.all([SENTENCES[4]!, SENTENCES[6]!].map(spoken))
    const pause = Buffer.alloc(16_000)
    writeFileSync(sound, recording(Buffer.concat([pause, ...said.flatMap(({ pcm }) => [pcm, pause])])).get('audio')!)
    const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=25', '-i', sound, '-shortest']
    await make([...picture, '-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac', film])
  }
  const box = Buffer.from([0, 0, 0, 8, ...Buffer.from('free')])
  return new Uint8Array(Buffer.concat([readFileSync(film), ...Array.from({ length: empties }, () => box)]))
}
async function enqueued(world: World, fields: Readonly<Record<string, string>>, name = 'Talk.mp4', empties = 0): Promise<string> {
  const reply = await world.post('/batch/enqueue', filmForm(await talk(empties), name, fields))
  assert.equal(reply.status, 200, reply.body.toString())
  const { job_id: id, ...rest } = reply.json()
  assert.match(id, /^[0-9a-f]{12}$/)
  assert.equal(rest.status, 'queued')
  return id
}
const jobOf = async (world: World, id: string) => (await world.get(`/batch/jobs/${id}`)).json()
const idsOf = (reply: Reply): string[] => reply.json().map(({ id }: { id: string }) => id)

test('a film is dubbed without edits, downloaded in parts, and deleted with its files', whole, async () => {
  const world = await open()
  const id = await enqueued(world, { langs: ' es, ES,en', preserve_bg: 'false' }, 'a "b"/Talk.mp4')
  const events = await eventsOfTask(world, id)
  assert.equal(events.at(-1)!.type, 'done', JSON.stringify(events))
  const job = await jobOf(world, id)
  assert.deepEqual(
    [job.id, job.status, job.filename, job.langs, job.voice_id, job.preserve_bg, job.error, job.source_lang],
    [id, 'done', 'Talk.mp4', ['es', 'en'], null, false, null, 'en'],
  )
  assert.deepEqual(job.progress, { stage: 'done', percent: 100, segments_count: job.segments.length })
  assert.ok(job.created_at <= job.started_at && job.started_at <= job.finished_at && job.finished_at < 1e11, JSON.stringify(job))
  assert.ok(Math.abs(job.duration - 5) < 3 && job.segments.length > 0, JSON.stringify(job))
  assert.deepEqual([existsSync(job.video_path), Object.keys(job.outputs).sort()], [true, ['en', 'es']])
  const [listed] = (await world.get('/batch/jobs?status=done')).json()
  const { segments, ...row } = job
  assert.deepEqual(listed, row)
  assert.deepEqual(idsOf(await world.get('/batch/jobs?status=active&limit=100')), [])
  assert.deepEqual(idsOf(await world.get('/batch/jobs?limit=0')), [])

  const { texts } = (await world.get(`/dub/segments-text/${id}?lang=es`)).json()
  assert.notDeepEqual(
    Object.values(texts),
    segments.map(({ text }: { text: string }) => text),
    'the text is translated',
  )
  const film = await world.get(`/batch/download/${id}/es`)
  assert.deepEqual(
    [film.status, film.headers.get('content-type'), film.headers.get('content-disposition')],
    [200, 'video/mp4', 'attachment; filename="Talk_es.mp4"'],
  )
  const saved = join(folder, 'es.mp4')
  writeFileSync(saved, film.body)
  const { streams } = JSON.parse(execFileSync(ffprobe!, ['-v', 'error', '-show_streams', '-of', 'json', saved], { encoding: 'utf8' }))
  const kinds = streams.map(({ codec_type }: { codec_type: string }) => codec_type)
  assert.deepEqual(kinds.filter((kind: string) => kind === 'video' || kind === 'audio').sort(), ['audio', 'video'])
  assert.equal(streams.find(({ codec_type }: { codec_type: string }) => codec_type === 'audio').tags.language, 'spa')
  const part = await world.send('GET', `/batch/download/${id}/es`, undefined, { range: 'bytes=4-11' })
  assert.deepEqual([part.status, part.body], [206, film.body.subarray(4, 12)])
  assert.equal((await world.send('GET', `/batch/download/${id}/es`, undefined, { range: 'bytes=999999999-' })).status, 416)
  for (const other of ['fr', 'ES', '__proto__', 'x'.repeat(60)])
    assert.equal((await world.get(`/batch/download/${id}/${other}`)).status, 404)

  assert.deepEqual((await world.post(`/batch/jobs/${id}/cancel`)).json(), { already: 'done' })
  assert.deepEqual((await world.delete(`/batch/jobs/${id}`)).json(), { deleted: true })
  assert.deepEqual([existsSync(job.video_path), existsSync(job.outputs.es)], [false, false])
  for (const gone of [`/batch/jobs/${id}`, `/batch/download/${id}/es`]) assert.equal((await world.get(gone)).status, 404)
  assert.equal((await world.delete(`/batch/jobs/${id}`)).status, 404)
  assert.ok(!(await world.get('/dub/history')).json().some((dub: { id: string }) => dub.id === id))
})

test('what cannot work is refused at once, and a film without speech fails with the reason', whole, async () => {
  const world = await open()
  const film = await talk()
  const bad = [
    ...[
      '',
      ' , ',
      'xx',
      'klingon',
      'es;fr',
      '../es',
      'e\0s',
      'q'.repeat(999),
      'fr',
      Array.from({ length: 40 }, (_, at) => `en-A${at}`).join(),
    ],
  ]
  for (const langs of bad) {
    const reply = await world.post('/batch/enqueue', filmForm(film, 'a.mp4', { langs }))
    assert.equal(reply.status, 400, `${langs}: ${reply.body}`)
  }
  const empty = await world.post('/batch/enqueue', filmForm(new Uint8Array(), 'a.mp4'))
  assert.equal(empty.status, 400, empty.body.toString())
  const form = new FormData()
  form.set('langs', 'es')
  assert.equal((await world.post('/batch/enqueue', form)).status, 422, 'without a film')
  assert.equal((await world.post('/batch/enqueue', filmForm(film, 'a.mp4', { preserve_bg: 'perhaps' }))).status, 422)
  assert.equal((await world.get('/batch/jobs?limit=many')).status, 422)
  assert.deepEqual((await world.get('/batch/jobs?limit=-3&status=nothing')).json(), [])
  for (const gone of UNKNOWN) assert.equal((await world.get(gone)).status, 404, gone)
  assert.equal((await world.post('/batch/jobs/unknown/cancel')).status, 404)
  assert.equal((await world.delete('/batch/jobs/unknown')).status, 404)
  assert.deepEqual((await world.get('/dub/history')).json(), [])

  const noise = new Uint8Array(readFileSync(await corpus('silent.mp4')))
  for (const [bytes, name] of [
    [noise, 'silent.mp4'],
    [new TextEncoder().encode('not a film'), 'text.mp4'],
  ] as const) {
    const reply = await world.post('/batch/enqueue', filmForm(bytes, name, { voice_id: '' }))
    assert.equal(reply.status, 200, reply.body.toString())
    const { job_id: id } = reply.json()
    assert.equal((await eventsOfTask(world, id)).at(-1)!.type, 'error')
    const job = await jobOf(world, id)
    assert.deepEqual([job.status, job.progress, job.outputs], ['failed', null, undefined])
    assert.ok(job.error.length > 10, job.error)
    assert.equal((await world.get(`/batch/download/${id}/es`)).status, 400)
    assert.equal((await world.delete(`/batch/jobs/${id}`)).status, 200)
  }
})

test('one film is worked on at a time; it continues after a kill, and the next is cancelled or deleted', whole, async (t) => {
  t.after(release)
  const world = await open()
  hold()
  // Another film than before, because what was made of that one is kept for a while.
  const first = await enqueued(world, { langs: 'es' }, 'Talk.mp4', 2)
  await eventually(async () => (await jobOf(world, first)).status === 'running')
  const [second, third] = [await enqueued(world, {}, 'Talk.mp4', 2), await enqueued(world, { langs: 'es' }, 'Talk.mp4', 2)]
  const waiting = await jobOf(world, second)
  assert.deepEqual([waiting.status, waiting.started_at, waiting.progress, waiting.langs], ['queued', null, null, ['es']])
  assert.deepEqual(idsOf(await world.get('/batch/jobs?status=active')), [third, second, first])
  assert.deepEqual(idsOf(await world.get('/batch/jobs?status=running')), [first])
  const refused = await world.get(`/batch/download/${first}/es`)
  assert.equal(refused.status, 400, refused.body.toString())
  const line = { id: 'one', start: 0, end: 1, text: 'Hola.' }
  const generation = { segments: [line], language: 'Spanish', language_code: 'es' }
  for (const reply of [await world.post(`/dub/transcribe/${first}`), await world.post(`/dub/generate/${first}`, generation)]) {
    assert.equal(reply.status, 409, reply.body.toString())
    assert.match(reply.json().detail, /^A batch makes this dub now/)
  }

  assert.deepEqual((await world.post(`/batch/jobs/${second}/cancel`)).json(), { cancelled: true })
  assert.deepEqual((await world.post(`/batch/jobs/${second}/cancel`)).json(), { already: 'cancelled' })
  assert.equal(existsSync(waiting.video_path), true, 'the other films are the same file')
  assert.deepEqual((await world.delete(`/batch/jobs/${third}`)).json(), { deleted: true })

  await world.restart('SIGKILL')
  release()
  const events = await eventsOfTask(world, first)
  assert.equal(events.at(-1)!.type, 'done', JSON.stringify(events))
  assert.equal(events.filter(({ type }) => type === 'extract_done').length, 1, 'the sound is extracted once')
  assert.equal((await world.get(`/batch/download/${first}/es`)).status, 200)
  assert.deepEqual(idsOf(await world.get('/batch/jobs')), [second, first])

  // A running one ends before it is deleted.
  hold()
  const running = await enqueued(world, { langs: 'es' }, 'Other.mp4', 1)
  await eventually(async () => (await jobOf(world, running)).status === 'running')
  assert.deepEqual((await world.delete(`/batch/jobs/${running}`)).json(), { deleted: true })
  release()
  assert.equal((await world.get(`/jobs/${running}`)).json().status, 'cancelled')
  assert.equal((await world.get(`/batch/download/${first}/es`)).status, 200, 'the file of the other film stays')
})
