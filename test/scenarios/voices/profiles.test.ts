// Voice profiles through HTTP and the socket of events: shapes, refusals, lock, statement, and what a deletion removes.
import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseWav, wavHeader } from '#shared/audio/wav.ts'
import { bundleForm, personaEntries } from '#test/support/archive/bundle.ts'
import { rawZip } from '#test/support/archive/raw-zip.ts'
import { spokenWav } from '#test/support/audio/spoken.ts'
import { form, listenEvents } from '#test/support/world/http.ts'
import { eventually, type Reply, sharedWorld } from '#test/support/world/world.ts'

const opened = sharedWorld({ env: { PATH: '/nowhere' } })
const upload = (fields: Parameters<typeof form>[0] = {}) => form({ name: 'Ada', ref_audio: spokenWav(), ref_text: 'Hello.', ...fields })
const detail = ({ status, json }: Reply) => [status, json().detail]

test('a cloned voice is created, listed, read, changed and deleted', async (t) => {
  const world = await opened()
  const events = await listenEvents(t, world.url, 'profiles')
  const created = await world.post('/profiles', upload({ language: 'English', seed: '7', personality: 'calm' }))
  assert.equal(created.status, 200, created.body.toString())
  const row = created.json()
  const { id } = row
  assert.match(id, /^[0-9a-f]{8}$/)
  assert.deepEqual([row.kind, row.name, row.seed, row.language, row.personality], ['clone', 'Ada', 7, 'English', 'calm'])
  assert.deepEqual([row.ref_audio_path, row.locked_audio_path, row.vd_states], [`${id}.wav`, '', null])
  for (const flag of ['is_locked', 'is_demo', 'verified_own_voice', 'stays_here']) assert.equal(row[flag], 0, flag)
  assert.deepEqual([row.consent_text, row.consent_audio_path, row.consent_recorded_at, row.hosted_voice_id], ['', '', null, ''])
  assert.deepEqual([row.origin, row.quality.seconds, row.quality.warnings], ['own', 4, []])

  const second = (await world.post('/profiles', upload({ name: 'Second' }))).json().id
  const list = (await world.get('/profiles')).json()
  assert.deepEqual(
    list.slice(0, 2).map((one: { id: string }) => one.id),
    [second, id],
    'newest first',
  )
  assert.deepEqual((await world.get(`/profiles/${id}`)).json(), row)
  const audio = await world.get(`/profiles/${id}/audio`)
  assert.deepEqual([audio.status, audio.headers.get('content-type'), parseWav(audio.body).sampleRate], [200, 'audio/wav', 24_000])
  const part = await world.send('GET', `/profiles/${id}/audio`, undefined, { range: 'bytes=4-9' })
  assert.deepEqual([part.status, part.headers.get('content-range')], [206, `bytes 4-9/${audio.body.length}`])
  assert.ok(part.body.equals(audio.body.subarray(4, 10)))
  assert.equal((await world.send('GET', `/profiles/${id}/audio`, undefined, { range: 'bytes=99999999-' })).status, 416)
  const clip = await world.get(`/voice_audio/${row.ref_audio_path}`)
  assert.deepEqual([clip.status, clip.headers.get('content-type'), clip.body.equals(audio.body)], [200, 'audio/wav', true])
  for (const other of [`${id}_locked.wav`, `${id}_consent.wav`, `${id}.mp3`, id, '..%2fstudio.db', 'none.wav'])
    assert.deepEqual(detail(await world.get(`/voice_audio/${other}`)), [404, 'This audio file does not exist.'], other)

  const changed = await world.put(`/profiles/${id}`, { name: ' Eve ', ref_text: null, stays_here: 1 })
  assert.deepEqual([changed.json().name, changed.json().ref_text, changed.json().stays_here], ['Eve', 'Hello.', 1])
  assert.equal((await world.put(`/profiles/${id}`, {})).status, 400)
  assert.equal((await world.put(`/profiles/${id}`, { name: '  ' })).status, 400)
  assert.deepEqual(detail(await world.put('/profiles/00000000', { name: 'x' })), [404, 'Profile not found'])
  for (let again = 0; again < 2; again++) assert.deepEqual((await world.delete(`/profiles/${id}`)).json(), { deleted: id })
  assert.deepEqual(detail(await world.get(`/profiles/${id}`)), [404, 'Profile not found'])
  const missing = await world.get(`/profiles/${id}/audio`)
  assert.deepEqual([missing.status, missing.body.toString()], [404, 'Profile not found'])
  assert.match(missing.headers.get('content-type')!, /^text\/plain/)
  const seen = await eventually(() => {
    const own = events.filter((event) => [id, second].includes(event.id))
    return own.length >= 4 && own
  })
  assert.deepEqual(
    seen.map(({ action, id }) => [action, id]),
    [
      ['created', id],
      ['created', second],
      ['updated', id],
      ['deleted', id],
    ],
  )
})

test('contradictory forms and unusable recordings are refused and create nothing', async () => {
  const world = await opened()
  const before = (await world.get('/profiles')).json().length
  const design = { name: 'x', kind: 'design' }
  const header = Buffer.from(wavHeader({ sampleRate: 24_000, channels: 1, samples: 36_000 * 24_000 }))
  const nan = Buffer.from(spokenWav())
  nan.writeUInt16LE(3, 20)
  nan.writeUInt16LE(32, 34)
  nan.fill(0xff, 44)
  const clip = (ref_audio: Buffer<ArrayBuffer>) => upload({ ref_audio })
  for (const [status, body, expected] of [
    [400, upload({ name: '  ' }), /must not be blank/],
    [422, upload({ kind: 'robot' }), /'clone' or 'design'/],
    [422, form({ name: 'x' }), /needs ref_audio/],
    [422, form(design), /needs vd_states/],
    [422, form({ ...design, vd_states: '[1]' }), /must be a JSON object/],
    [422, form({ ...design, vd_states: '{' }), /not valid JSON/],
    [422, clip(spokenWav({ seconds: 0.1 })), /shorter than 0.5 seconds/],
    [422, clip(spokenWav({ channels: 8 })), /8 channels/],
    [422, clip(Buffer.from('no recording at all, but long enough')), /cannot be read/],
    [422, clip(Buffer.from(spokenWav().subarray(0, 40))), /cannot be read/],
    [422, clip(header), /cannot be read/],
  ] as const) {
    const reply = await world.post('/profiles', body)
    assert.equal(reply.status, status, reply.body.toString())
    assert.match(reply.json().detail, expected)
  }
  assert.equal((await world.post('/profiles', upload({ name: 'x'.repeat(1_001) }))).status, 422)
  assert.equal((await world.post('/profiles', upload({ seed: 'three' }))).status, 422)
  assert.equal((await world.get('/profiles')).json().length, before)
  // Samples that are no numbers become silence or a refusal, and never a fault.
  const odd = await world.post('/profiles', clip(nan))
  assert.ok([200, 422].includes(odd.status), odd.body.toString())
})

test('names in every script are stored as they are', async () => {
  const world = await opened()
  for (const name of ['Ольга', '王小明', 'مريم', 'शकुन्तला', '👩‍🚀 Zoë', 'a\u0301', '<b>&"\'']) {
    const { id } = (await world.post('/profiles', upload({ name }))).json()
    assert.equal((await world.get(`/profiles/${id}`)).json().name, name)
    await world.delete(`/profiles/${id}`)
  }
})

test('a design without an engine is stored without a sample, and its sound says what to install', async () => {
  const world = await opened()
  const vd_states = JSON.stringify({ Gender: 'Female', Age: 'young adult', Pitch: 'sky high' })
  const reply = await world.post('/profiles', form({ name: 'Mia', kind: 'design', vd_states, instruct: 'like a robot from Mars' }))
  assert.equal(reply.status, 200, reply.body.toString())
  const { id, ref_audio_path, instruct, kind, audio_url, ...row } = reply.json()
  assert.deepEqual([kind, ref_audio_path, audio_url, instruct], ['design', null, null, 'female, young adult'])
  const auto = { Pitch: 'Auto', Style: 'Auto', EnglishAccent: 'Auto', ChineseDialect: 'Auto' }
  assert.deepEqual(JSON.parse(row.vd_states), { Gender: 'female', Age: 'young adult', ...auto })
  const audio = await world.get(`/profiles/${id}/audio`)
  assert.equal(audio.status, 503)
  assert.match(audio.json().detail, /\.\/studio models install /)
  const changed = (await world.put(`/profiles/${id}`, { instruct: 'an old man, whispering' })).json()
  assert.equal(changed.instruct, 'male, elderly, whisper')
  assert.deepEqual(JSON.parse(changed.vd_states), { ...auto, Gender: 'male', Age: 'elderly', Style: 'whisper' })
  assert.equal((await world.put(`/profiles/${id}/audio`, form({ ref_audio: spokenWav() }))).status, 409)
  await world.delete(`/profiles/${id}`)
})

test('a locked voice has the exact words of its take; unlocking restores the transcript', async () => {
  const world = await opened()
  const { id } = (await world.post('/profiles', upload({ ref_text: 'The old words.', seed: '3' }))).json()
  const text = 'This is the first sentence. This is the second one.'
  const take = await world.post('/generate', form({ text, engine: 'tone', profile_id: id, seed: 5, max_chunk_chars: 30 }))
  assert.equal(take.status, 200, take.body.toString().slice(0, 300))
  const history_id = take.headers.get('x-audio-id')!
  const encoded = (fields: Record<string, string>) =>
    world.send('POST', `/profiles/${id}/lock`, new URLSearchParams(fields).toString(), {
      'content-type': 'application/x-www-form-urlencoded',
    })
  const locked = await encoded({ history_id, seed: '11' })
  assert.equal(locked.status, 200, locked.body.toString())
  assert.deepEqual(locked.json(), { locked: true, profile_id: id, locked_audio_path: `${id}_locked.wav` })
  const row = (await world.get(`/profiles/${id}`)).json()
  assert.deepEqual([row.is_locked, row.seed, row.ref_text], [1, 11, text])
  const heard = parseWav((await world.get(`/profiles/${id}/audio`)).body)
  assert.equal(parseWav((await world.get(`/voice_audio/${row.locked_audio_path}`)).body).samples.length, heard.samples.length)
  const file = parseWav((await world.get(`/audio/${take.headers.get('x-audio-path')}`)).body)
  const [lockedSeconds, takeSeconds] = [heard.samples.length / heard.sampleRate, file.samples.length / file.sampleRate]
  // The output of the engine has no overlap of 50 ms.
  assert.ok(lockedSeconds - takeSeconds > 0.02 && lockedSeconds - takeSeconds < 0.1, `${lockedSeconds} s of ${takeSeconds} s`)

  assert.deepEqual(detail(await encoded({ history_id: '00000000' })), [404, 'History item not found'])
  const multipart = await world.post(`/profiles/${id}/lock`, form({ history_id }))
  assert.equal(multipart.status, 200, multipart.body.toString())
  assert.equal((await world.get(`/profiles/${id}`)).json().seed, null)
  for (let again = 0; again < 2; again++)
    assert.deepEqual((await world.post(`/profiles/${id}/unlock`)).json(), { unlocked: true, profile_id: id })
  const unlocked = (await world.get(`/profiles/${id}`)).json()
  assert.deepEqual([unlocked.is_locked, unlocked.seed, unlocked.ref_text, unlocked.locked_audio_path], [0, null, 'The old words.', ''])
  assert.equal((await world.post('/profiles/00000000/unlock')).status, 404)
  assert.equal((await encoded({ history: 'x' })).status, 422)

  const usage = (await world.get(`/profiles/${id}/usage`)).json()
  assert.deepEqual([usage.synth_total, usage.synth_recent.length, usage.synth_recent[0].id], [1, 1, history_id])
  const state = { segments: [{ profile_id: id }, { profile_id: id }, { profile_id: 'other' }] }
  const project = (await world.post('/projects', { name: 'Book', state })).json()
  const used = (await world.get(`/profiles/${id}/usage`)).json()
  assert.deepEqual([used.project_total_segments, used.projects[0].project_id, used.projects[0].segment_count], [2, project.id, 2])
  await world.delete(`/profiles/${id}`)
  assert.equal((await world.get('/history')).json().find((one: { id: string }) => one.id === history_id).profile_id, '')
  assert.deepEqual((await world.get('/profiles/00000000/usage')).json(), {
    ...{ synth_recent: [], synth_total: 0 },
    ...{ projects: [], project_total_segments: 0 },
  })
})

test('a statement belongs to one recording: it is stored, replaced, revoked, and ends with the recording', async () => {
  const world = await opened()
  const { id } = (await world.post('/profiles', upload())).json()
  const say = (fields: Parameters<typeof form>[0]) => world.post(`/profiles/${id}/consent`, form(fields))
  const consent_audio = spokenWav({ seconds: 2 })
  assert.equal((await say({ consent_text: ' ', consent_audio })).status, 422)
  const short = await say({ consent_text: 'I agree.', consent_audio: Buffer.alloc(999) })
  assert.deepEqual(detail(short), [422, 'consent_audio must have at least 1000 bytes.'])
  for (const consent_text of ['I agree.', 'I agree, again.']) {
    const said = await say({ consent_text, consent_audio })
    assert.equal(said.status, 200, said.body.toString())
    assert.deepEqual({ ...said.json(), consent_recorded_at: 0 }, { id, verified_own_voice: true, consent_recorded_at: 0 })
  }
  const row = (await world.get(`/profiles/${id}`)).json()
  assert.deepEqual([row.verified_own_voice, row.consent_text, row.consent_audio_path], [1, 'I agree, again.', `${id}_consent.wav`])
  const checked = await eventually(async () => {
    const { statement } = (await world.get(`/profiles/${id}`)).json()
    return statement.checks.speech_seconds !== undefined && statement
  })
  assert.equal(checked.method, 'recorded')
  assert.ok(checked.checks.speech_seconds > 0.5, JSON.stringify(checked))
  for (let again = 0; again < 2; again++)
    assert.deepEqual((await world.delete(`/profiles/${id}/consent`)).json(), { id, verified_own_voice: false })
  assert.equal((await world.get(`/profiles/${id}`)).json().statement, null)
  assert.equal((await world.delete('/profiles/00000000/consent')).status, 404)

  await say({ consent_text: 'I agree.', consent_audio })
  const replaced = await world.put(`/profiles/${id}/audio`, form({ ref_audio: spokenWav({ hz: 330 }), ref_text: 'New words.' }))
  assert.equal(replaced.status, 200, replaced.body.toString())
  const now = replaced.json()
  assert.deepEqual([now.verified_own_voice, now.statement, now.is_locked, now.ref_text], [0, null, 0, 'New words.'])
  assert.notEqual(now.audio_url, row.audio_url)
  const wrong = new FormData()
  wrong.set('ref_audio', new Blob([spokenWav()]), 'voice.exe')
  assert.equal((await world.put(`/profiles/${id}/audio`, wrong)).status, 415)
  assert.equal((await world.put(`/profiles/${id}/audio`, form({ ref_audio: spokenWav({ seconds: 0.2 }) }))).status, 422)
  await world.delete(`/profiles/${id}`)
})

test('thirteen personalities are listed, and every one is a description that engines follow', async () => {
  const world = await opened()
  const rows = (await world.get('/personalities')).json()
  assert.equal(rows.length, 13)
  assert.deepEqual(Object.keys(rows[0]).sort(), ['description', 'icon', 'id', 'instruct', 'name'])
})

test('a portrait without ffmpeg is refused with the way out, and what is no picture before that', async () => {
  const world = await opened()
  const { id } = (await world.post('/profiles', upload())).json()
  const png = Buffer.alloc(64)
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]).copy(png)
  png.write('IHDR', 12)
  png.writeUInt32BE(64, 16)
  png.writeUInt32BE(64, 20)
  const put = (image: Buffer<ArrayBuffer>) => world.put(`/profiles/${id}/image`, form({ image }))
  assert.equal((await put(Buffer.from('GIF89a, or not'))).status, 415)
  const refused = await put(png)
  assert.equal(refused.status, 501)
  assert.match(refused.json().detail, /ffmpeg/)
  png.writeUInt32BE(5_000, 16)
  png.writeUInt32BE(5_000, 20)
  assert.equal((await put(png)).status, 413)
  assert.equal((await world.get(`/profiles/${id}/image`)).status, 404)
  await world.delete(`/profiles/${id}`)
})

test('a killed studio has neither a row without bytes nor a lost row', async () => {
  const world = await opened()
  const { id } = (await world.post('/profiles', upload({ name: 'Kept' }))).json()
  await world.restart('SIGKILL')
  const { status, body } = await world.get(`/profiles/${id}/audio`)
  assert.deepEqual([status, parseWav(body).sampleRate], [200, 24_000])
  for (const row of (await world.get('/profiles')).json())
    if (row.ref_audio_path !== null) assert.equal((await world.get(`/profiles/${row.id}/audio`)).status, 200, row.name)
  assert.ok(existsSync(join(world.dataDir, 'artifacts')))
  assert.deepEqual(readdirSync(join(world.dataDir, 'voice-work')), [])
})

test('voices are counted in the figures, and the hint of a reached limit does not speak of a full disk', async () => {
  const world = await opened()
  const before = (await world.get('/stats/usage')).json().voices
  assert.equal(before, (await world.get('/profiles')).json().length)
  const { id } = (await world.post('/profiles', upload({ name: 'Counted' }))).json()
  assert.equal((await world.get('/stats/usage')).json().voices, before + 1)
  const limit = '/api/settings/values/voices.most_gigabytes'
  assert.equal((await world.put(limit, { value: 0 })).status, 200)
  const refused = await world.post('/profiles', upload({ ref_audio: spokenWav({ seconds: 5 }) }))
  assert.equal((await world.put(limit, { value: 50 })).status, 200)
  assert.equal(refused.status, 507, refused.body.toString())
  assert.match(refused.json().detail, /of 0 GB/)
  assert.equal(refused.json().hint, 'Delete voices that are not needed, or raise the setting voices.most_gigabytes.')
  await world.delete(`/profiles/${id}`)
})

test('a voice with the longest texts, any seed and no language can be exported and imported', async () => {
  const world = await opened()
  const texts = {
    name: 'n'.repeat(1_000),
    instruct: 'i'.repeat(4_096),
    ref_text: 'r'.repeat(10_000),
    personality: 'p'.repeat(4_000),
    description: 'd'.repeat(4_000),
  }
  const { id } = (await world.post('/profiles', upload({ ...texts, seed: -5 }))).json()
  assert.equal((await world.put(`/profiles/${id}`, { language: '' })).json().language, 'Auto')
  for (const [area, name] of [
    ['personas', 'a.svcvoice'],
    ['marketplace', 'a.svcbundle'],
  ] as const) {
    const exported = await world.post(`/${area}/export/${id}`)
    const reply = await world.post(`/${area}/import`, bundleForm(new Uint8Array(exported.body), name))
    assert.equal(reply.status, 200, reply.body.toString())
    const { language, seed, ...copy } = (await world.get(`/profiles/${reply.json().profile_id}`)).json()
    assert.deepEqual([language, seed], ['Auto', -5])
    for (const [field, value] of Object.entries(texts)) assert.ok(copy[field] === value, `${area}: ${field}`)
  }
  // As another program, or this one before it refused it, may have written it.
  const reply = await world.post('/personas/import', bundleForm(new Uint8Array(rawZip(personaEntries({ persona: { language: '' } })))))
  assert.equal((await world.get(`/profiles/${reply.json().profile_id}`)).json().language, 'Auto')
})
