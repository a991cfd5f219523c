// Studios to which a machine is lent ask for every model, and the machine is killed while it installs: the disk of the lender is bounded, no
// unfinished model counts as installed, and nothing is left that belongs to no model. lent-machine.test.ts does it with real programs.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { filesIn } from '#agent/models/manifest.ts'
import { FILES, install, openStore, REPO, SMALL } from '../agent/models/open-store.ts'
import { openModelServer, sha256 } from '../support/doubles/model-server.ts'
import { isLongRun } from '../support/long-run.ts'
import { runToEnd } from '../support/world/cli.ts'
import { temporaryFolder } from '../support/world/world.ts'
import { bytesIn } from './installing/bytes-in.ts'

const ROOT = join(import.meta.dirname, '../..')
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
  const spaceRules = { chosenBytes: () => chosen, studios: () => 2 }
  const { store, folder } = openStore(t, server.url, { models: MODELS, spaceRules })
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
  const { limitBytes, usedBytes } = await store.lentSpace()
  assert.deepEqual([limitBytes, usedBytes > 6 * SIZE], [null, true], 'the free space is unknown here')
  chosen = 0
  assert.match((await ask('studio-greedy', repos[8]!)).message, /lends 0\.000 GB/)

  // The owner takes the space back, and keeps the own models.
  assert.ok((await store.removeOfOthers()) > 6 * SIZE)
  const { usedBytes: left } = await store.lentSpace()
  const installed = store.inventory().filter((model) => model.installed)
  assert.deepEqual([left, installed.map(({ id }) => id)], [0, [repos[7]]])
})

test('unfinished downloads count for the studio that began them, and a studio queues four at most', async (t) => {
  const server = await openModelServer(t, Object.fromEntries(repos.map((repo) => [repo, FILES])))
  for (const repo of repos) server.failAlways(server.fileOf(repo, 'voices/a.bin'), { kind: 'status', status: 403 })
  const spaceRules = { chosenBytes: () => 3.5 * SIZE, studios: () => 1 }
  const { store, folder } = openStore(t, server.url, { models: MODELS, spaceRules })
  // Each leaves the largest file behind.
  for (const id of repos) await install(store, id, 'studio-greedy')
  assert.ok(bytesIn(folder) < 3.5 * SIZE + 12 * 4_096, `${bytesIn(folder)} bytes`)
  assert.ok((await store.lentSpace()).usedBy('studio-greedy') > 2.5 * SIZE)

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
  const preload = join(ROOT, 'test/support/chaos/kills/killed-at-change.ts')
  const program = join(ROOT, 'test/attacks/installing/install-and-end.ts')
  const step = isLongRun ? 1 : 13
  let kills = 0
  for (let at = 1; ; at += step) {
    const folder = temporaryFolder(t)
    const args = ['--import', preload, program, folder, server.url, 'studio-other']
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
    const { store } = openStore(t, server.url, { folder, spaceRules: { chosenBytes: () => 2 * SIZE, studios: () => 1 } })
    assert.equal(last(await install(store, REPO, 'studio-other')).phase, 'install_done', `${at}`)
    assert.deepEqual((await store.lentSpace()).usedBytes, bytesIn(join(folder, 'small')))
    const left = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => statSync(join(folder, name)).isFile())
    assert.deepEqual(
      left.sort(),
      ['.partials.json', ...[...store.filesOf('small', '')!.keys(), 'manifest.json'].map((name) => `small/default/${name}`)].sort(),
      `${at}`,
    )
  }
  assert.ok(kills >= 4, `${kills} kills`)
})
