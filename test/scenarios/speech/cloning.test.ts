// POST /generate with a reference recording: it reaches the engine of a borrowed machine and is used there; unusable ones are refused.
// The test voice follows a reference measurably: it hums at the frequency and level of the reference.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { toS16 } from '#shared/audio/pcm.ts'
import { parseWav, wavHeader } from '#shared/audio/wav.ts'
import { findProgram } from '#shared/runtime/program.ts'
import { bandShare, peakDb } from '#test/support/audio/sound.ts'
import { mossFiles } from '#test/support/models/moss-model.ts'
import { placeModel } from '#test/support/models/place-model.ts'
import { form } from '#test/support/world/http.ts'
import { allEnded } from '#test/support/world/tasks.ts'
import { eventually, openWorld, temporaryFolder } from '#test/support/world/world.ts'

const skip = findProgram('pocketsphinx_continuous', process.env['PATH'])
  ? false
  : 'pocketsphinx is not on this machine; ./studio setup installs it'

type Sound = { hz?: number; peak?: number; seconds?: number; rate?: number; channels?: number }
function recording({ hz = 440, peak = 0.1, seconds = 3, rate = 44_100, channels = 1 }: Sound = {}): Buffer<ArrayBuffer> {
  const frames = Math.round(rate * seconds)
  const samples = Float32Array.from(
    { length: frames * channels },
    (_, at) => peak * Math.sin((2 * Math.PI * hz * Math.floor(at / channels)) / rate),
  )
  return Buffer.concat([wavHeader({ sampleRate: rate, channels, samples: frames }), toS16(samples)])
}

test('cloning', async (t) => {
  const dataDir = temporaryFolder(t)
  placeModel(join(dataDir, 'local-agent/models'), 'moss-tts-nano', '', mossFiles())
  const world = await openWorld(t, { remote: true, env: { STUDIO_DATA_DIR: dataDir } })
  const box = await world.machine('box')
  const send = (fields: Parameters<typeof form>[0]) =>
    world.post('/generate', form({ text: 'Hello there, all of you.', engine: 'tone', ...fields }))
  const newestTask = async () => (await world.get('/workers/tasks?limit=1')).json().tasks[0]

  await t.test('the reference and its transcript reach a borrowed machine, and the voice follows them', async () => {
    await world.approve(box)
    await world.post('/workers/target', { target: box.workerId })
    for (const [hz, peak, channels] of [
      [330, 0.1, 1],
      [1250, 0.4, 2],
    ] as const) {
      const ref_text = 'as I said'
      const reply = await send({ ref_audio: recording({ hz, peak, channels }), ref_text, effect_preset: 'raw', seed: 1 })
      assert.equal(reply.status, 200, reply.body.toString().slice(0, 300))
      const { attempts } = await newestTask()
      assert.equal(attempts[0].worker_id, box.workerId)
      const { samples, sampleRate } = parseWav(reply.body)
      assert.ok(bandShare(samples, sampleRate, hz - 30, hz + 30) > 0.95, `${bandShare(samples, sampleRate, hz - 30, hz + 30)} at ${hz} Hz`)
      assert.ok(Math.abs(peakDb(samples) - 20 * Math.log10(peak)) < 3, `${peakDb(samples)} dBFS for a reference of ${peak}`)
      const [, measured] = reply.headers.get('x-svc-notice')!.match(/reference has (\d+) Hz and 9 characters/)!
      assert.ok(Math.abs(Number(measured) - hz) < 5, measured)
      const [row] = (await world.get('/history')).json()
      assert.equal(row.mode, 'clone')
      assert.equal(row.id, reply.headers.get('x-audio-id'))
    }
    const plain = await send({ effect_preset: 'raw', ref_text: '' })
    assert.equal(plain.status, 200, plain.body.toString())
    assert.equal((await world.get('/history')).json()[0].mode, 'design')
  })

  await t.test('the streamed take has the same voice', async () => {
    const reply = await send({ ref_audio: recording({ hz: 660 }), ref_text: 'A tone.', stream: true, effect_preset: 'raw' })
    const lines = reply.body
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const pcm = Buffer.concat(lines.filter(({ type }) => type === 'chunk').map((line) => Buffer.from(line.pcm, 'base64')))
    const samples = Float32Array.from({ length: pcm.length / 2 }, (_, at) => pcm.readInt16LE(2 * at) / 2 ** 15)
    assert.ok(bandShare(samples, lines.find(({ type }) => type === 'start').sample_rate, 600, 720) > 0.95)
    assert.equal(lines.at(-1).type, 'done')
    const progress = lines.slice(
      0,
      lines.findIndex(({ type }) => type === 'start'),
    )
    assert.ok(progress.length > 0, 'a chosen remote machine reports progress before the first chunk')
    for (const { type, stage, percent, target, detail } of progress) {
      assert.deepEqual([type, target, typeof detail], ['progress', box.workerId, 'string'])
      assert.ok(['queued', 'loading', 'running', 'uploading'].includes(stage) && percent >= 0 && percent <= 100, `${stage} ${percent}`)
    }
  })

  await t.test('a reference without its transcript is transcribed on this machine first', { skip }, async () => {
    const said = await world.post('/v1/audio/speech', { input: 'She bought some bread and milk.', voice: 'rms', response_format: 'wav' })
    const reply = await send({ ref_audio: Buffer.from(said.body), effect_preset: 'raw' })
    assert.equal(reply.status, 200, reply.body.toString().slice(0, 300))
    const reason = reply.headers.get('x-svc-notice')!
    assert.match(reason, /The reference was transcribed by pocketsphinx\./)
    const charactersIn = (notice: string) => Number(notice.match(/and (\d+) characters of transcript/)![1])
    assert.ok(charactersIn(reason) > 15, reason)

    const { samples, sampleRate } = parseWav(said.body)
    const repeated = Buffer.concat(Array(8).fill(Buffer.concat([toS16(samples), Buffer.alloc(sampleRate)])))
    const long = Buffer.concat([wavHeader({ sampleRate, channels: 1, samples: repeated.length / 2 }), repeated])
    const cut = (await send({ ref_audio: long, effect_preset: 'raw' })).headers.get('x-svc-notice')!
    const [, seconds] = cut.match(/The first ([\d.]+) seconds of the reference were used/)!
    assert.ok(Number(seconds) > 3 && Number(seconds) <= 8.2, cut)
    assert.ok(charactersIn(cut) < 5 * charactersIn(reason), 'the transcript ends with the cut')
  })

  await t.test('a saved voice gets no transcript from a recogniser that guesses, and its profile says why', { skip }, async () => {
    const said = await world.post('/v1/audio/speech', { input: 'It rained all night.', voice: 'rms', response_format: 'wav' })
    const { id } = (await world.post('/profiles', form({ name: 'Ada', ref_audio: Buffer.from(said.body) }))).json()
    const { ref_text, quality } = await eventually(async () => {
      const row = (await world.get(`/profiles/${id}`)).json()
      return row.quality.transcript === 'done' && row
    })
    assert.equal(ref_text, '')
    assert.match(quality.warnings.join(' '), /PocketSphinx mistakes too many words\. Write it, or install another recogniser\./)
  })

  await t.test('an engine that does not read transcripts gets the whole recording, and no recogniser runs', async () => {
    await world.post('/workers/target', { target: 'local' })
    const reply = await send({ engine: 'moss-tts-nano', ref_audio: recording({ seconds: 12, peak: 0.5 }), effect_preset: 'raw' })
    assert.equal(reply.status, 200, reply.body.toString().slice(0, 300))
    assert.doesNotMatch(reply.headers.get('x-svc-notice') ?? '', /transcri|recogni|first/)
    await world.post('/workers/target', { target: box.workerId })
  })

  await t.test('without consent the recording is not sent', async () => {
    await world.delete(`/workers/${box.workerId}/consent`)
    await world.post('/workers/target', { target: 'auto' })
    const reply = await send({ ref_audio: recording(), ref_text: 'A tone.' })
    assert.equal(reply.status, 200, reply.body.toString().slice(0, 300))
    assert.equal((await newestTask()).attempts[0].worker_id, 'local')
    await world.post('/workers/target', { target: 'local' })
  })

  await t.test('an unusable recording is refused with a message before any task starts', async () => {
    const before = (await newestTask()).task_id
    const cases: [Buffer<ArrayBuffer>, RegExp][] = [
      [Buffer.alloc(0), /empty/],
      [Buffer.from('not audio, in spite of its name'), /damaged, or of a kind that is not supported/],
      [recording({ seconds: 3 }).subarray(0, 40_000) as Buffer<ArrayBuffer>, /shorter than 0.5 seconds/],
      [recording({ seconds: 61, rate: 8_000 }), /longer than 60 seconds/],
      [recording({ seconds: 0.2 }), /shorter than 0.5 seconds/],
      [recording({ channels: 8, seconds: 1 }), /8 channels; at most 2/],
      [recording({ rate: 384_000, seconds: 1 }), /384000 Hz/],
    ]
    for (const [ref_audio, words] of cases) {
      const reply = await send({ ref_audio })
      assert.equal(reply.status, 400, reply.body.toString().slice(0, 300))
      assert.match(reply.json().detail, words)
    }
    assert.equal((await newestTask()).task_id, before)
    assert.equal((await send({ ref_audio: recording(), ref_text: 'x'.repeat(10_001) })).status, 422)
  })

  await t.test('a recording that is cut off is used up to there, and the notice says how much is missing', async () => {
    const ref_audio = recording({ seconds: 3 }).subarray(0, 150_000) as Buffer<ArrayBuffer>
    const reply = await send({ ref_audio, ref_text: 'A tone.' })
    assert.equal(reply.status, 200, reply.body.toString().slice(0, 300))
    assert.match(reply.headers.get('x-svc-notice')!, /The file is cut off: 1\.3 s of sound at its end are missing\./)
  })

  await t.test('without an engine that supports cloning, the response says what to install', async () => {
    const missing = await send({ engine: 'svc-engine', ref_audio: recording() })
    assert.equal(missing.status, 409)
    const { error, message, repo_ids, downloadable } = missing.json().detail
    assert.deepEqual([error, downloadable, repo_ids.length], ['model_not_downloaded', true, 1])
    assert.match(message, /studio models install .*omnivoice/i)
    const never = await send({ engine: 'kittentts', ref_audio: recording() })
    assert.equal(never.status, 400)
    assert.match(never.json().detail, /kittentts/)
  })

  await allEnded(world)
  assert.deepEqual(readdirSync(join(dataDir, 'uploads')), [])
})
