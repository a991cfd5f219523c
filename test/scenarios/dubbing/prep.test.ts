// Uploading films and recordings, their preparation, and what is read of them, against the facts of the specification.
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { corpus, folder, make, withPrograms } from '#test/control-plane/media/film/corpus.ts'
import { eventually, sharedWorld } from '#test/support/world/world.ts'
import { eventsOfTask, filmForm, preparedDub, typesOf, uploadFilm } from './dub-client.ts'

const world_ = sharedWorld()
const WITHOUT_MODEL = ['extract_start', 'extract_done', 'demucs_start', 'warning', 'demucs_done', 'scene_start', 'scene_done', 'ready']

test('a film is prepared, listed, and read back with ranges', withPrograms, async () => {
  const world = await world_()
  const path = await corpus('plain.mp4')
  const reply = await uploadFilm(world, path, 'My film.mp4')
  assert.equal(reply.status, 202)
  const { job_id: id, task_id: task, filename } = reply.json()
  assert.match(id, /^[0-9a-f]{8}$/)
  assert.deepEqual([task, filename], [`prep_${id}`, 'My film.mp4'])

  const events = await eventsOfTask(world, task)
  assert.deepEqual(typesOf(events), WITHOUT_MODEL)
  const named = (type: string) => events.find((event) => event.type === type)!
  const { duration } = named('extract_done')
  assert.ok(Math.abs(duration - 6) < 0.1, `${duration}`)
  assert.deepEqual(named('extract_done'), { type: 'extract_done', job_id: id, duration, filename })
  assert.deepEqual(named('demucs_done'), { type: 'demucs_done', has_bg: false })
  assert.deepEqual(named('scene_done'), { type: 'scene_done', count: named('scene_done')['count'] })
  assert.deepEqual(named('ready'), { type: 'ready', job_id: id, duration, filename })
  const { stage, error_class, reason, error, detail } = named('warning')
  assert.deepEqual([stage, error_class, reason, reason], ['demucs', 'MODEL_NOT_DOWNLOADED', error, detail])

  const job = (await world.get(`/jobs/${task}`)).json()
  assert.deepEqual([job.type, job.status], ['dub_upload', 'done'])

  const [row] = (await world.get('/dub/history')).json()
  assert.deepEqual(
    [row.id, row.filename, row.duration, row.segments_count, row.language, row.tracks],
    [id, filename, duration, 0, '', '[]'],
  )
  const data = JSON.parse(row.job_data)
  assert.deepEqual([data.filename, data.input_type, data.segments, data.dubbed_tracks], [filename, 'video', null, {}])
  assert.match(row.content_hash, /^[0-9a-f]{64}$/)
  assert.equal((await world.get('/stats/usage')).json().dubs >= 1, true)

  const bytes = readFileSync(path)
  const whole = await world.get(`/dub/media/${id}`)
  assert.deepEqual([whole.status, whole.headers.get('content-type'), whole.body.equals(bytes)], [200, 'video/mp4', true])
  const part = await world.send('GET', `/dub/media/${id}`, undefined, { range: 'bytes=100-199' })
  assert.deepEqual([part.status, part.headers.get('content-range')], [206, `bytes 100-199/${bytes.length}`])
  assert.ok(part.body.equals(bytes.subarray(100, 200)))
  const beyond = await world.send('GET', `/dub/media/${id}`, undefined, { range: `bytes=${bytes.length}-` })
  assert.equal(beyond.status, 416)

  const audio = await world.get(`/dub/audio/${id}`)
  assert.equal(audio.headers.get('content-type'), 'audio/wav')
  assert.equal(audio.body.readUInt32LE(40), audio.body.length - 44, 'the length in the header is exact')
  assert.equal(audio.body.readUInt32LE(24), 48_000)
  const tail = await world.send('GET', `/dub/audio/${id}`, undefined, { range: 'bytes=40-1001' })
  assert.ok(tail.body.equals(audio.body.subarray(40, 1002)))

  const thumb = await world.get(`/dub/thumb/${id}`)
  assert.deepEqual([thumb.headers.get('content-type'), thumb.headers.get('cache-control')], ['image/jpeg', 'max-age=3600'])
  assert.deepEqual([...thumb.body.subarray(0, 2)], [0xff, 0xd8])
  const { onsets, source } = (await world.get(`/dub/onsets/${id}`)).json()
  assert.deepEqual([Array.isArray(onsets), source], [true, 'mix'])
  const everything = (await world.get(`/dub/peaks/${id}`)).json()
  assert.ok(everything.peaks.length > 10 && everything.peaks.every((peak: number) => Number.isInteger(peak) && peak >= 0 && peak <= 255))
  const loudest = (await world.get(`/dub/peaks/${id}?from=0.5&to=1&peaks=5`)).json()
  assert.deepEqual([loudest.from, loudest.to, loudest.peaks.length], [0.5, 1, 5])
  assert.equal(Math.max(...loudest.peaks), Math.max(...everything.peaks.slice(10, 20)), 'fewer peaks keep the loudest')
  assert.deepEqual((await world.get(`/dub/peaks/${id}?from=1000&to=900`)).json().peaks, [])
  assert.equal((await world.get(`/dub/peaks/${id}?peaks=0`)).status, 422)
  assert.deepEqual((await world.get(`/dub/tracks/${id}`)).json(), { tracks: {} })
  assert.deepEqual((await world.get(`/dub/segments-text/${id}?lang=es`)).json(), { texts: {} })
  assert.equal((await world.get(`/dub/segments-text/${id}?lang=${encodeURIComponent('e/s')}`)).status, 400)
})

test('a file that another program changed is an error at once', withPrograms, async () => {
  const world = await world_()
  const { id } = await preparedDub(world, await corpus('plain.mp4'), 'film.mp4', { job_id: 'changed' })
  const { content_hash: digest } = (await world.get('/dub/history')).json()[0]
  const path = join(world.dataDir, 'dub_store', 'files', digest)
  const film = readFileSync(path)
  writeFileSync(path, film.subarray(0, 100))
  await assert.rejects(world.get(`/dub/media/${id}`), 'the connection is cut')
  rmSync(path)
  mkdirSync(path)
  const { status, headers, json } = await world.get(`/dub/media/${id}`)
  assert.deepEqual([status, headers.get('content-type')], [500, 'application/json; charset=utf-8'])
  assert.equal(json().detail, 'An unexpected error occurred in the studio.')
  // Dubs of other tests have the same film.
  rmSync(path, { recursive: true })
  writeFileSync(path, film)
  assert.equal((await world.get(`/dub/media/${id}`)).body.equals(film), true)
  assert.equal((await world.delete(`/dub/history/${id}`)).status, 200)
})

test('the same bytes are cached, and files stay while another dub uses them', withPrograms, async () => {
  const world = await world_()
  const path = await corpus('chapters.mp4')
  const first = await preparedDub(world, path, 'a.mp4', { job_id: 'first_1' })
  assert.equal(first.task, 'prep_first_1')
  assert.deepEqual(typesOf(first.events), WITHOUT_MODEL)
  const second = await preparedDub(world, path, 'b.mp4', { job_id: 'second' })
  assert.deepEqual(typesOf(second.events), ['extract_start', 'extract_done', 'cached', 'ready'])
  const { has_bg, scene_count } = second.events[2]!
  assert.deepEqual([has_bg, scene_count], [false, first.events.find(({ type }) => type === 'scene_done')!['count']])
  assert.equal((await world.get('/dub/thumb/second')).status, 200)

  // Reusing an id makes a new dub of it.
  const again = await preparedDub(world, path, 'c.constructor', { job_id: 'second' })
  assert.deepEqual(typesOf(again.events).slice(-2), ['cached', 'ready'])
  const named = await world.get('/dub/media/second')
  assert.deepEqual([named.status, named.headers.get('content-type')], [200, 'application/octet-stream'])
  assert.deepEqual((await world.delete('/dub/history/second')).json(), { deleted: true, dir_kept_for: ['first_1'] })
  assert.equal((await world.get('/dub/media/first_1')).status, 200)
  assert.equal((await world.get('/dub/media/second')).status, 404)
  assert.deepEqual((await world.delete('/dub/history/first_1')).json(), { deleted: true, dir_kept_for: [] })
  assert.deepEqual((await world.delete('/dub/history/unknown')).json(), { deleted: true, dir_kept_for: [] })
})

test('a recording has no picture and no cuts', withPrograms, async () => {
  const world = await world_()
  const { id, events } = await preparedDub(world, await corpus('sound.mp3'), 'talk.mp3', { input_type: 'audio' })
  assert.deepEqual(typesOf(events), WITHOUT_MODEL)
  assert.deepEqual(
    events.find(({ type }) => type === 'scene_done'),
    { type: 'scene_done', count: 0 },
  )
  assert.equal((await world.get(`/dub/thumb/${id}`)).status, 404)
})

test('what cannot be dubbed ends with an error event, and leaves nothing behind', withPrograms, async () => {
  const world = await world_()
  const text = (name: string, content: string | Uint8Array) => {
    const path = join(folder, name)
    writeFileSync(path, content)
    return path
  }
  const files = () => readdirSync(join(world.dataDir, 'dub_store', 'files')).length
  const before = files()
  const rows = (await world.get('/dub/history')).json().length
  const encrypted = join(folder, 'encrypted.mp4')
  const keys = ['-encryption_key', '76a6c65c5ea762046bd749a2e632ccbb', '-encryption_kid', 'a7e61c373e219033c21091fa607bf3b8']
  await make(['-i', await corpus('plain.mp4'), '-c', 'copy', '-encryption_scheme', 'cenc-aes-ctr', ...keys, encrypted])
  const whole = readFileSync(await corpus('plain.mp4'))
  for (const [path, name, words = /./] of [
    [encrypted, 'encrypted.mp4', /encrypted \(DRM\).+without copy protection/],
    [text('half.mp4', whole.subarray(0, whole.length >> 1)), 'half.mp4', /incomplete.+send the whole file/],
    [await corpus('mute.mp4'), 'mute.mp4', /no sound/],
    [await corpus('cover.jpg'), 'picture.mp4'],
    [
      text('noise.bin', Buffer.alloc(5_000, 7)),
      'noise.mp4',
      /^The film cannot be read: it is damaged, or of a kind that is not supported\.$/,
    ],
    [text('list.mp4', '#EXTM3U\n#EXTINF:1,\nhttp://127.0.0.1:9/a.ts\n'), 'list.mp4'],
  ] as const) {
    const { id, task, events } = await preparedDub(world, path, name)
    const last = events.at(-1)!
    assert.deepEqual([last.type, last['stage']], ['error', 'extract'], `${name}: ${JSON.stringify(last)}`)
    assert.ok(last['error'].length > 10 && last['error'] === last['reason'])
    assert.match(last['error'], words, name)
    assert.equal((await world.get(`/jobs/${task}`)).json().status, 'failed')
    assert.equal((await world.get(`/dub/media/${id}`)).status, 404)
  }
  assert.equal(files(), before)
  assert.equal((await world.get('/dub/history')).json().length, rows)
})

test('wrong requests are refused', withPrograms, async () => {
  const world = await world_()
  const path = await corpus('sound.mp3')
  for (const [name, fields, status, words] of [
    ['a.mp3', { job_id: '../x' }, 400, /Invalid job id/],
    ['a.mp3', { job_id: 'x'.repeat(65) }, 400, /Invalid job id/],
    ['a.mp3', { input_type: 'text' }, 400, /input_type/],
    ['a.mp4', { input_type: 'audio' }, 400, /\.wav, \.mp3/],
  ] as const) {
    const reply = await uploadFilm(world, path, name, fields)
    assert.equal(reply.status, status, reply.body.toString())
    assert.match(reply.json().detail, words)
  }
  assert.equal((await world.post('/dub/upload', filmForm(new Uint8Array(), 'empty.mp4'))).status, 400)
  const form = new FormData()
  form.set('input_type', 'video')
  assert.equal((await world.post('/dub/upload', form)).status, 422)
  for (const path_ of ['media', 'audio', 'thumb', 'onsets', 'tracks'])
    assert.equal((await world.get(`/dub/${path_}/unknown`)).status, 404, path_)
  assert.equal((await world.get('/dub/segments-text/unknown?lang=es')).status, 404)
  assert.deepEqual((await world.post('/dub/abort/unknown')).json(), { aborted: true, had_active_procs: false })
})

test('a client that leaves in the middle of its upload leaves nothing behind', withPrograms, async () => {
  const world = await world_()
  const uploads = () => readdirSync(join(world.dataDir, 'dub_store', 'uploads')).length
  const leaving = new AbortController()
  const sent = fetch(`${world.url}/dub/upload`, {
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
    body: new ReadableStream({
      start(stream) {
        const head = '--b\r\ncontent-disposition: form-data; name="video"; filename="a.mp4"\r\n\r\n'
        stream.enqueue(new TextEncoder().encode(head + 'x'.repeat(100_000)))
      },
    }),
    duplex: 'half',
    signal: leaving.signal,
  } as RequestInit)
  const left = assert.rejects(sent)
  await eventually(() => uploads() === 1)
  leaving.abort()
  await left
  await eventually(() => uploads() === 0)
})
