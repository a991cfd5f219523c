// Community sources with a real https server: manifests with validators and without a network, digests of recordings, and profiles.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { createCommunity } from '#control-plane/features/voices/community/community.service.ts'
import { createPublicFetch } from '#control-plane/features/voices/community/fetching/public-fetch.ts'
import { createManifests } from '#control-plane/features/voices/community/manifests.service.ts'
import { createCommunityPins } from '#control-plane/features/voices/community/pins.store.ts'
import { STARTER } from '#control-plane/features/voices/community/sources.ts'
import { starterOf } from '#control-plane/features/voices/community/starter.ts'
import { createCommunityVoices } from '#control-plane/features/voices/community/voices.service.ts'
import type { NewProfile, VoiceProfile } from '#control-plane/features/voices/profiles/api.ts'
import type { Ranged } from '#control-plane/http/contract/respond.ts'
import { createDiskBudget } from '#control-plane/store/disk-budget.ts'
import { OWNER_ID } from '#shared/protocol/access/client.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { emptyFolder } from '#shared/runtime/file.ts'
import { createLog } from '#shared/runtime/log.ts'
import { buildArchetypes } from '#shared/voices/taxonomy.ts'
import { spokenWav } from '#test/support/audio/spoken.ts'
import { voiceProfile } from '#test/support/builders/voice-profile.ts'
import { openTestDatabase } from '#test/support/starting/database.ts'
import { temporaryFolder } from '#test/support/world/world.ts'
import { HOST, openFiles } from './local-files.ts'

const never = new AbortController().signal
const HOUR = 3_600_000
const HOSTS = [HOST, 'githubusercontent.com']
const all = buildArchetypes()
const WAV = spokenWav({ seconds: 1 })
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const voice = (id: string, more: object = {}) => ({
  type: 'voice',
  id,
  name: `Voice ${id}`,
  use_case: 'social',
  audio: { url: `https://${HOST}/${id}.wav`, ref_text: 'Hello.', ...more },
})
const preset = (id: string, instruct = 'male, elderly', more: object = {}) => ({
  type: 'preset',
  id,
  name: `Preset ${id}`,
  use_case: 'narration',
  instruct,
  ...more,
})
const failsWith = (code: string, message: RegExp) => (error: unknown) =>
  error instanceof Failure && error.code === code && message.test(error.message)

async function open(t: TestContext, sources: readonly string[] = ['owner/repo']) {
  const folder = temporaryFolder(t)
  const db = openTestDatabase(join(folder, 'studio.db'))
  t.after(() => db.close())
  const files = new Map<string, Buffer | string>()
  const asked: string[] = []
  const answer = ({ url = '', headers }: IncomingMessage, response: ServerResponse) => {
    asked.push(`${url} ${headers['if-none-match'] ?? ''}`.trim())
    const file = files.get(url)
    if (file === undefined) return void response.writeHead(500).end()
    const etag = `"${sha256(Buffer.from(file)).slice(0, 8)}"`
    if (headers['if-none-match'] === etag) return void response.writeHead(304).end()
    response.writeHead(200, { etag }).end(file)
  }
  const { network } = await openFiles(t, answer)
  let now = 1_000 * HOUR
  const clock = { ...systemClock, now: () => now }
  const fetch = createPublicFetch({ hosts: HOSTS, version: '1', clock: systemClock, network })
  const profiles: VoiceProfile[] = []
  const recordings: Buffer[] = []
  const voices = {
    byOrigin: (origin: string) => profiles.find((profile) => profile.origin === origin) ?? null,
    create: async (profile: NewProfile) => {
      if (profile.recording) recordings.push(readFileSync(profile.recording.path))
      if (profile.name === 'unreadable') throw new Failure('BAD_REQUEST', 'The recording cannot be read.')
      profiles.push({ ...voiceProfile(), ...profile, id: `p${profiles.length}` })
      return profiles.at(-1)!
    },
    renderDesign: async () => {
      throw new Failure('NOT_READY', 'No engine.')
    },
  }
  const calls: string[] = []
  let timesBuilt = 0
  const sound = { type: 'audio/wav', body: WAV, headers: { 'x-svc-preview-source': 'local' } }
  const archetypes = {
    find: (id: string) => all.find((one) => one.id === id) ?? null,
    use: async (id: string, name: string | null) => {
      calls.push(`use ${id} ${name}`)
      return { profile_id: id, name: name ?? 'Archetype' }
    },
    preview: async (id: string, isLocal: boolean) => {
      calls.push(`preview ${id} ${isLocal}`)
      return sound
    },
    previewOfRecipe: async ({ instruct, sample_script }: { instruct: string; sample_script: string }) => {
      calls.push(`recipe ${instruct} ${sample_script !== ''}`)
      return sound
    },
  }
  const openCommunity = () =>
    createCommunity({
      sources: () => sources,
      starter: () => {
        timesBuilt++
        return starterOf(all.filter(({ is_featured }) => is_featured))
      },
      manifests: createManifests({ folder: join(folder, 'community'), fetch, hosts: HOSTS, clock, log: createLog('silent', 'test') }),
      recordings: createCommunityVoices({ fetch, pins: createCommunityPins({ db }), clock }),
      voices,
      archetypes,
      uploadDisk: { folder: emptyFolder(join(folder, 'uploads')), budget: createDiskBudget({ folder }) },
      stopping: never,
    })
  return {
    community: openCommunity(),
    reopen: openCommunity,
    files,
    asked,
    profiles,
    recordings,
    calls,
    timesBuilt: () => timesBuilt,
    publish: (items: unknown[], source = 'owner/repo') => files.set(`/${source}/HEAD/manifest.json`, JSON.stringify({ items })),
    later: (ms: number) => {
      now += ms
    },
  }
}
const idsOf = ({ items }: { items: readonly { id: string }[] }) => items.map(({ id }) => id)

test('a manifest is fetched every six hours with its validator, and its copy is used without a network', async (t) => {
  const { community, reopen, files, asked, publish, later } = await open(t)
  publish([preset('a')])
  assert.deepEqual(idsOf(await community.load(false)), ['a'])
  assert.deepEqual(idsOf(await community.load(false)), ['a'])
  assert.equal(asked.length, 1)
  later(7 * HOUR)
  await community.load(false)
  assert.match(asked[1]!, /manifest\.json "[0-9a-f]{8}"$/)
  await community.load(true)
  assert.equal(asked.length, 3, 'refresh asks at once')
  files.clear()
  later(7 * HOUR)
  for (const opened of [community, reopen()]) {
    const { items, isOffline } = await opened.load(false)
    assert.deepEqual([items.length, isOffline], [1, true])
  }
  const before = asked.length
  await community.load(false)
  assert.equal(asked.length, before, 'a source that failed is left alone for a minute')
  publish([preset('b')])
  later(2 * 60_000)
  const { items, isOffline } = await community.load(false)
  assert.deepEqual([idsOf({ items }), isOffline], [['b'], false])
  files.set('/owner/repo/HEAD/manifest.json', '<html>')
  assert.deepEqual(await community.load(true).then((loaded) => [idsOf(loaded), loaded.isOffline]), [['b'], true])
})

test('the first source provides an item, and filters and pages apply to all of them', async (t) => {
  const { community, publish } = await open(t, ['one/a', 'two/b', 'gone/c'])
  publish([preset('x'), voice('v')], 'one/a')
  publish([preset('x', 'female'), preset('y', 'female', { language: 'French', name: 'Amélie' })], 'two/b')
  const { items, isOffline, sources } = await community.load(false)
  assert.deepEqual(
    items.map(({ id, _source_repo }) => [id, _source_repo]),
    [
      ['x', 'one/a'],
      ['v', 'one/a'],
      ['y', 'two/b'],
    ],
  )
  assert.deepEqual([isOffline, sources.length], [true, 3])
  const none = { use_case: null, gender: null, type: null, lang: null, q: null, limit: 60, offset: 0 }
  const ids = async (filter: Partial<typeof none> | Record<string, string | number>) =>
    idsOf(await community.items({ ...none, ...filter }, false))
  assert.deepEqual(await ids({ gender: 'female' }), ['y'])
  assert.deepEqual(await ids({ type: 'voice' }), ['v'])
  assert.deepEqual(await ids({ lang: 'French' }), ['y'])
  assert.deepEqual(await ids({ q: 'AMÉ' }), ['y'])
  assert.deepEqual(await ids({ use_case: 'other' }), [])
  assert.deepEqual(await ids({ limit: 1, offset: 1 }), ['v'])
  assert.equal(community.submitUrl('voice', null), 'https://github.com/one/a/issues/new?template=voice.yml')
  assert.equal(community.submitUrl('preset', 'two/b'), 'https://github.com/two/b/issues/new?template=preset.yml')
  assert.equal(
    community.submitUrl('preset', 'evil/x'),
    'https://github.com/one/a/issues/new?template=preset.yml',
    'no other repository is named',
  )
})

test('a recording must have the stated digest, or the one that it had first', async (t) => {
  const { community, files, publish } = await open(t)
  publish([
    voice('stated', { sha256: sha256(WAV) }),
    voice('wrong', { sha256: '0'.repeat(64) }),
    voice('open'),
    voice('page'),
    voice('missing'),
  ])
  for (const id of ['stated', 'wrong', 'open']) files.set(`/${id}.wav`, WAV)
  files.set('/page.wav', '<html>')
  const preview = (id: string) => community.preview(id, false, never)
  const pins = async () =>
    Object.fromEntries((await community.load(false)).items.map((item) => [item.id, item.type === 'voice' ? item.pinned : undefined]))
  assert.deepEqual(await pins(), { stated: 'source', wrong: 'source', open: null, page: null, missing: null })
  const sound = await preview('stated')
  const { size, read } = sound.body as Ranged
  assert.deepEqual(
    [sound.type, sound.headers, (await buffer(read(0, size - 1))).equals(WAV)],
    ['audio/wav', { 'x-svc-preview-source': 'community' }, true],
  )
  await assert.rejects(preview('wrong'), failsWith('DOWNLOAD_REFUSED', /SHA-256/))
  await assert.rejects(preview('page'), failsWith('DOWNLOAD_REFUSED', /no WAV/))
  await assert.rejects(preview('missing'), failsWith('DOWNLOAD_REFUSED', /status 500/))
  await assert.rejects(preview('unknown'), failsWith('NOT_FOUND', /./))
  await preview('open')
  assert.equal((await pins())['open'], 'first_download')
  files.set('/open.wav', spokenWav({ seconds: 1, hz: 300 }))
  await assert.rejects(preview('open'), failsWith('DOWNLOAD_REFUSED', /has changed/))
  await assert.rejects(community.use('open', null, OWNER_ID), failsWith('DOWNLOAD_REFUSED', /has changed/))
  files.set('/open.wav', WAV)
  await preview('open')
})

test('a voice becomes one profile that stays here; what cannot be read is refused', async (t) => {
  const { community, files, profiles, recordings, publish } = await open(t)
  publish([voice('v'), voice('u')])
  files.set('/v.wav', WAV)
  files.set('/u.wav', WAV)
  const made = await Promise.all(Array.from({ length: 4 }, () => community.use('v', 'Mine', OWNER_ID)))
  for (const one of made) assert.deepEqual(one, { profile_id: 'p0', name: 'Mine' })
  assert.deepEqual(await community.use('v', 'Other', OWNER_ID), { profile_id: 'p0', name: 'Mine' })
  const [{ origin, originUrl, personality, staysHere, kind, seed, refText }] = profiles as [VoiceProfile]
  assert.deepEqual(
    [origin, personality, originUrl, staysHere, kind, seed, refText],
    ['community:owner/repo:v', 'community:owner/repo:v', `https://${HOST}/v.wav`, true, 'clone', null, 'Hello.'],
  )
  assert.ok(recordings[0]!.equals(WAV))
  await assert.rejects(community.use('u', 'unreadable', OWNER_ID), failsWith('DOWNLOAD_REFUSED', /cannot be read/))
})

test('an item is an archetype only if it says the same; other presets are rendered', async (t) => {
  const { community, calls, publish, timesBuilt } = await open(t, [STARTER, 'owner/repo'])
  assert.equal(timesBuilt(), 0, 'a start does not build the items of this program')
  const [archetype, other] = all as unknown as [(typeof all)[0], (typeof all)[0]]
  publish([preset('mine'), preset(all.at(-1)!.id, 'female')])
  const { items } = await community.load(false)
  const starter = items.filter(({ is_community }) => !is_community)
  assert.equal(starter.length, 51)
  assert.equal(items.length, 53)
  assert.deepEqual(await community.use(archetype.id, 'X', OWNER_ID), { profile_id: archetype.id, name: 'X' })
  await community.preview(other.id, true, never)
  const sound = await community.preview('mine', false, never)
  assert.deepEqual(sound.headers, { 'x-svc-preview-source': 'community' })
  await community.preview(all.at(-1)!.id, false, never)
  assert.deepEqual(calls, [`use ${archetype.id} X`, `preview ${other.id} true`, 'recipe male, elderly true', 'recipe female true'])
  await assert.rejects(community.use('mine', null, OWNER_ID), failsWith('NOT_READY', /No engine/))
})
