// Downloaded previews against a local publisher with keys of its own: signature, digests, sizes, slowness, throttle and age.
import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createClips } from '#control-plane/features/voices/archetypes/previews/clips.service.ts'
import { recipeDigest } from '#control-plane/features/voices/archetypes/previews/preview.rules.ts'
import { createPreviewStore } from '#control-plane/features/voices/archetypes/previews/preview.store.ts'
import { createFolderArtifacts } from '#control-plane/store/files/folder-artifacts.ts'
import { createOwnerSettings } from '#control-plane/store/setting.ts'
import { createFetch } from '#shared/download/fetch.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { silentLog as log } from '#shared/runtime/log.ts'
import { buildArchetypes } from '#shared/voices/taxonomy.ts'
import { createFakeClock } from '#test/support/doubles/fake-clock.ts'
import { createFakeSettings } from '#test/support/doubles/settings.ts'
import { openTestDatabase } from '#test/support/starting/database.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const featured = buildArchetypes().slice(0, 3)
const [first, second, third] = featured as [(typeof featured)[0], (typeof featured)[0], (typeof featured)[0]]
const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const key = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url').toString('base64')
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex')
const clip = (n: number) => Buffer.from(`ID3 sound ${n}`)
const entry = (n: number, changes: object = {}) => ({
  id: featured[n]!.id,
  recipe: recipeDigest(featured[n]!),
  file: `clip-${n}.mp3`,
  sha256: sha256(clip(n)),
  bytes: clip(n).length,
  ...changes,
})
const HEAD = { format: 1, generated_at: '2026-12-01T00:00:00Z', engine: 'svc-engine', engine_version: '1' }

async function openPublisher(t: TestContext) {
  /** By path; null holds the response until the client leaves. */
  const files = new Map<string, Buffer | null>()
  const asked: string[] = []
  const held: (() => void)[] = []
  const server = createServer((request, response) => {
    const path = request.url!
    asked.push(path)
    const body = files.get(path)
    if (body === null) {
      for (const tell of held.splice(0)) tell()
      return
    }
    response.writeHead(body ? 200 : 404).end(body ?? '')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/previews.json`)
  for (const n of [0, 1, 2]) files.set(`/clip-${n}.mp3`, clip(n))
  return {
    files,
    asked,
    url,
    publish(clips: readonly object[], head: object = {}, by = privateKey): void {
      const bytes = Buffer.from(JSON.stringify({ ...HEAD, ...head, clips }))
      files.set('/previews.json', bytes)
      files.set('/previews.json.sig', Buffer.from(`${sign(null, bytes, by).toString('base64')}\n`))
    },
    /** Resolves when a request arrives that gets no response. */
    holds: (path: string) => {
      files.set(path, null)
      return new Promise<void>((tell) => held.push(tell))
    },
  }
}

async function open(t: TestContext, isConfigured = true) {
  const publisher = await openPublisher(t)
  const folder = temporaryFolder(t)
  const db = openTestDatabase(join(folder, 'studio.db'))
  t.after(() => db.close())
  const store = createPreviewStore({ db })
  const artifacts = createFolderArtifacts(folder)
  artifacts.addNamer(store.names)
  const settings = createOwnerSettings(createFakeSettings(), {})
  const clock = createFakeClock()
  const fetch = createFetch({ base: publisher.url, token: null, clock: systemClock, version: 'test', stallMs: 60_000 })
  const start = () =>
    createClips({
      publisher: isConfigured ? { url: publisher.url, key } : null,
      fetch,
      featured: () => featured,
      store,
      artifacts,
      settings,
      clock,
      log,
    })
  return { publisher, artifacts, clock, start, downloads: start(), files: () => readdirSync(join(folder, 'artifacts')) }
}
const never = { refreshed: undefined, featured_cached: 0, last_error: null }
const brief = ({
  refreshed,
  featured_cached,
  last_error,
}: {
  refreshed?: number | undefined
  featured_cached: number
  last_error: string | null
}) => ({
  refreshed,
  featured_cached,
  last_error,
})

test('nothing is requested before the owner turns downloads on; then clips of the present recipes are used', async (t) => {
  const { publisher, downloads, start, clock } = await open(t)
  publisher.publish([entry(0), entry(1, { recipe: sha256('an older script') }), entry(2, { id: 'feat_99_unknown' })])
  void downloads.service.start()
  assert.deepEqual(brief(await downloads.check()), never)
  assert.deepEqual(publisher.asked, [])
  const { enabled, available, engine, generated_at, checked_seconds_ago, ...status } = await downloads.enable(true)
  assert.deepEqual([enabled, available, engine, generated_at, checked_seconds_ago], [true, true, 'svc-engine', HEAD.generated_at, 0])
  assert.deepEqual([status.refreshed, status.cached, status.last_checked], [1, 1, clock.now() / 1000])
  assert.deepEqual(downloads.clipOf(first), { source: 'gallery', type: 'audio/mpeg', digest: sha256(clip(0)), bytes: clip(0).length })
  assert.equal(downloads.clipOf({ ...first, sample_script: 'Another text.' }), null)
  assert.deepEqual([downloads.clipOf(second), downloads.clipOf(third)], [null, null])
  assert.ok(start().clipOf(first), 'after a restart')
  await downloads.service.stop()
})

test('a check within 24 hours is only made when it is asked for', async (t) => {
  const { publisher, downloads, clock } = await open(t)
  publisher.publish([entry(0)])
  await downloads.enable(true)
  const requests = () => publisher.asked.filter((path) => path === '/previews.json').length
  clock.advance(23 * 3600_000)
  assert.equal((await downloads.enable(true)).refreshed, undefined)
  assert.equal(requests(), 1)
  publisher.publish([entry(0), entry(1)], { generated_at: '2026-12-02T00:00:00Z' })
  assert.deepEqual(brief(await downloads.check()), { refreshed: 1, featured_cached: 2, last_error: null })
  clock.advance(24 * 3600_000)
  assert.equal((await downloads.enable(true)).refreshed, 0)
  assert.equal(requests(), 3)
  clock.jump(-25 * 3600_000)
  assert.equal((await downloads.enable(true)).refreshed, 0, 'the last check is in the future')
  assert.equal(requests(), 4)
})

test('a wrong signature, another key, an older list and a foreign form change nothing', async (t) => {
  const { publisher, downloads } = await open(t)
  publisher.publish([entry(0)])
  await downloads.enable(true)
  const keeps = async (error: RegExp) => {
    const status = await downloads.check()
    assert.match(status.last_error ?? '', error)
    assert.deepEqual([status.refreshed, status.featured_cached], [0, 1])
    assert.ok(downloads.clipOf(first))
  }
  publisher.publish([entry(1)], {}, generateKeyPairSync('ed25519').privateKey)
  await keeps(/signature/)
  publisher.publish([entry(1)])
  publisher.files.set('/previews.json', Buffer.concat([publisher.files.get('/previews.json')!, Buffer.from(' ')]))
  await keeps(/signature/)
  publisher.files.set('/previews.json.sig', Buffer.from('no signature'))
  await keeps(/signature/)
  publisher.files.set('/previews.json.sig', Buffer.alloc(5_000, 'A'))
  await keeps(/too long/)
  publisher.files.delete('/previews.json.sig')
  await keeps(/status 404/)
  publisher.publish([entry(1)], { generated_at: '2026-11-30T23:59:59Z' })
  await keeps(/older/)
  publisher.publish([entry(1, { file: '../secret.mp3' })])
  await keeps(/form/)
  publisher.files.set('/previews.json', Buffer.alloc(300 * 1024, ' '))
  await keeps(/too long/)
})

test('a clip with a wrong digest or size is not used, and does not stop the others', async (t) => {
  const { publisher, downloads, files } = await open(t)
  publisher.publish([entry(0, { sha256: sha256('other') }), entry(1, { bytes: 4 }), entry(2)])
  const status = await downloads.enable(true)
  assert.deepEqual(brief(status), {
    refreshed: 1,
    featured_cached: 1,
    last_error: 'A downloaded preview does not match the list of previews.',
  })
  assert.deepEqual([downloads.clipOf(first), downloads.clipOf(second), downloads.clipOf(third)?.source], [null, null, 'gallery'])
  assert.deepEqual(files(), [sha256(clip(2))])
})

test('a publisher that does not answer ends after a minute, and everything that arrived is used', async (t) => {
  const { publisher, downloads, clock } = await open(t)
  publisher.publish([entry(0), entry(1)])
  const isHeld = publisher.holds('/clip-1.mp3')
  const enabling = downloads.enable(true)
  await isHeld
  clock.advance(60_000)
  assert.deepEqual(brief(await enabling), { refreshed: 1, featured_cached: 1, last_error: 'The download of previews took too long.' })
  const again = publisher.holds('/previews.json')
  const checking = downloads.check()
  await again
  await downloads.service.stop()
  assert.equal((await checking).featured_cached, 1)
})

test('turning downloads off deletes the clips', async (t) => {
  const { publisher, downloads, artifacts, files } = await open(t)
  publisher.publish([entry(0)])
  await downloads.enable(true)
  assert.equal(await artifacts.sweep(Number.MAX_SAFE_INTEGER), 0)
  assert.deepEqual(brief(await downloads.enable(false)), never)
  assert.equal(downloads.clipOf(first), null)
  assert.equal(await artifacts.sweep(Number.MAX_SAFE_INTEGER), 1)
  assert.deepEqual(files(), [])
  assert.equal((await downloads.enable(true)).refreshed, 1)
})

test('without a publisher nothing is available', async (t) => {
  const { downloads, publisher } = await open(t, false)
  const { enabled, available, refreshed } = await downloads.enable(true)
  assert.deepEqual([enabled, available, refreshed], [true, false, undefined])
  assert.deepEqual(publisher.asked, [])
})
