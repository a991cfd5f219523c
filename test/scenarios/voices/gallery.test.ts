// The gallery and community sources over HTTP. A program plays yt-dlp, and nothing is fetched from a network: items of the community are those
// of the program, or come from a copy on disk.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { spokenWav } from '#test/support/audio/spoken.ts'
import { form } from '#test/support/world/http.ts'
import { programFolder } from '#test/support/world/programs.ts'
import { sharedWorld, temporaryFolder } from '#test/support/world/world.ts'

const folder = temporaryFolder({ after: (run) => process.once('exit', run) })
const wav = spokenWav({ seconds: 2 })
// It writes the clip when it is asked for one, and prints results otherwise.
const YTDLP = `while [ "$1" != -- ]; do [ "$1" = -o ] && out=$2; shift; done
if [ -n "$out" ]; then cp ${folder}/clip.wav "$(dirname "$out")/clip.wav"; else echo '{"id":"abc","title":"A film","duration":61}'; fi`
const PATH = programFolder(join(folder, 'bin'), { 'yt-dlp': YTDLP }, ['cp', 'dirname'])
const open = sharedWorld({ withoutAgent: true, env: { PATH } })
type World = Awaited<ReturnType<typeof open>>
let world: World
before(async () => {
  writeFileSync(join(folder, 'clip.wav'), wav)
  world = await open()
})

const upload = (fields: Record<string, string> = {}, audio: Buffer<ArrayBuffer> = wav) =>
  world.post('/gallery/upload', form({ name: 'A clip', ...fields, audio }))
const row = async (id: string) => (await world.get(`/gallery/voices/${id}`)).json()

test('an upload becomes a row and a preview, and search, category and limit find it', async () => {
  const reply = await upload({ name: 'Old Captain', character: 'Ahab', category: 'Films', description: '100% sea' })
  assert.equal(reply.status, 200, String(reply.body))
  const { id, name, audio_path, duration } = reply.json()
  assert.deepEqual([name, duration], ['Old Captain', 2])
  assert.match(id, /^[0-9a-f]{8}$/)
  assert.ok(audio_path.startsWith(world.dataDir) && existsSync(audio_path))
  const { created_at, ...rest } = await row(id)
  assert.ok(Math.abs(created_at - Date.now() / 1000) < 600)
  assert.deepEqual(rest, {
    id,
    name: 'Old Captain',
    character: 'Ahab',
    category: 'Films',
    source_type: 'upload',
    source_url: null,
    audio_path,
    duration: 2,
    description: '100% sea',
    thumbnail: null,
    tags: ['ahab', 'Films'],
    is_favorite: 0,
    stays_here: 0,
  })
  const preview = await world.get(`/gallery/voices/${id}/preview`)
  assert.deepEqual([preview.status, preview.headers.get('content-type'), preview.body.equals(wav)], [200, 'audio/wav', true])
  assert.equal((await world.send('HEAD', `/gallery/voices/${id}/preview`)).status, 200)
  const part = await world.send('GET', `/gallery/voices/${id}/preview`, undefined, { range: 'bytes=-100' })
  assert.deepEqual([part.status, part.body.equals(wav.subarray(-100))], [206, true])
  const other = (await upload({ name: 'Other' })).json().id
  const ids = async (query: string) => (await world.get(`/gallery/voices?${query}`)).json().map((one: { id: string }) => one.id)
  assert.deepEqual((await ids('limit=2')).slice(0, 2), [other, id])
  assert.deepEqual(await ids('limit=1'), [other])
  assert.deepEqual(await ids('search=ahab'), [id])
  assert.deepEqual(await ids(`search=${encodeURIComponent('0%')}`), [id])
  assert.deepEqual(await ids(`search=${encodeURIComponent('o_d')}`), [])
  assert.deepEqual(await ids('category=Films'), [id])
  assert.deepEqual(await ids('category=films'), [])
  assert.deepEqual((await world.get('/gallery/categories')).json(), [])
})

test('what is no recording of half a second to a minute is refused and leaves no row', async () => {
  const before = (await world.get('/gallery/voices?limit=200')).json().length
  for (const [bytes, message] of [
    [Buffer.from('This is no sound.'), /cannot be read/],
    [Buffer.from('<html><script>alert(1)</script>'), /cannot be read/],
    [spokenWav({ seconds: 0.2 }), /shorter than/],
    [spokenWav({ seconds: 61, rate: 8000 }), /longer than/],
  ] as const) {
    const reply = await upload({}, bytes as Buffer<ArrayBuffer>)
    assert.equal(reply.status, 400)
    assert.match(reply.json().detail, message)
  }
  for (const fields of [{ name: '' }, { name: ' ' }, { name: 'x'.repeat(201) }, { name: 'a\u0000b' }])
    assert.equal((await upload(fields)).status, 422)
  assert.equal((await world.post('/gallery/upload', form({ name: 'x' }))).status, 422)
  assert.equal((await world.get('/gallery/voices?limit=0')).status, 422)
  assert.equal((await world.get('/gallery/voices?limit=201')).status, 422)
  assert.equal((await world.get('/gallery/voices?limit=200')).json().length, before)
})

test('PATCH changes what it is sent, and DELETE removes the clip', async () => {
  const { id } = (await upload()).json()
  const path = `/gallery/voices/${id}`
  const patch = async (body: unknown) => (await world.patch(path, body)).json()
  assert.deepEqual(await patch({ is_favorite: true, tags: ['a', 'B'] }), { success: true, updated: ['tags', 'is_favorite'] })
  assert.deepEqual(await patch({ name: ' New ', description: 'x', other: 1 }), { success: true, updated: ['name', 'description'] })
  assert.deepEqual(await patch({ name: null, other: 1 }), { success: true, updated: [] })
  const { name, tags, is_favorite, description } = await row(id)
  assert.deepEqual({ name, tags, is_favorite, description }, { name: 'New', tags: ['a', 'B'], is_favorite: 1, description: 'x' })
  assert.equal((await world.get('/gallery/voices?search=new')).json()[0].id, id)
  for (const body of [{ name: ' ' }, { tags: 'a' }, { is_favorite: 2 }, { tags: Array.from({ length: 33 }, () => 'a') }])
    assert.equal((await world.patch(path, body)).status, 422)
  assert.deepEqual((await world.delete(path)).json(), { success: true })
  for (const reply of [
    await world.delete(path),
    await world.get(path),
    await world.patch(path, {}),
    await world.get(`${path}/preview`),
    await world.post(`${path}/to-profile`),
    await world.post(`${path}/save-as-profile?profile_name=x`),
  ])
    assert.equal(reply.status, 404)
  const [first, second] = [(await upload()).json().id, (await upload()).json().id]
  const remove = (ids: unknown) => world.post('/gallery/voices/batch-delete', { ids })
  assert.deepEqual((await remove([first, second, 'unknown'])).json(), { deleted: 2, failed: 0 })
  assert.deepEqual((await remove([])).json(), { deleted: 0 })
  assert.equal((await remove(Array.from({ length: 1001 }, () => 'a'))).status, 422)
})

test('to-profile makes one profile however often and however often at once; save-as-profile makes another', async () => {
  const { id } = (await upload({ name: 'Voice of a clip' })).json()
  const path = `/gallery/voices/${id}`
  const replies = await Promise.all(Array.from({ length: 5 }, () => world.post(`${path}/to-profile`)))
  const [first, ...others] = replies.map((reply) => reply.json())
  assert.deepEqual([first.success, first.name], [true, 'Voice of a clip'])
  for (const other of others) assert.deepEqual(other, first)
  await world.patch(path, { name: 'Renamed' })
  assert.deepEqual((await world.post(`${path}/to-profile`)).json(), first)
  const saved = (await world.post(`${path}/save-as-profile?profile_name=Mine`)).json()
  assert.equal(saved.name, 'Mine')
  assert.notEqual(saved.profile_id, first.profile_id)
  assert.equal((await world.post(`${path}/save-as-profile`)).status, 422)
})

test('a clip of a video page stays on this machine, and other addresses are refused', async () => {
  const query = (fields: Record<string, string>) => new URLSearchParams(fields).toString()
  const search = await world.post(`/gallery/search/youtube?${query({ query: '--exec=touch /tmp/x', max_results: '2' })}`)
  assert.deepEqual(search.json(), {
    results: [{ title: 'A film', video_id: 'abc', duration: '1:01', thumbnail: null }],
    query: '--exec=touch /tmp/x',
    category: 'import',
  })
  const video_url = 'https://www.youtube.com/watch?v=abc'
  const reply = await world.post(`/gallery/download?${query({ video_url, character_name: 'Ishmael', duration: '3' })}`)
  assert.equal(reply.status, 200, String(reply.body))
  const { success, voice_id, duration } = reply.json()
  assert.deepEqual([success, duration], [true, 2])
  const clip = await row(voice_id)
  assert.deepEqual(
    [clip.name, clip.character, clip.source_type, clip.source_url, clip.stays_here, clip.tags],
    ['Ishmael', 'Ishmael', 'youtube', video_url, 1, ['ishmael', 'import']],
  )
  for (const [fields, status] of [
    [{ video_url: 'https://evil.example/', character_name: 'x' }, 400],
    [{ video_url: '--exec=id', character_name: 'x' }, 400],
    [{ video_url, character_name: '' }, 422],
    [{ video_url, character_name: 'x', duration: '31' }, 422],
    [{ video_url, character_name: 'x', start_time: '-1' }, 422],
  ] as const)
    assert.equal((await world.post(`/gallery/download?${query(fields)}`)).status, status)
})

test('without a list of sources the items of the program are shown', async () => {
  assert.deepEqual((await world.get('/community/sources')).json(), { sources: ['builtin/starter'] })
  const { count, items, offline, packs } = (await world.get('/community/manifest')).json()
  assert.deepEqual([count, items.length, offline, packs], [51, 51, false, []])
  const page = (await world.get('/community/items?use_case=narration&gender=male&limit=2&offset=1')).json()
  assert.deepEqual([page.limit, page.offset, page.items.length], [2, 1, 2])
  for (const item of page.items)
    assert.deepEqual([item.use_case, item.facets.gender, item.is_community, item.type], ['narration', 'male', false, 'preset'])
  for (const query of ['limit=0', 'limit=501', 'offset=-1', 'refresh=maybe'])
    assert.equal((await world.get(`/community/items?${query}`)).status, 422)
  assert.equal((await world.get('/community/submit-url')).status, 404)
  assert.equal((await world.get('/community/submit-url?type=other')).status, 422)
  for (const reply of [await world.get('/community/items/unknown/preview'), await world.post('/community/items/unknown/use')])
    assert.equal(reply.status, 404)
})

test('sources of the list are shown from their copy, and a list that cannot be read changes nothing', async (t) => {
  const list = join(world.dataDir, 'gallery_sources.json')
  t.after(() => rmSync(list, { force: true }))
  for (const bad of [
    '{',
    '["../.."]',
    '["owner"]',
    '["owner/.."]',
    '{"sources":"a/b"}',
    JSON.stringify(Array.from({ length: 33 }, (_, at) => `a/b${at}`)),
  ]) {
    writeFileSync(list, bad)
    assert.deepEqual((await world.get('/community/sources')).json(), { sources: ['builtin/starter'] })
  }
  const source = 'Owner/voices'
  const folder = join(world.dataDir, 'community')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const items = [{ type: 'preset', id: 'calm', name: 'Calm', use_case: 'narration', instruct: 'female, low pitch' }]
  const copy = { source, fetched_at: Date.now(), etag: null, last_modified: null, text: JSON.stringify({ items }) }
  writeFileSync(join(folder, `${createHash('sha256').update(source).digest('hex')}.json`), JSON.stringify(copy))
  writeFileSync(list, JSON.stringify({ sources: [source, source] }))
  const { sources, items: shown, offline } = (await world.get('/community/manifest')).json()
  assert.deepEqual([sources, offline, shown.length], [[source], false, 1])
  assert.deepEqual([shown[0].is_community, shown[0].preview_url, shown[0]._source_repo], [true, '/community/items/calm/preview', source])
  assert.deepEqual((await world.get('/community/submit-url?type=voice')).json(), {
    url: 'https://github.com/Owner/voices/issues/new?template=voice.yml',
  })
  // No engine of this studio follows a description.
  const reply = await world.post('/community/items/calm/use')
  assert.equal(reply.status, 503, String(reply.body))
  assert.equal((await world.get('/community/items/calm/preview')).status, 503)
})
