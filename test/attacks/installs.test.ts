// A studio to which a machine is lent asks for every model, and machines are killed while they install. The disk of the lender is bounded, no
// unfinished model counts as installed, and nothing is left that belongs to no model.
import assert from 'node:assert/strict'
import { existsSync, lstatSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { filesIn } from '#agent/models/manifest.ts'
import { catalogueOf } from '#shared/models/catalogue.ts'
import { FILES, install, openStore, REPO, SMALL } from '#test/agent/models/open-store.ts'
import { openModelServer, sha256, weights } from '#test/support/doubles/model-server.ts'
import { isLongRun } from '#test/support/long-run.ts'
import { runToEnd, studio } from '#test/support/world/cli.ts'
import { eventually, openWorld, temporaryFolder } from '#test/support/world/world.ts'

const ROOT = join(import.meta.dirname, '../..')
/** Bytes of all files below, links not followed. */
const bytesIn = (folder: string): number =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).reduce((sum, name) => {
        const found = lstatSync(join(folder, name))
        return sum + (found.isFile() ? found.size : 0)
      }, 0)
    : 0
const SIZE = Object.entries(FILES).reduce((sum, [name, bytes]) => sum + (name === 'README.md' ? 0 : bytes.length), 0)
const repos = Array.from({ length: 12 }, (_, at) => `someone/model-${at}`)
const MODELS = repos.map((id) => ({
  ...SMALL,
  id,
  label: id,
  engine: id.split('/')[1]!,
  sources: SMALL.sources.map((one) => ({ ...one, repo: id })),
}))
const last = (events: readonly { phase: string; message: string }[]) => events.at(-1)!

test('studios that ask for everything fill their part of the space, and no more; the own studio is not affected', async (t) => {
  const server = await openModelServer(t, Object.fromEntries(repos.map((repo) => [repo, FILES])))
  let chosen: number | null = 6.5 * SIZE
  const guests = { chosenBytes: () => chosen, studios: () => 2 }
  const { store, folder } = openStore(t, server.url, { models: MODELS, guests })
  const ask = async (by: string, id: string) => last(await install(store, id, by))
  const asked = []
  for (const id of repos) asked.push(await ask('studio-greedy', id))
  assert.deepEqual(
    asked.map(({ phase }) => phase),
    [...Array(3).fill('install_done'), ...Array(9).fill('install_error')],
  )
  assert.match(
    asked[3]!.message,
    /^This machine lends 0\.002 GB of its disk for models, 0\.001 GB to each studio\. 0\.001 GB are used, 0\.001 GB by this studio, and someone\/model-3 needs 0\.000 GB more\. .*ask its owner/,
  )
  const kept = Object.values(FILES).length // manifests and notes beside the files
  assert.ok(bytesIn(folder) < 3 * SIZE + kept * 4_096)
  for (const id of repos.slice(3, 6)) assert.equal((await ask('panel-other', id)).phase, 'install_done', 'the other part is left')
  assert.equal((await ask('panel-other', repos[6]!)).phase, 'install_error')
  assert.equal((await ask('local', repos[7]!)).phase, 'install_done')

  // Without a choice it is half of the space, however much of it they use.
  chosen = null
  const { limitBytes, usedBytes } = await store.guestSpace()
  assert.deepEqual([limitBytes, usedBytes > 6 * SIZE], [null, true], 'the free space is unknown here')
  chosen = 0
  assert.match((await ask('studio-greedy', repos[8]!)).message, /lends 0\.000 GB/)

  // The owner takes the space back, and keeps the own models.
  assert.ok((await store.removeGuests()) > 6 * SIZE)
  const { usedBytes: left } = await store.guestSpace()
  const installed = store.inventory().filter((model) => model.installed)
  assert.deepEqual([left, installed.map(({ id }) => id)], [0, [repos[7]]])
})

test('unfinished downloads count for the studio that began them, and a studio queues four at most', async (t) => {
  const server = await openModelServer(t, Object.fromEntries(repos.map((repo) => [repo, FILES])))
  for (const repo of repos) server.failAlways(server.fileOf(repo, 'voices/a.bin'), { kind: 'status', status: 403 })
  const guests = { chosenBytes: () => 3.5 * SIZE, studios: () => 1 }
  const { store, folder } = openStore(t, server.url, { models: MODELS, guests })
  // Each leaves the largest file behind.
  for (const id of repos) await install(store, id, 'studio-greedy')
  assert.ok(bytesIn(folder) < 3.5 * SIZE + 12 * 4_096, `${bytesIn(folder)} bytes`)
  assert.ok((await store.guestSpace()).usedBy('studio-greedy') > 2.5 * SIZE)

  const held = Promise.withResolvers<void>()
  server.heal()
  server.failAlways(server.fileOf(repos[0]!, 'voices/a.bin'), { kind: 'wait', until: held.promise })
  const running = repos.slice(0, 4).map((id) => install(store, id, 'studio-greedy'))
  assert.throws(() => store.install(repos[4]!, 'studio-greedy', t.signal), { code: 'WORKER_AT_CAPACITY' })
  const own = install(store, repos[5]!, 'local')
  held.resolve()
  assert.equal(last(await own).phase, 'install_done')
  await Promise.all(running)
})

test('an unfinished download that nothing continues is removed in time', async (t) => {
  const server = await openModelServer(t, { [REPO]: FILES })
  server.failAlways(server.fileOf(REPO, 'voices/a.bin'), { kind: 'status', status: 403 })
  const first = openStore(t, server.url)
  await install(first.store, REPO, 'studio-gone')
  const place = join(first.folder, 'small')
  assert.ok(bytesIn(place) > 0)
  const note = join(first.folder, '.partials.json')
  const [[id, { by, at }]] = Object.entries(JSON.parse(readFileSync(note, 'utf8'))) as [[string, { by: string; at: number }]]
  assert.deepEqual([id, by], [REPO, 'studio-gone'])
  const restart = (age: number) => {
    writeFileSync(note, JSON.stringify({ [REPO]: { by, at: at - age } }))
    return openStore(t, server.url, { folder: first.folder })
  }
  restart(13 * 24 * 3600 * 1000)
  assert.ok(bytesIn(place) > 0, 'it can still be continued')
  restart(15 * 24 * 3600 * 1000)
  assert.equal(bytesIn(place), 0)
})

test('a process that is killed at any change of the disk leaves no model that counts, and the next one finishes', async (t) => {
  const server = await openModelServer(t, { [REPO]: FILES })
  const preload = join(ROOT, 'test/support/chaos/killed-at-change.ts')
  const program = join(ROOT, 'test/support/models/install-and-end.ts')
  const step = isLongRun ? 1 : 9
  let kills = 0
  for (let at = 1; ; at += step) {
    const folder = temporaryFolder(t)
    const args = ['--import', preload, program, folder, server.url, 'studio-guest']
    const { code, errors } = await runToEnd(process.execPath, args, { cwd: ROOT, env: { VOICE_STUDIO_TEST_KILL_AT: String(at) } })
    const files = filesIn(folder)('small', '')
    for (const [name, path] of files ?? []) assert.equal(sha256(readFileSync(path)), sha256(FILES[name as keyof typeof FILES]), `${at}`)
    assert.ok(bytesIn(folder) < 2 * SIZE, `${at}: ${bytesIn(folder)} bytes`)
    if (code !== null) {
      assert.equal(code, 0, errors)
      assert.ok(files)
      break
    }
    kills++
    // As the next start of the agent.
    const { store } = openStore(t, server.url, { folder, guests: { chosenBytes: () => 2 * SIZE, studios: () => 1 } })
    assert.equal(last(await install(store, REPO, 'studio-guest')).phase, 'install_done', `${at}`)
    assert.deepEqual((await store.guestSpace()).usedBytes, bytesIn(join(folder, 'small')))
    const left = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => statSync(join(folder, name)).isFile())
    assert.deepEqual(
      left.sort(),
      ['.partials.json', ...[...store.filesOf('small', '')!.keys(), 'manifest.json'].map((name) => `small/default/${name}`)].sort(),
      `${at}`,
    )
  }
  assert.ok(kills >= 5, `${kills} kills`)
})
test('a lent machine refuses a studio that asks for the whole catalogue, says why, and shows its owner', async (t) => {
  const tone = { 'config.json': Buffer.from('{"hz":440}'), 'model.onnx': weights('tone', 3_000_000), 'voices/a.bin': weights('a', 4_000) }
  const server = await openModelServer(t, { 'voice-studio/tone': tone })
  const world = await openWorld(t, { remote: true })
  const box = await world.machine('box', { STUDIO_MODELS_URL: server.url, STUDIO_MODELS_CACHE: '' })
  await world.approve(box)
  await world.post('/workers/target', { target: box.workerId })
  const owner = { env: { STUDIO_DATA_DIR: box.dataDir } }
  assert.match(
    (await studio(['agent', 'status'], owner)).output,
    /^Models of other studios: 0 B of at most [\d.]+ [GT]B \(half of the free space\)$/m,
  )
  assert.match((await studio(['agent', 'space', '0.002'], owner)).output, /^Models of other studios: 0 B of at most 2\.0 MB\n$/)

  const request = (repo_id: string) => world.post('/models/install', { repo_id, target: box.workerId, accept_licence: true })
  const stateOf = async (id: string) =>
    (await world.get('/models')).json().models.find(({ repo_id }: { repo_id: string }) => repo_id === id)
  for (const { id } of catalogueOf(true)) await request(id)
  const refused = await eventually(async () => {
    const row = await stateOf('voice-studio/tone')
    return row?.download?.state === 'failed' ? row.download : null
  })
  assert.match(refused.error, /This machine lends 0\.002 GB of its disk for models, .* and Test tone needs 0\.003 GB more/)
  assert.ok(bytesIn(join(box.dataDir, 'agent/models')) < 2_000_000)

  assert.equal((await studio(['agent', 'space', '0.1'], owner)).code, 0)
  await world.post('/models/install/cancel', { repo_id: 'voice-studio/tone' })
  await eventually(async () => (await request('voice-studio/tone')).status === 200)
  await eventually(async () => (await stateOf('voice-studio/tone'))?.installed)
  assert.match((await studio(['agent', 'status'], owner)).output, /^Models of other studios: 3\.0 MB of at most 100 MB$/m)
  assert.match((await studio(['agent', 'space', 'clear'], owner)).output, /^Removed 3\.0 MB of models that other studios installed\.$/m)
  await eventually(async () => (await stateOf('voice-studio/tone'))?.installed === false)
  for (const word of ['-1', 'lots', '1e9', '99999999', '']) assert.equal((await studio(['agent', 'space', word], owner)).code, 2, word)
})
