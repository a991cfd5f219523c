// Statements of the specification about voices that no other test holds, and the count of all of them; statements.ts is the list.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { bundleForm, document, memberReader, personaEntries, speechWav } from '#test/support/archive/bundle.ts'
import { rawZip } from '#test/support/archive/raw-zip.ts'
import { spokenWav } from '#test/support/audio/spoken.ts'
import { requireStatements, specifiedRoutes } from '#test/support/facts/statements.ts'
import { form, listenEvents } from '#test/support/world/http.ts'
import { eventually, type Reply, sharedWorld } from '#test/support/world/world.ts'
import { STATEMENTS } from './statements.ts'

const opened = sharedWorld({ env: { PATH: '/nowhere' } })
const read = memberReader({ after })
const ok = (reply: Reply): Reply => {
  assert.equal(reply.status, 200, reply.body.toString().slice(0, 300))
  return reply
}
const detail = ({ status, json }: Reply) => [status, json().detail]
const keysOf = (value: object) => Object.keys(value).toSorted()
const voice = (name = 'Ada') => form({ name, ref_text: 'Hello.', ref_audio: spokenWav({ seconds: 1 }) })
const idOf = async (data: FormData): Promise<string> => ok(await (await opened()).post('/profiles', data)).json().id
const design = (name = 'Mia') => form({ name, kind: 'design', vd_states: '{"Gender":"female"}' })

test('every route of voices has statements, and every statement has its test', () => {
  const specified = specifiedRoutes('4.9')
  assert.equal(specified.length, 49)
  requireStatements(STATEMENTS, [...specified, 'POST /design/describe'], import.meta.filename)
})

test('the personalities have the ids of the specification', async () => {
  const rows: { id: string }[] = (await (await opened()).get('/personalities')).json()
  assert.deepEqual(
    rows.map(({ id }) => id),
    'narrator casual news_anchor storyteller corporate energetic audiobook_uk_narrator us_news_anchor indian_support_agent gravelly_villain aussie_podcaster bedtime_storyteller mandarin_sichuan'.split(
      ' ',
    ),
  )
})

test('a row has integer flags, a text of choices and bare file names', async () => {
  const world = await opened()
  const ids = [await idOf(voice()), await idOf(design())]
  const rows: Record<string, unknown>[] = (await world.get('/profiles')).json()
  for (const id of ids) {
    const row = rows.find((one) => one['id'] === id)!
    for (const flag of ['is_locked', 'is_demo', 'verified_own_voice']) assert.ok(row[flag] === 0 || row[flag] === 1, flag)
    for (const name of [
      'ref_text',
      'instruct',
      'language',
      'personality',
      'description',
      'consent_text',
      'consent_audio_path',
      'hosted_voice_id',
    ])
      assert.equal(typeof row[name], 'string', name)
    assert.deepEqual([row['locked_audio_path'], row['seed'], row['consent_recorded_at'], row['image_url']], ['', null, null, null])
    assert.equal(typeof row['created_at'], 'number')
  }
  const [clone, drawn] = ids.map((id) => rows.find((one) => one['id'] === id)!)
  assert.deepEqual([clone!['ref_audio_path'], clone!['vd_states']], [`${ids[0]}.wav`, null])
  assert.deepEqual([drawn!['ref_audio_path'], drawn!['audio_url'], typeof drawn!['vd_states']], [null, null, 'string'])
  for (const id of ids) await world.delete(`/profiles/${id}`)
})

test('a clone keeps the extension of its upload', async () => {
  const data = new FormData()
  data.set('name', 'Take')
  data.set('ref_text', 'Hello.')
  data.set('ref_audio', new Blob([spokenWav({ seconds: 1 })]), 'my voice.FLAC')
  const id = await idOf(data)
  assert.equal((await (await opened()).get(`/profiles/${id}`)).json().ref_audio_path, `${id}.flac`)
})

test('usage has at most twenty takes, the newest first, with five fields each', async () => {
  const world = await opened()
  const id = await idOf(voice('Busy'))
  const takes: string[] = []
  for (let at = 0; at < 21; at++) {
    const take = await world.post('/generate', form({ text: 'Hi.', engine: 'tone', profile_id: id, effect_preset: 'raw' }))
    takes.push(ok(take).headers.get('x-audio-id')!)
  }
  await world.post('/projects', { name: 'Book', state: { segments: [{ profile_id: id }] } })
  const usage = (await world.get(`/profiles/${id}/usage`)).json()
  assert.deepEqual([usage.synth_total, usage.synth_recent.length, usage.project_total_segments], [21, 20, 1])
  assert.deepEqual(
    usage.synth_recent.map((one: { id: string }) => one.id),
    takes.toReversed().slice(0, 20),
  )
  assert.deepEqual(keysOf(usage.synth_recent[0]), ['audio_path', 'created_at', 'generation_time', 'id', 'text'])
  assert.deepEqual(keysOf(usage.projects[0]), ['project_id', 'project_name', 'segment_count', 'updated_at'])
})

test('a voice whose file is missing says so in plain text, and in its bundles', async () => {
  const world = await opened()
  // A recording of its own, which no other profile of this file has.
  const id = await idOf(form({ name: 'Lost', ref_text: 'Hello.', ref_audio: spokenWav({ seconds: 1, hz: 777 }) }))
  ok(await world.post(`/profiles/${id}/consent`, form({ consent_text: 'I agree.', consent_audio: spokenWav({ seconds: 1, hz: 99 }) })))
  const known = new Set((await filesIn()).map(([name]) => name))
  const { audio_url } = (await world.get(`/profiles/${id}`)).json()
  const [, digest] = audio_url.split('?v=')
  for (const name of known) if (name.startsWith(digest)) rmSync(join(world.dataDir, 'artifacts', name))
  const original = (await filesIn()).find(([, bytes]) => bytes.equals(spokenWav({ seconds: 1, hz: 777 })))
  if (original) rmSync(join(world.dataDir, 'artifacts', original[0]))
  const audio = await world.get(`/profiles/${id}/audio`)
  assert.deepEqual([audio.status, audio.body.toString()], [404, 'Audio file missing'])
  assert.match(audio.headers.get('content-type')!, /^text\/plain/)
  assert.equal((await world.post(`/marketplace/export/${id}`)).status, 400)
  assert.equal((await world.post(`/personas/export/${id}`)).status, 503)
  ok(await world.put('/api/settings/hosted-voices', { url: 'http://127.0.0.1:9', key: 'k' }))
  assert.equal((await world.post(`/profiles/${id}/hosted-sync`)).status, 422)
  ok(await world.put('/api/settings/hosted-voices', { url: '', key: '' }))
  await world.delete(`/profiles/${id}`)
})
async function filesIn(): Promise<[string, Buffer][]> {
  const { dataDir } = await opened()
  const folder = join(dataDir, 'artifacts')
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry): [string, Buffer][] =>
    entry.isFile() ? [[entry.name, readFileSync(join(folder, entry.name))]] : [],
  )
}

test('a recording over 128 MiB is refused with 413', async () => {
  const world = await opened()
  const id = await idOf(voice('Replaced'))
  const large = form({ ref_audio: Buffer.alloc(128 * 1024 ** 2 + 1), ref_text: 'x' })
  assert.equal((await world.put(`/profiles/${id}/audio`, large)).status, 413)
})

test('a lock of what does not exist is 404 with the reason', async () => {
  const world = await opened()
  const id = await idOf(voice('Locked'))
  const take = ok(await world.post('/generate', form({ text: 'A short take of some words.', engine: 'tone', profile_id: id })))
  const history_id = take.headers.get('x-audio-id')!
  const lock = (profile: string) => world.post(`/profiles/${profile}/lock`, form({ history_id }))
  assert.deepEqual(detail(await lock('00000000')), [404, 'Profile not found'])
  rmSync(join(world.dataDir, 'outputs', take.headers.get('x-audio-path')!))
  assert.deepEqual(detail(await lock(id)), [404, 'Audio file missing'])
})

test('a statement about an unknown voice is 404', async () => {
  const said = form({ consent_text: 'I agree.', consent_audio: spokenWav({ seconds: 1 }) })
  assert.deepEqual(detail(await (await opened()).post('/profiles/00000000/consent', said)), [404, 'Profile not found'])
})

test('each change of a voice is an event with its action', async (t) => {
  const world = await opened()
  const events = await listenEvents(t, world.url, 'profiles')
  const id = await idOf(voice('Heard'))
  const take = ok(await world.post('/generate', form({ text: 'A short take of some words.', engine: 'tone', profile_id: id })))
  ok(await world.post(`/profiles/${id}/lock`, form({ history_id: take.headers.get('x-audio-id')! })))
  ok(await world.post(`/profiles/${id}/unlock`))
  ok(await world.post(`/profiles/${id}/consent`, form({ consent_text: 'I agree.', consent_audio: spokenWav({ seconds: 1 }) })))
  ok(await world.delete(`/profiles/${id}/consent`))
  ok(await world.put(`/profiles/${id}`, { name: 'Renamed' }))
  ok(await world.delete(`/profiles/${id}`))
  const mine = await eventually(() => {
    const seen = events.filter((event) => event.id === id)
    return seen.at(-1)?.action === 'deleted' && seen
  })
  const steps = ['created', 'locked', 'unlocked', 'consent_recorded', 'consent_revoked', 'updated', 'deleted']
  // The checks of a statement are one more change.
  assert.deepEqual([...new Set(mine.map(({ action }) => action))].toSorted(), steps.toSorted())
  assert.deepEqual(
    mine.map(({ action }) => action).filter((action) => action !== 'updated'),
    steps.filter((step) => step !== 'updated'),
  )
})

test('an upload without labels has those of the specification', async () => {
  const world = await opened()
  const { id } = ok(await world.post('/gallery/upload', form({ name: 'Plain', audio: spokenWav({ seconds: 1 }) }))).json()
  const { character, category, description, tags, source_url, thumbnail, is_favorite } = (await world.get(`/gallery/voices/${id}`)).json()
  assert.deepEqual(
    [character, category, description, tags, source_url, thumbnail, is_favorite],
    ['', 'import', '', ['', 'import'], null, null, 0],
  )
})

test('a clip becomes a profile that says where it came from, and a new one after that was deleted', async () => {
  const world = await opened()
  const { id } = ok(await world.post('/gallery/upload', form({ name: 'Clip', audio: spokenWav({ seconds: 1 }) }))).json()
  const toProfile = async () => ok(await world.post(`/gallery/voices/${id}/to-profile`)).json()
  const first = await toProfile()
  assert.deepEqual(keysOf(first), ['name', 'profile_id', 'success'])
  assert.equal((await world.get(`/profiles/${first.profile_id}`)).json().personality, `gallery:${id}`)
  await world.delete(`/profiles/${first.profile_id}`)
  const second = await toProfile()
  assert.notEqual(second.profile_id, first.profile_id)
  assert.equal(ok(await world.get(`/profiles/${second.profile_id}/audio`)).headers.get('content-type'), 'audio/wav')
  const saved = ok(await world.post(`/gallery/voices/${id}/save-as-profile?profile_name=Mine`)).json()
  assert.deepEqual(keysOf(saved), ['name', 'profile_id'])
})

test('the seven use cases have the names and icons of the specification', async () => {
  assert.deepEqual((await (await opened()).get('/archetypes/categories')).json(), [
    { id: 'narration', name: 'Narration & Story', icon: 'BookOpen' },
    { id: 'conversational', name: 'Conversational', icon: 'MessagesSquare' },
    { id: 'characters', name: 'Characters & Animation', icon: 'Drama' },
    { id: 'social', name: 'Social Media', icon: 'Smartphone' },
    { id: 'entertainment', name: 'Entertainment & TV', icon: 'Tv' },
    { id: 'advertisement', name: 'Advertisement', icon: 'Megaphone' },
    { id: 'informative', name: 'Informative & Educational', icon: 'GraduationCap' },
  ])
})

test('an archetype has exactly the fields of the specification', async () => {
  const world = await opened()
  const { items } = (await world.get('/archetypes?limit=500')).json()
  for (const item of items) {
    assert.deepEqual(keysOf(item), 'attrs facets icon id instruct is_featured language name preview_url sample_script use_case'.split(' '))
    assert.deepEqual(keysOf(item.attrs), ['Age', 'ChineseDialect', 'EnglishAccent', 'Gender', 'Pitch', 'Style'])
    assert.deepEqual(keysOf(item.facets), ['accent', 'age', 'gender', 'lang', 'pitch', 'whisper'])
    assert.equal(item.facets.accent, item.attrs.EnglishAccent === 'Auto' ? null : item.attrs.EnglishAccent)
    assert.deepEqual([item.preview_url, typeof item.is_featured, typeof item.facets.whisper], [null, 'boolean', 'boolean'])
    assert.match(item.id, item.is_featured ? /^(feat_\d\d_|ml_)[a-z_]+$/ : /^a_[0-9a-f]{10}$/)
  }
  const totalOf = async (q: string) => (await world.get(`/archetypes?q=${encodeURIComponent(q)}`)).json().total
  assert.ok((await totalOf('Fireside Narrator')) >= 1)
  assert.ok((await totalOf('FEMALE, child')) > 0)
})

test('the search of community items is for names only', async () => {
  const world = await opened()
  const totalOf = async (q: string) => (await world.get(`/community/items?q=${encodeURIComponent(q)}`)).json().total
  const [item] = (await world.get('/community/items?limit=1')).json().items
  assert.ok((await totalOf(item.name.toUpperCase())) >= 1)
  assert.equal(await totalOf(item.instruct), 0)
})

test('a legacy bundle has its members and metadata; a design without a sample cannot come back', async () => {
  const world = await opened()
  const id = await idOf(voice('Packed'))
  const { headers, body } = ok(await world.post(`/marketplace/export/${id}`))
  assert.equal(headers.get('content-type'), 'application/zip')
  const members = await read(new Uint8Array(body))
  assert.deepEqual(keysOf(members), ['metadata.json', 'ref_audio.wav'])
  const metadata = JSON.parse(members['metadata.json']!.toString())
  for (const key of 'bundle_version profile_name ref_text instruct language personality seed kind vd_states is_locked svc_version created_at exported_at'.split(
    ' ',
  ))
    assert.ok(key in metadata, key)
  assert.deepEqual([metadata.bundle_version, metadata.profile_name, metadata.ref_text], [1, 'Packed', 'Hello.'])
  const back = async (bytes: Buffer) => world.post('/marketplace/import', bundleForm(new Uint8Array(bytes), 'packed.svcbundle'))
  const { profile_id, skipped_members, ...imported } = ok(await back(body)).json()
  assert.match(profile_id, /^[0-9a-f]{8}$/)
  assert.deepEqual(
    [skipped_members, imported],
    [[], { success: true, name: 'Packed', is_locked: false, source_bundle: 'packed.svcbundle' }],
  )
  const drawn = ok(await world.post(`/marketplace/export/${await idOf(design())}`))
  const refused = await back(drawn.body)
  assert.equal(refused.status, 400)
  assert.match(refused.json().detail, /contains no ref_audio/)
})

test('a designed voice states its synthesis in its bundle', async () => {
  const world = await opened()
  const persona = { kind: 'design', vd_states: { Gender: 'female' }, instruct: 'female' }
  const bytes = new Uint8Array(rawZip(personaEntries({ persona })))
  const { profile_id } = ok(await world.post('/personas/import', bundleForm(bytes))).json()
  const members = await read(new Uint8Array(ok(await world.post(`/personas/export/${profile_id}`)).body))
  assert.equal(JSON.parse(members['consent.json']!.toString()).method, 'designed-synthetic')
})

test('an import answers with exactly these fields', async () => {
  const entries = [
    ...personaEntries({ recordings: { 'ref_audio.wav': speechWav(2, 24_000, 1), 'consent_audio.wav': speechWav(2, 16_000, 3) } }),
    document('consent.json', { text: 'This is my own voice.', verified: true, method: 'self-recorded-statement' }),
  ]
  const reply = ok(await (await opened()).post('/personas/import', bundleForm(new Uint8Array(rawZip(entries))))).json()
  const extra = new Set(['license_replaced', 'skipped_members'])
  assert.deepEqual(
    keysOf(reply).filter((key) => !extra.has(key)),
    'kind license_spdx name preview_only profile_id schema_version_ahead source_bundle success verified_own_voice watermarked_preview'.split(
      ' ',
    ),
  )
  assert.deepEqual([reply.success, reply.verified_own_voice, reply.schema_version_ahead], [true, true, false])
})
