// POST /generate: takes as files, takes as lines, and the chunks of a text. The test voice takes 40 ms for every character.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseWav } from '#shared/audio/wav.ts'
import { fromPcm, peakDb } from '#test/support/audio/sound.ts'
import { slowHosts } from '#test/support/chaos/slow-hosts.ts'
import { form } from '#test/support/world/http.ts'
import { eventually, type Reply, sharedWorld } from '#test/support/world/world.ts'

const RATE = 16_000
const MS = RATE / 1000
/** Three sentences of ten characters. */
const THREE = 'Aaaa bbbb. Cccc dddd. Eeee ffff.'

type Line = Record<string, unknown> & { type: string }
const linesOf = ({ body }: Reply): Line[] =>
  body
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

const open = sharedWorld({ remote: true })

test('generate', async (t) => {
  const world = await open()
  const send = (fields: Parameters<typeof form>[0], signal?: AbortSignal) => world.send('POST', '/generate', form(fields), {}, signal)
  const take = async (fields: Parameters<typeof form>[0]): Promise<Reply> => {
    const reply = await send(fields)
    assert.equal(reply.status, 200, reply.body.toString().slice(0, 500))
    return reply
  }
  const tone = (fields: Parameters<typeof form>[0]) => take({ engine: 'tone', ...fields })
  const samplesOf = (reply: Reply) => parseWav(reply.body).samples
  const newestTask = async () => (await world.get('/workers/tasks?limit=1')).json().tasks[0]
  const failed = async (fields: Parameters<typeof form>[0]) => {
    const reply = await send(fields)
    return { status: reply.status, detail: reply.json().detail, reply }
  }

  await t.test('SSML is spoken as it says, and the history shows its words', async () => {
    const plain = samplesOf(await tone({ text: 'Aaaabbbb' })).length
    const ssml = '<speak><p>Aaaa<break time="250ms"/><mark name="m"/>bbbb</p></speak>'
    const reply = await tone({ text: ssml })
    assert.equal(samplesOf(reply).length, plain + 250 * MS)
    assert.match(reply.headers.get('x-svc-notice') ?? '', /Marks are sent with/)
    const [row] = (await world.get('/history')).json()
    assert.equal(row.text, 'Aaaa [pause 250ms] bbbb')
    assert.equal(samplesOf(await tone({ text: 'Aaaa<break time="250ms"/>bbbb', text_format: 'ssml' })).length, plain + 250 * MS)
    const refused = await failed({ engine: 'tone', text: '<speak>Hello' })
    assert.deepEqual([refused.status, /XML is damaged/.test(refused.detail)], [400, true])
    assert.equal((await failed({ engine: 'tone', text: 'Hello <break/> you' })).status, 400)
    assert.equal((await world.delete('/history')).status, 200)
  })

  await t.test('answers with WAV and describes the take in headers', async () => {
    const reply = await take({ text: 'Hello from the studio.', seed: 12 })
    const header = (name: string) => reply.headers.get(name)!
    assert.equal(header('content-type'), 'audio/wav')
    assert.equal(header('content-length'), String(reply.body.length))
    assert.match(header('x-audio-id'), /^[0-9a-f]{8}$/)
    assert.equal(header('x-seed'), '12')
    assert.ok(Number(header('x-gen-time')) > 0)
    const { samples, sampleRate } = parseWav(reply.body)
    assert.ok(Math.abs(Number(header('x-audio-duration')) - samples.length / sampleRate) < 0.002)
    assert.equal(header('x-svc-dropped-chunks'), null)
    assert.equal(header('x-svc-routing'), 'stand_in')
    assert.ok(peakDb(samples) > -8 && peakDb(samples) < -1.9, `peak ${peakDb(samples)} dBFS`)
    assert.ok(readFileSync(join(world.dataDir, 'outputs', header('x-audio-path'))).equals(reply.body))
    assert.ok((await world.get(`/audio/${header('x-audio-path')}`)).body.equals(reply.body))
    const [row] = (await world.get('/history')).json()
    const { created_at, generation_time, duration_seconds, ...rest } = row
    assert.deepEqual(rest, {
      id: header('x-audio-id'),
      text: 'Hello from the studio.',
      mode: 'design',
      language: 'Auto',
      instruct: '',
      profile_id: '',
      audio_path: header('x-audio-path'),
      seed: 12,
      engine: 'svc-engine',
      voice: 'heart',
      notice: header('x-svc-routing-reason'),
      routing: 'stand_in',
      starred: 0,
      size_bytes: reply.body.length,
    })
    assert.ok(Math.abs(Date.now() / 1000 - created_at) < 600)
    assert.ok(generation_time > 0 && Math.abs(duration_seconds - samples.length / sampleRate) < 1e-6)
  })

  await t.test(
    'a preset voice of the engine is used; an unknown one causes a notice, and the history names the voice that spoke',
    async () => {
      const takeOf = async (voice: string) => take({ text: 'Hello from the studio.', seed: 12, voice })
      const [usual, named, alias] = [await takeOf(''), await takeOf('rms'), await takeOf('alloy')]
      assert.ok(!named.body.equals(usual.body))
      assert.ok(alias.body.equals(usual.body), 'an alias is the default voice')
      assert.match(
        (await takeOf('no-such')).headers.get('x-svc-routing-reason')!,
        /There is no voice no-such\. The default voice \S+ was used\./,
      )
      const rows: { voice: string; notice: string }[] = (await world.get('/history')).json()
      assert.deepEqual(
        rows.slice(0, 4).map(({ voice }) => voice),
        ['heart', 'heart', 'rms', 'heart'],
      )
      assert.match(rows[0]!.notice, /There is no voice no-such/)
    },
  )

  await t.test('without a seed a random one is drawn, and the same seed reproduces the take', async () => {
    const first = await tone({ text: THREE })
    const seed = first.headers.get('x-seed')!
    assert.ok(Number(seed) >= 0 && Number(seed) < 2 ** 31)
    assert.ok((await tone({ text: THREE, seed })).body.equals(first.body))
    const other = await tone({ text: THREE })
    assert.notEqual(other.headers.get('x-seed'), seed)
    assert.ok(!other.body.equals(first.body))
  })

  await t.test('long text is split at sentences and joined with a crossfade', async () => {
    for (const [max_chunk_chars, crossfade_ms, expectedMs] of [
      [0, 50, 32 * 40], // one chunk: no crossfade, the spaces between the sentences take time
      [800, 50, 32 * 40],
      [10, 0, 30 * 40],
      [10, 50, 30 * 40 - 2 * 50],
      [10, 200, 30 * 40 - 2 * 200],
      [21, 100, 31 * 40 - 100],
    ] as const) {
      const { length } = samplesOf(await tone({ text: THREE, max_chunk_chars, crossfade_ms }))
      assert.equal(length, expectedMs * MS, `${max_chunk_chars} characters, ${crossfade_ms} ms`)
    }
  })

  await t.test('a pause marker is silence of that length, independent of the chunks', async () => {
    for (const [text, expectedMs] of [
      ['Aaaa[pause]bbbb', 320 + 500],
      ['Aaaa [pause 250ms] bbbb', 320 + 250],
      ['Aaaa [PAUSE 1.5s] bbbb [pause 100ms] [pause 100 ms]', 320 + 1500 + 200],
      ['[pause 1s] Aaaa', 1000 + 160],
    ] as const) {
      const { length } = samplesOf(await tone({ text, crossfade_ms: 100, max_chunk_chars: 1 }))
      assert.equal(length, expectedMs * MS, text)
    }
    const samples = samplesOf(await tone({ text: 'Aaaa[pause]bbbb' }))
    const pause = samples.subarray(200 * MS, 620 * MS) // filters and the mark ring slightly at the ends
    assert.ok(pause.every((sample) => Math.abs(sample) < 1e-3))
    assert.equal((await failed({ text: '[pause 2s]' })).status, 400)
  })

  await t.test('[[word|say]] replaces a word, and text is normalised to composed characters', async () => {
    assert.equal(samplesOf(await tone({ text: 'A [[bb|cccccc]] [[dd]]' })).length, 11 * 40 * MS)
    assert.equal(samplesOf(await tone({ text: 'e\u0301te\u0301' })).length, 3 * 40 * MS)
  })

  await t.test('a chunk without audio is dropped and reported, in headers and as a line', async () => {
    const fields = { text: 'Hello there. \u6f22\u5b57\u6f22\u5b57\u3002 And more.', max_chunk_chars: 5 }
    const reply = await take(fields)
    assert.equal(reply.headers.get('x-svc-dropped-chunks'), '1')
    assert.match(reply.headers.get('x-svc-dropped-text')!, /^[\x20-\x7e]+$/)
    const lines = linesOf(await take({ ...fields, stream: true }))
    const warning = lines.find(({ type }) => type === 'warning')!
    assert.deepEqual([warning['code'], warning['count']], ['dropped_chunks', 1])
    assert.match((warning['text'] as string[])[0]!, /\u6f22\u5b57/)
    assert.equal(lines.at(-1)!['dropped_chunks'], 1)
  })

  await t.test('every effect changes the audio and keeps its length; raw keeps the level', async () => {
    const takes = new Map<string, string>()
    for (const effect_preset of ['raw', 'broadcast', 'cinematic', 'podcast', 'warm', 'bright']) {
      const reply = await tone({ text: THREE, seed: 1, effect_preset })
      assert.equal(samplesOf(reply).length, 32 * 40 * MS)
      takes.set(reply.body.toString('base64'), effect_preset)
      if (effect_preset === 'raw') assert.ok(peakDb(samplesOf(reply)) < -8, `raw peaks at ${peakDb(samplesOf(reply))} dBFS`)
    }
    assert.equal(takes.size, 6)
    assert.equal((await tone({ text: 'Aaaa', effect_preset: 'no-such-effect' })).status, 200)
  })

  await t.test('a stream reports every chunk, then the take', async () => {
    const reply = await tone({ text: THREE, stream: true, max_chunk_chars: 10, crossfade_ms: 50, seed: 3 })
    assert.equal(reply.headers.get('content-type'), 'application/x-ndjson')
    assert.equal(reply.headers.get('cache-control'), 'no-cache')
    assert.equal(reply.headers.get('x-seed'), '3')
    assert.match(reply.headers.get('x-svc-routing-reason')!, /test tone/)
    const [start, ...rest] = linesOf(reply)
    const done = rest.pop()!
    const fields = { sample_rate: RATE, channels: 1, format: 'pcm16', total_chunks: 3, crossfade_ms: 50, seed: 3, voice: 'tone' }
    assert.deepEqual(start, { type: 'start', ...fields })
    assert.deepEqual(
      rest.map(({ type, seq }) => [type, seq]),
      [0, 1, 2].map((seq) => ['chunk', seq]),
    )
    for (const { pcm } of rest) assert.equal(fromPcm(Buffer.from(pcm as string, 'base64')).length, 400 * MS)
    const { id, audio_path, gen_time, ...known } = done
    assert.deepEqual(known, { type: 'done', duration: 1.1, seed: 3, sample_rate: RATE, dropped_chunks: 0 })
    assert.match(id as string, /^[0-9a-f]{8}$/)
    assert.ok((gen_time as number) > 0)
    const kept = await world.get(`/audio/${audio_path}`)
    assert.ok(kept.body.equals((await tone({ text: THREE, max_chunk_chars: 10, crossfade_ms: 50, seed: 3 })).body))
  })

  await t.test('one chunk, and a text with pauses, stream as exactly one chunk without a crossfade', async () => {
    for (const [text, ms] of [
      ['Aaaa bbbb.', 400],
      ['Aaaa [pause 200ms] bbbb', 520],
    ] as const) {
      const [start, chunk, done, ...more] = linesOf(await tone({ text, stream: 'yes', max_chunk_chars: 800 }))
      assert.deepEqual([start!['total_chunks'], start!['crossfade_ms']], [1, 0])
      assert.equal(fromPcm(Buffer.from(chunk!['pcm'] as string, 'base64')).length, ms * MS)
      assert.deepEqual([done!.type, more], ['done', []])
    }
  })

  await t.test('a failure before the first audio is an ordinary error, streamed or not', async () => {
    for (const stream of [false, true]) {
      const klingon = await failed({ text: 'Hallo', language: 'tlh', stream })
      assert.equal(klingon.status, 409)
      const { message, ...missing } = klingon.detail
      assert.deepEqual(missing, {
        error: 'model_not_downloaded',
        engine: 'svc-engine',
        repo_ids: [],
        size_bytes: null,
        target: 'local',
        target_label: 'Local',
        downloadable: false,
      })
      assert.match(message, /English only/)
      for (const reference of [{ ref_audio: Buffer.from('RIFF') }, { ref_text: 'as I said' }] as Parameters<typeof form>[0][]) {
        const clone = await failed({ text: 'Hello', stream, ...reference })
        assert.deepEqual([clone.status, clone.detail.error], [409, 'model_not_downloaded'])
      }
      assert.match((await failed({ text: 'Hello', engine: 'zzz', stream })).detail, /^Unknown model 'zzz'/)
      assert.equal((await failed({ text: 'Hello', engine: 'cosyvoice', stream })).status, 400)
      assert.equal((await failed({ text: '...', stream })).status, 400)
      assert.deepEqual(await failed({ text: 'Hello', hosted: true, stream }).then(({ status, detail }) => [status, typeof detail]), [
        422,
        'string',
      ])
      assert.equal((await failed({ text: 'Hello', hosted: true, profile_id: 'x', stream })).status, 409)
    }
    assert.equal((await take({ text: 'Hello', language: 'auto', profile_id: 'unknown' })).status, 200)
  })

  await t.test('a failure after the first audio ends the stream with an error line, and no take is stored', async (t) => {
    slowHosts(t, world.studio)
    const before = (await world.get('/history')).json().length
    const text = 'Many words follow one another here and there. '.repeat(100)
    const response = await fetch(`${world.url}/generate`, { method: 'POST', body: form({ text, stream: true, max_chunk_chars: 100 }) })
    const { task_id } = await newestTask()
    assert.equal((await world.post(`/workers/tasks/${task_id}/cancel`)).status, 200)
    const lines = (await response.text())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Line)
    assert.deepEqual(lines.at(-1), { type: 'error', code: 'generation_failed', detail: 'The task was cancelled.', retryable: true })
    assert.ok(!lines.some(({ type }) => type === 'done'))
    assert.equal((await world.get('/history')).json().length, before)
  })

  await t.test('a client that disconnects cancels its take, streamed or not', async (t) => {
    slowHosts(t, world.studio)
    const before = (await world.get('/history')).json().length
    for (const stream of [false, true]) {
      const client = new AbortController()
      const waiting = send({ text: 'Many words follow one another here and there. '.repeat(400), stream }, client.signal)
      waiting.catch(() => {})
      const { task_id } = await eventually(async () => {
        const task = await newestTask()
        return task.state === 'running' && task
      })
      client.abort()
      await assert.rejects(waiting)
      const ended = await eventually(async () => {
        const task = await newestTask()
        return task.state !== 'running' && task
      })
      assert.deepEqual([ended.task_id, ended.state], [task_id, 'cancelled'])
    }
    assert.equal((await world.get('/history')).json().length, before)
  })

  await t.test('a take has its whole text and its sentences with their times', async () => {
    const text = `${THREE} ${'Gggg hhhh. '.repeat(30)}[pause 1s] Iiii jjjj.`
    const reply = await tone({ text, max_chunk_chars: 1 })
    const id = reply.headers.get('x-audio-id')!
    const parts = (await world.get(`/history/${id}/parts`)).json()
    assert.deepEqual([parts.text, parts.whole, parts.repeatable, parts.parts.length], [text, true, true, 34])
    assert.deepEqual(
      parts.parts.slice(0, 2).map((one: { from: number; to: number }) => text.slice(one.from, one.to)),
      ['Aaaa bbbb.', 'Cccc dddd.'],
    )
    assert.deepEqual(parts.parts[1], { from: 11, to: 21, start: 0.4, end: 0.8, exact: true, part: 1, sounds: 1, chosen: 0 })
    const last = parts.parts.at(-1)
    assert.deepEqual([text.slice(last.from, last.to), last.start, last.end], ['Iiii jjjj.', 14.2, 14.6])
    // Longer parts have times by their length.
    const whole = (await tone({ text: THREE })).headers.get('x-audio-id')!
    const rows = (await world.get(`/history/${whole}/parts`)).json().parts
    assert.deepEqual(
      rows.map((one: { exact: boolean; part: number }) => [one.exact, one.part]),
      [
        [false, 0],
        [false, 0],
        [false, 0],
      ],
    )
    assert.equal((await world.get('/history/00000000/parts')).status, 404)
    await world.delete(`/history/${id}`)
    assert.equal((await world.get(`/history/${id}/parts`)).status, 404)
    await world.delete('/history')
  })

  await t.test('a sentence is spoken again as one task, its sounds can be chosen, and the others stay as they were', async () => {
    const fields = { text: 'One two three. Four five six. Seven.', max_chunk_chars: 1, seed: 5 }
    const first = await take(fields)
    const id = first.headers.get('x-audio-id')!
    const path = `/history/${id}/parts`
    const takes = (await world.get('/history')).json().length
    const before = (await world.get(path)).json()
    const again = await world.post(`${path}/1/again`, {})
    assert.equal(again.status, 202, again.body.toString())
    await world.restart('SIGKILL')
    const job = await eventually(async () => {
      const view = (await world.get(`/jobs/${again.json().id}`)).json()
      return ['done', 'failed', 'cancelled'].includes(view.status) && view
    })
    assert.equal(job.status, 'done', JSON.stringify(job))
    const after = (await world.get(path)).json()
    assert.deepEqual(
      after.parts.map((one: { sounds: number; chosen: number }) => [one.sounds, one.chosen]),
      [
        [1, 0],
        [2, 1],
        [1, 0],
      ],
    )
    assert.notEqual(after.audio_path, before.audio_path)
    assert.equal((await world.get('/history')).json().length, takes, 'it is the same take')
    const sound = parseWav((await world.get(`/audio/${after.audio_path}`)).body)
    assert.ok(Math.abs(sound.samples.length / sound.sampleRate - after.duration) < 0.01)
    assert.equal((await world.get(`/audio/${before.audio_path}`)).status, 404, 'the file before it is gone')

    const back = await world.put(`${path}/1`, { chosen: 0 })
    assert.equal(back.status, 200, back.body.toString())
    assert.equal(back.json().duration, before.duration)
    const restored = parseWav((await world.get(`/audio/${back.json().audio_path}`)).body)
    assert.equal(restored.samples.length, samplesOf(first).length)
    for (const [send, status] of [
      [world.put(`${path}/1`, { chosen: 7 }), 404],
      [world.put(`${path}/9`, { chosen: 0 }), 404],
      [world.put(`${path}/x`, { chosen: 0 }), 422],
      [world.post(`${path}/9/again`, {}), 404],
      [world.post('/history/00000000/parts/0/again', {}), 404],
    ] as const)
      assert.equal((await send).status, status)
    await world.delete('/history')
  })

  await t.test('only what differs from an earlier take is spoken', async () => {
    const first = await take({ text: 'One two three. Four five six. Seven.', max_chunk_chars: 1 })
    const id = first.headers.get('x-audio-id')!
    const changed = { text: 'One two three. Eight nine. Seven. [pause 250ms]', max_chunk_chars: 1, keep_from: id }
    const second = await take(changed)
    const rows = (await world.get(`/history/${second.headers.get('x-audio-id')}/parts`)).json().parts
    assert.equal(rows.length, 3)
    assert.equal((await world.get(`/history/${id}/parts`)).json().parts.length, 3, 'the earlier take stays')
    assert.equal((await failed({ ...changed, keep_from: '00000000' })).status, 404)
    // Other settings keep nothing, and nothing is refused.
    assert.equal((await take({ ...changed, speed: 2 })).status, 200)
    await world.delete(`/history/${id}`)
    const third = await take({ ...changed, text: 'One two three. Eight nine. Ten.', keep_from: second.headers.get('x-audio-id')! })
    assert.ok(samplesOf(third).length > 0, 'the sound is kept without the take that it was made for')
    await world.delete('/history')
  })

  await t.test('the history keeps the first 200 characters and never splits one', async () => {
    await tone({ text: `${'a'.repeat(199)}\u{1f600} and so on` })
    const [row] = (await world.get('/history')).json()
    assert.equal(row.text, 'a'.repeat(199))
  })
})
