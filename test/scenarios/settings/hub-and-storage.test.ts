// The model hub and the disk through HTTP, with a real agent that downloads: who receives the token, where models go, what is measured and
// cleaned.
import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import Sqlite from 'better-sqlite3'
import { emptyDatabase, newestVersion } from '#control-plane/store/database.ts'
import { authorizationsFolder, type PathKind, writePathAuthorization } from '#control-plane/store/files/path-authorization.ts'
import { systemRandom } from '#shared/runtime/random.ts'
import { openModelServer, weights } from '#test/support/doubles/model-server.ts'
import { eventually, openWorld, temporaryFolder } from '#test/support/world/world.ts'

const REPO = 'voice-studio/tone'
const FILES = { 'config.json': Buffer.from('{"hz":440}'), 'model.onnx': weights('tone', 300_000), 'voices/a.bin': weights('a', 4_000) }
const TOKEN = 'hf_canary_of_the_settings'
const API = '/api/settings'

/** The arguments of running programs whose script ends in `name`. */
const argumentsOf = (name: string): string[][] =>
  readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid))
    .flatMap((pid) => {
      try {
        return [readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1)]
      } catch {
        return [] // the program has ended
      }
    })
    .filter((words) => words.some((word) => word.endsWith(name)))

test('hub and storage', { timeout: 300_000 }, async (t) => {
  const hub = await openModelServer(t, { [REPO]: FILES })
  const mirror = await openModelServer(t, { [REPO]: FILES })
  const home = temporaryFolder(t)
  const env = { STUDIO_MODELS_URL: hub.url, STUDIO_MODELS_CACHE: '', HF_HOME: home, TMPDIR: home }
  const world = await openWorld(t, { env })
  const get = async (path: string) => (await world.get(API + path)).json()
  const authorize = (kind: PathKind, path: string) =>
    writePathAuthorization(authorizationsFolder(world.dataDir), { kind, path }, systemRandom)
  const row = async () => (await world.get('/models')).json().models.find((one: { repo_id: string }) => one.repo_id === REPO)
  const install = async () => {
    assert.equal((await world.post('/models/install', { repo_id: REPO })).status, 200)
    await eventually(async () => (await row()).installed)
  }
  const tokensAt = (server: typeof hub) => [...new Set(server.asked.map(({ headers }) => headers.authorization ?? ''))]

  await t.test('the token is used for the next download from the hub, without a restart', async () => {
    const none = { set: false, masked: null, whoami_user: null, whoami_ok: false }
    assert.deepEqual(await get('/hf-token/state'), {
      active: null,
      sources: [
        { source: 'app', ...none },
        { source: 'env', ...none },
        { source: 'hf-cli', ...none },
      ],
    })
    for (const token of ['  ', 'two words']) assert.equal((await world.post(`${API}/hf-token`, { token })).status, 400)
    for (const body of [{}, { token: '' }, { token: 5 }]) assert.equal((await world.post(`${API}/hf-token`, body)).status, 422)
    const state = (await world.post(`${API}/hf-token`, { token: TOKEN })).json()
    assert.equal(state.active, 'app')
    assert.deepEqual(state.sources[0], { source: 'app', set: true, masked: 'hf_…ngs', whoami_user: null, whoami_ok: false })
    hub.asked.length = 0
    await install()
    assert.deepEqual(tokensAt(hub), [`Bearer ${TOKEN}`])
  })

  await t.test('a mirror serves the files and does not receive the token', async () => {
    assert.equal((await world.put(`${API}/hf-mirror`, { url: 'ftp://x' })).status, 400)
    assert.equal((await world.put(`${API}/hf-mirror`, { url: '', mode: 'fast' })).status, 400)
    const chosen = (await world.put(`${API}/hf-mirror`, { url: `${mirror.url}/` })).json()
    assert.deepEqual([chosen.configured, chosen.effective, chosen.mode], [mirror.url, mirror.url, 'manual'])
    assert.deepEqual((await world.post(`${API}/hf-mirror/test`)).json(), await get('/hf-mirror'))
    await world.delete(`/models/${REPO}`)
    hub.asked.length = 0
    await install()
    assert.deepEqual([tokensAt(mirror), hub.asked.length], [[''], 0])
    assert.equal((await world.put(`${API}/hf-mirror`, { url: '' })).json().effective, hub.url)
    const cleared = (await world.send('DELETE', `${API}/hf-token?also_clear_hf_cli=true`)).json()
    assert.deepEqual([cleared.active, cleared.sources[0].set], [null, false])
  })

  await t.test('the report measures the folders and is kept for 300 s', async () => {
    const report = await get('/storage')
    assert.deepEqual([report.cached, report.min_free_gb], [false, 10])
    const byId = Object.fromEntries(report.categories.map((one: { id: string }) => [one.id, one]))
    assert.deepEqual(Object.keys(byId), ['hf_cache', 'data', 'engine_venvs', 'temp'])
    const models = byId['hf_cache']
    assert.deepEqual([models.exists, models.complete, models.path], [true, true, join(world.dataDir, 'local-agent/models')])
    assert.ok(models.bytes > 304_000 && models.items[0].bytes > 304_000, JSON.stringify(models))
    const data = byId['data'].children.find(({ id }: { id: string }) => id === 'local-agent')
    assert.ok(data.bytes < 300_000, 'models are not counted twice')
    for (const { total_bytes, free_bytes, used_percent, roots } of report.volumes) {
      assert.ok(total_bytes >= free_bytes && used_percent >= 0 && used_percent <= 100)
      assert.ok(roots.length > 0)
    }
    assert.equal((await get('/storage')).cached, true)
    assert.equal((await get('/storage?refresh=1')).cached, false)
    assert.equal((await world.get(`${API}/storage?refresh=perhaps`)).status, 422)
  })

  await t.test('old temporary files are removed, and nothing else', async () => {
    const place = (folder: string, name: string, ageDays: number) => {
      const path = join(folder, name)
      mkdirSync(path)
      writeFileSync(join(path, 'bytes'), Buffer.alloc(100))
      const at = Date.now() / 1000 - ageDays * 24 * 3600
      utimesSync(path, at, at)
      return path
    }
    const uploads = join(world.dataDir, 'uploads')
    const [old, fresh, foreign] = [place(uploads, 'upload-Ab1234', 3), place(uploads, 'upload-Cd1234', 0), place(uploads, 'mine', 3)]
    const copy = place(world.dataDir, '.copy-Ab1234', 3)
    assert.equal((await get('/storage')).cached, true)
    const { removed, freed_bytes, errors } = (await world.post(`${API}/storage/temp/clear`)).json()
    assert.deepEqual([removed.sort(), freed_bytes, errors], [['.copy-Ab1234', 'upload-Ab1234'], 200, []])
    assert.deepEqual([existsSync(old), existsSync(copy), existsSync(fresh), existsSync(foreign)], [false, false, true, true])
    assert.equal((await get('/storage')).cached, false)
  })

  await t.test('the folder of the models needs an authorization and changes at the next start', async () => {
    const usual = join(world.dataDir, 'local-agent/models')
    assert.deepEqual(await get('/storage/models-dir'), { configured: null, effective: usual, default: usual, restart_required: false })
    const chosen = join(home, 'models')
    const put = (authorization: string) => world.put(`${API}/storage/models-dir`, { path: chosen, authorization })
    assert.equal((await put('a'.repeat(64))).status, 403)
    const wrongKind = authorize('dub_export', chosen)
    assert.equal((await put(wrongKind)).status, 403)
    assert.equal((await put(authorize('models_dir', 'relative'))).status, 400)
    assert.equal((await put(authorize('models_dir', '/x\ny'))).status, 400)
    assert.equal((await put(authorize('models_dir', '/proc/none'))).status, 400)
    const shared = join(home, 'shared')
    mkdirSync(shared)
    chmodSync(shared, 0o777)
    const refused = await put(authorize('models_dir', shared))
    assert.equal(refused.status, 400)
    assert.match(refused.json().detail, /chmod/)
    assert.equal((await put('a'.repeat(65))).status, 422)
    const token = authorize('models_dir', chosen)
    const raced = await Promise.all([put(token), put(token)])
    assert.deepEqual(raced.map(({ status }) => status).sort(), [200, 403], 'one of two requests wins')
    const won = raced.find(({ status }) => status === 200)!.json()
    assert.deepEqual(won, { configured: chosen, effective: usual, restart_required: true })
    assert.deepEqual(readdirSync(authorizationsFolder(world.dataDir)), ['.claimed'])

    assert.equal((await world.put(`${API}/compute-device`, { value: 'cpu' })).status, 200)
    await world.restart()
    assert.equal((await get('/storage/models-dir')).effective, chosen)
    await install()
    assert.ok(readdirSync(chosen).length > 0)
    assert.equal(
      (await world.post('/v1/audio/speech', { model: 'tone', input: 'one', voice: 'alloy', response_format: 'wav' })).status,
      200,
    )
    const host = argumentsOf('host.ts').find((words) => words.includes(chosen))
    assert.equal(host?.at(-1), 'cpu', 'engine hosts get the folder and the device that the owner chose')
    const cleared = (await put(authorize('models_dir', ''))).json()
    assert.deepEqual(cleared, { configured: null, default: usual, restart_required: true })
  })

  await t.test('changelog and database backups', async () => {
    const { available, releases } = await get('/changelog?limit=2')
    assert.ok(available && releases.length <= 2)
    const { app_version } = (await world.get('/system/info')).json()
    assert.equal(releases[0].version, app_version, 'the page shows what the running version changed')
    assert.ok(releases[0].sections.every(({ bullets }: { bullets: string[] }) => bullets.length > 0) && releases[0].sections.length > 0)
    assert.equal((await get('/changelog?limit_versions=1')).available, true)
    for (const limit of ['0', '51', 'x', '1.5']) assert.equal((await world.get(`${API}/changelog?limit=${limit}`)).status, 422, limit)
    assert.deepEqual(await get('/db-backup'), { available: false, latest: null, count: 0, keep: 3 })
    writeFileSync(join(world.dataDir, 'studio.db.backup-3-1'), 'x')
    const { latest, count } = await get('/db-backup')
    assert.deepEqual([latest.path, latest.size_bytes, count], [join(world.dataDir, 'studio.db.backup-3-1'), 1, 1])

    // A database of the version before the newest one.
    await world.studio.end('SIGTERM')
    const path = join(world.dataDir, 'studio.db')
    for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true })
    const older = newestVersion() - 1
    const migrated = emptyDatabase(older)
    writeFileSync(path, migrated.serialize(), { mode: 0o600 })
    migrated.close()
    const db = new Sqlite(path)
    db.prepare("insert into setting (key, value) values ('history.retention', '77')").run()
    db.close()
    await world.restart()
    assert.equal((await get('/history-retention')).cap, 77)
    assert.equal((await get('/db-backup')).latest.path, `${path}.backup-${older}-1`)
  })

  await t.test('the token is neither in the database nor in the log', () => {
    for (const name of readdirSync(world.dataDir).filter((each) => each.startsWith('studio.db')))
      assert.ok(!readFileSync(join(world.dataDir, name)).includes('canary'), name)
    assert.ok(!world.studio.output().includes('canary'))
  })
})
