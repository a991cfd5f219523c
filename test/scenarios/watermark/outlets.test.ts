// The ways by which sound leaves the studio: each route with audio says what it sends, and what engines made carries the mark.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { CONTRACTS } from '#control-plane/registry/contracts.ts'
import { parseWav, wavHeader } from '#shared/audio/wav.ts'
import { findProgram } from '#shared/runtime/program.ts'
import { bundleForm, personaEntries, speechWav } from '#test/support/archive/bundle.ts'
import { rawZip } from '#test/support/archive/raw-zip.ts'
import { form } from '#test/support/world/http.ts'
import { eventually, sharedWorld } from '#test/support/world/world.ts'

/** marked: when it is sent. stored: it was marked when it was written. person: the recording of a person, which must not be called synthetic.
 * own: the file of the caller in another format. */
const OUTLETS: Readonly<Record<string, 'marked' | 'stored' | 'person' | 'own'>> = {
  'GET /archetypes/{archetype_id}/preview': 'stored',
  'GET /community/items/{item_id}/preview': 'stored',
  'GET /batch/download/{job_id}/{lang}': 'marked',
  'GET /demo_audio/demo_clone_output.wav': 'marked',
  'GET /dub/audio/{job_id}': 'own',
  'GET /dub/download-audio/{job_id}': 'marked',
  'GET /dub/download-audio/{job_id}/{filename}': 'marked',
  'GET /dub/download-mp3/{job_id}': 'marked',
  'GET /dub/download-mp3/{job_id}/{filename}': 'marked',
  'GET /dub/download/{job_id}': 'marked',
  'GET /dub/download/{job_id}/{filename}': 'marked',
  'GET /dub/export-segments/{job_id}': 'marked',
  'GET /dub/export-stems/{job_id}': 'marked',
  'GET /dub/exports/{job_id}/{task_id}': 'marked',
  'GET /dub/media/{job_id}': 'own',
  'GET /dub/preview/{job_id}/{segment_index}': 'marked',
  'GET /dub/preview-video/{job_id}': 'marked',
  'GET /gallery/voices/{voice_id}/preview': 'person',
  'GET /history/{history_id}/file': 'marked',
  'GET /jobs/{job_id}/audio': 'marked',
  'GET /longform/jobs/{job_id}/chapters/{chapter}': 'marked',
  'GET /profiles/{profile_id}/audio': 'marked',
  'GET /transcripts/{project_id}/sound': 'own',
  'GET /voice_audio/{filename}': 'marked',
  'POST /clean-audio': 'person',
  'POST /dub/preview-segment/{job_id}': 'marked',
  'POST /generate': 'marked',
  'POST /stories/encode': 'own',
  'POST /v1/audio/speech': 'marked',
}
const open = sharedWorld({ env: { PATH: '/nowhere' } })
const TEXT = 'The committee met in the old town hall, and everybody who had come was asked to say what they thought of the plan. '.repeat(2)

async function isMarked(wav: Uint8Array): Promise<boolean> {
  const data = new FormData()
  data.set('file', new Blob([new Uint8Array(wav)]), 'sound.wav')
  const reply = await (await open()).post('/watermark/detect', data)
  assert.equal(reply.status, 200, reply.body.toString())
  return reply.json().is_watermarked
}

test('every route that sends audio says whether the sound is marked', () => {
  const isSound = (type: string) => type.startsWith('audio/') || type.startsWith('video/')
  const sending = CONTRACTS.filter(({ media = [], path }) => media.some(isSound) || path.startsWith('/dub/export-'))
  assert.deepEqual(sending.map(({ method, path }) => `${method} ${path}`).sort(), Object.keys(OUTLETS).sort())
})

test('a take has the mark in its file, in its lines, and as the locked take of a voice', async () => {
  const world = await open()
  const { id } = (
    await world.post('/profiles', form({ name: 'Ada', ref_audio: Buffer.from(speechWav(5, 24_000, 3)), ref_text: 'Hi.' }))
  ).json()
  const heard = async () => isMarked((await world.get(`/profiles/${id}/audio`)).body)
  assert.equal(await heard(), false, 'the recording of a person')
  const asked = { text: TEXT, engine: 'tone', seed: 3, effect_preset: 'raw', max_chunk_chars: 120 }
  const take = await world.post('/generate', form(asked))
  assert.equal(await isMarked(take.body), true)
  assert.equal(await isMarked((await world.get(`/audio/${take.headers.get('x-audio-path')}`)).body), true)
  const takeId = take.headers.get('x-audio-id')
  assert.equal(await isMarked((await world.get(`/history/${takeId}/file?format=wav`)).body), true)
  // A sentence that is spoken again is joined from sounds that have no mark yet.
  const again = await world.post(`/history/${takeId}/parts/0/again`, {})
  assert.equal(again.status, 202, again.body.toString())
  await eventually(async () => (await world.get(`/jobs/${again.json().id}`)).json().status === 'done')
  const { audio_path } = (await world.get(`/history/${takeId}`)).json()
  assert.notEqual(audio_path, take.headers.get('x-audio-path'))
  assert.equal(await isMarked((await world.get(`/audio/${audio_path}`)).body), true)
  const lines = (await world.post('/generate', form({ ...asked, stream: true }))).body.toString().trim().split('\n')
  const [start, ...rest] = lines.map((line) => JSON.parse(line))
  const pieces = rest.filter(({ type }) => type === 'chunk')
  const pcm = Buffer.concat(pieces.map(({ pcm }) => Buffer.from(pcm, 'base64')))
  const header = wavHeader({ sampleRate: start.sample_rate, channels: 1, samples: pcm.length / 2 })
  assert.equal(await isMarked(Buffer.concat([header, pcm])), true)

  assert.equal((await world.post(`/profiles/${id}/lock`, { history_id: take.headers.get('x-audio-id') })).status, 200)
  assert.equal(await heard(), true, 'the locked take')
  const { ref_audio_path, locked_audio_path } = (await world.get(`/profiles/${id}`)).json()
  const clips = [ref_audio_path, locked_audio_path].map(async (name) => isMarked((await world.get(`/voice_audio/${name}`)).body))
  assert.deepEqual(await Promise.all(clips), [false, true], 'the recording of the person and the locked take, by their names')
})

test('a chapter of a book and the whole book are marked', async () => {
  const world = await open()
  const chapter = await world.post('/audiobook/preview', { text: `# One\n${TEXT}` })
  assert.equal(await isMarked((await world.get(`/audio/${chapter.json().output}`)).body), true)
  const events = (await world.post('/audiobook', { text: `# One\n${TEXT}`, format: 'mp3', bitrate: '64k' })).body.toString()
  const eventOf = (type: string) =>
    JSON.parse(
      events
        .split('\n')
        .findLast((line) => line.includes(`"${type}"`))!
        .slice('data:'.length),
    )
  const { output } = eventOf('done')
  assert.equal((await world.get(`/audio/${output}`)).status, 200)
  if (findProgram('ffmpeg', process.env['PATH']) === null) return
  const mp3 = (await world.get(`/audio/${output}`)).body
  const toWav = (input: Uint8Array) => execFileSync('ffmpeg', ['-v', 'error', '-i', '-', '-f', 'wav', '-'], { input })
  assert.equal(await isMarked(toWav(mp3)), true)
  const one = await world.get(`/longform/jobs/${eventOf('started').job_id}/chapters/0`)
  assert.ok(one.status === 200 || one.status === 404, one.body.toString())
  if (one.status === 200) assert.equal(await isMarked(toWav(one.body)), true)
})

test('a sample of an engine that came in a bundle is marked', async () => {
  const world = await open()
  const wav = speechWav(9, 24_000, 1)
  const made_with = { engine: 'svc-engine', model_digest: '', seed: 1, steps: null }
  const entries = personaEntries({ recordings: { 'ref_audio.wav': wav }, manifest: { origin: { made_with } } })
  const imported = await world.post('/personas/import', bundleForm(new Uint8Array(rawZip(entries))))
  assert.equal(imported.status, 200, imported.body.toString())
  const { body } = await world.get(`/profiles/${imported.json().profile_id}/audio`)
  assert.equal(await isMarked(body), true)
  assert.equal(parseWav(body).samples.length, parseWav(wav).samples.length)
})
