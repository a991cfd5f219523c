import assert from 'node:assert/strict'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { waitSeconds } from '#agent/models/install.ts'
import { filesIn } from '#agent/models/manifest.ts'
import { lendingOwner } from '#agent/models/store.ts'
import { mayMount, smallDisk } from '#test/support/chaos/small-disk.ts'
import { openModelServer, REVISION, sha256 } from '#test/support/doubles/model-server.ts'
import { eventually, temporaryFolder } from '#test/support/world/world.ts'
import { FILES, install, openStore, phases, REPO, SMALL } from './open-store.ts'

const MODEL = `/${REPO}/resolve/${REVISION}/onnx/model.onnx`
const last = (events: readonly { phase: string; code: string; message: string }[]) => events.at(-1)!

test('a model is downloaded, verified and reported, and an engine gets the paths of its files', async (t) => {
  const server = await openModelServer(t, { [REPO]: FILES })
  const { store, folder } = openStore(t, server.url)
  assert.deepEqual(store.inventory(), [
    { id: REPO, supported: true, installed: false, incomplete: false, installing: false, size_bytes: 0, files: 0 },
  ])
  assert.equal(store.filesOf('small', ''), null)
  const before = store.generation()
  const events = await install(store)
  assert.deepEqual(phases(events).slice(0, 3), ['install_start', 'resolving', 'install_plan'])
  assert.equal(last(events).phase, 'install_done')
  const plan = events.find(({ phase }) => phase === 'install_plan')!
  assert.deepEqual([plan.total, plan.cached, plan.files_total, plan.files_done], [310_014, 0, 4, 0])
  assert.equal(phases(events).filter((phase) => phase === 'done').length, 4)
  const whole = events.findLast(({ phase }) => phase === 'aggregate')!
  assert.deepEqual([whole.downloaded, whole.total, whole.files_done, whole.files_total], [310_014, 310_014, 4, 4])

  const files = store.filesOf('small', '')!
  assert.deepEqual([...files.keys()].sort(), ['config.json', 'onnx/model.onnx', 'voices/a.bin', 'voices/b.bin'])
  for (const [name, path] of files) assert.equal(sha256(readFileSync(path)), sha256(FILES[name as keyof typeof FILES]))
  assert.deepEqual(filesIn(folder)('small', ''), files, 'a host reads the same from the disk')
  assert.ok(store.generation() > before)
  assert.match(store.digestOf('small', ''), /^[0-9a-f]{64}$/)
  assert.equal(server.count(`/${REPO}/resolve/${REVISION}/README.md`), 0)
  assert.equal(statSync(join(folder, 'small/default/manifest.json')).mode & 0o777, 0o600)

  assert.deepEqual(phases(await install(store)), ['install_start', 'install_done'], 'a second time there is nothing to do')
})

test('an interrupted download resumes after the received bytes', async (t) => {
  const server = await openModelServer(t, { [REPO]: FILES })
  server.fail(MODEL, { kind: 'cut', after: 200_000 })
  const { store, waits } = openStore(t, server.url)
  const events = await install(store)
  assert.equal(last(events).phase, 'install_done')
  assert.deepEqual(
    events.filter(({ phase }) => phase === 'install_retry').map(({ attempt }) => attempt),
    [1],
  )
  assert.deepEqual(waits, [2_000])
  const [, second] = server.asked.filter(({ path }) => path === MODEL)
  const [, start] = /^bytes=(\d+)-$/.exec(second!.headers.range!)!
  assert.ok(Number(start) > 0 && Number(start) <= 200_000)
})

test('a server without ranges is read from the beginning', async (t) => {
  const server = await openModelServer(t, { [REPO]: FILES })
  server.forgetRanges()
  server.fail(MODEL, { kind: 'cut', after: 100_000 })
  const { store } = openStore(t, server.url)
  assert.equal(last(await install(store)).phase, 'install_done')
})

test('a stalled download is aborted and retried', async (t) => {
  const server = await openModelServer(t, { [REPO]: FILES })
  server.fail(MODEL, { kind: 'stall', after: 50_000 })
  const { store } = openStore(t, server.url, { stallMs: 1_000 })
  const events = await install(store)
  assert.equal(last(events).phase, 'install_done')
  assert.match(events.find(({ phase }) => phase === 'install_retry')!.message, /sent nothing/)
})

test('a damaged download is rejected and retried five times with increasing waits', async (t) => {
  const server = await openModelServer(t, { [REPO]: FILES })
  server.failAlways(MODEL, { kind: 'corrupt' })
  const { store, waits } = openStore(t, server.url)
  const events = await install(store)
  assert.equal(last(events).phase, 'install_error')
  assert.equal(last(events).code, 'INPUT_CORRUPT')
  assert.equal(server.count(MODEL), 5)
  assert.deepEqual(waits, [2_000, 4_000, 8_000, 16_000])
  assert.deepEqual([5, 6].map(waitSeconds), [30, 30])
  assert.equal(store.filesOf('small', ''), null)
  assert.deepEqual(
    store.inventory().map(({ installed, incomplete }) => [installed, incomplete]),
    [[false, true]],
  )
  server.heal()
  assert.equal(last(await install(store)).phase, 'install_done')
  assert.equal(server.count(`/${REPO}/resolve/${REVISION}/config.json`), 1, 'what was finished stays')
})

test('a response with a wrong length is rejected', async (t) => {
  const server = await openModelServer(t, { [REPO]: FILES })
  for (const length of [10, 299_999]) server.fail(MODEL, { kind: 'announce', length })
  const { store } = openStore(t, server.url)
  const events = await install(store)
  assert.equal(last(events).phase, 'install_done')
  assert.match(events.find(({ phase }) => phase === 'install_retry')!.message, /announced 10 bytes/)
})

test('a refusal is final, a server error is retried', async (t) => {
  for (const [status, words] of [
    [401, /token/],
    [403, /token/],
    [404, /has no/],
    [410, /has no/],
  ] as const) {
    const server = await openModelServer(t, { [REPO]: FILES })
    server.failAlways(MODEL, { kind: 'status', status })
    const { store, waits } = openStore(t, server.url)
    const events = await install(store)
    assert.equal(last(events).code, 'MODEL_REF_REJECTED')
    assert.match(last(events).message, words)
    assert.deepEqual([server.count(MODEL), waits.length], [1, 0])
  }
  const server = await openModelServer(t, { [REPO]: FILES })
  server.fail(MODEL, { kind: 'status', status: 500 }, { kind: 'status', status: 429 })
  const { store } = openStore(t, server.url)
  assert.equal(last(await install(store)).phase, 'install_done')
})

test('a server that cannot be reached is named with the ways out', async (t) => {
  const { store } = openStore(t, 'http://127.0.0.1:1/') // reserved: nothing listens there
  const events = await install(store)
  assert.equal(last(events).code, 'INPUT_FETCH_FAILED')
  assert.match(last(events).message, /cannot be reached \(.*127\.0\.0\.1:1.*\)\. Check the network .* STUDIO_MODELS_URL/)
})

test('the token goes only to its own origin, not to a redirect target', async (t) => {
  const [server, other] = [await openModelServer(t, { [REPO]: FILES }), await openModelServer(t, { [REPO]: FILES })]
  server.failAlways(MODEL, { kind: 'redirect', to: other.url + MODEL })
  const { store } = openStore(t, server.url, { token: 'hub-secret' })
  assert.equal(last(await install(store)).phase, 'install_done')
  assert.ok(server.asked.every(({ headers }) => headers.authorization === 'Bearer hub-secret'))
  assert.deepEqual(
    other.asked.map(({ path, headers }) => [path, headers.authorization]),
    [[MODEL, undefined]],
  )
})

test('redirects are limited and lead neither to remote plain http nor to a file', async (t) => {
  for (const to of ['http://example.org/x', 'file:///etc/passwd', 'https://user:word@example.org/x', 'https://', MODEL]) {
    const server = await openModelServer(t, { [REPO]: FILES })
    server.failAlways(MODEL, { kind: 'redirect', to })
    const { store } = openStore(t, server.url)
    const events = await install(store)
    assert.equal(last(events).phase, 'install_error', to)
    assert.equal(last(events).code, 'BAD_REQUEST', to)
    assert.ok(server.count(MODEL) <= 6)
  }
})

test('nothing is downloaded without disk space, and a disk that fills up is cleaned', async (t) => {
  const server = await openModelServer(t, { [REPO]: FILES })
  const { store } = openStore(t, server.url, { freeDisk: async () => 1_000_000, headroomBytes: 800_000 })
  const events = await install(store)
  assert.equal(last(events).code, 'STORAGE_FULL')
  assert.match(last(events).message, /must stay free/)
  assert.equal(server.count(MODEL), 0)
})

test('a disk that fills up during a download is a readable failure', { skip: !mayMount && 'mounting is not allowed here' }, async (t) => {
  const server = await openModelServer(t, { [REPO]: FILES })
  const { store, folder, waits } = openStore(t, server.url, { folder: smallDisk(t, 'size=100k') })
  const events = await install(store)
  assert.equal(last(events).code, 'STORAGE_FULL')
  assert.equal(waits.length, 0)
  writeFileSync(join(folder, 'room'), Buffer.alloc(40_000)) // and there is room again
})

test('files in another cache are not downloaded again, but are verified', async (t) => {
  const cache = temporaryFolder(t)
  const home = join(cache, 'models--someone--small')
  const put = (name: string, bytes: Buffer) => {
    const [blob, link] = [join(home, 'blobs', sha256(FILES[name as keyof typeof FILES])), join(home, 'snapshots', REVISION, name)]
    for (const path of [blob, link]) mkdirSync(dirname(path), { recursive: true })
    writeFileSync(blob, bytes)
    symlinkSync(blob, link)
    return blob
  }
  const blob = put('onnx/model.onnx', FILES['onnx/model.onnx'])
  const damaged = Buffer.from(FILES['voices/a.bin'])
  damaged[0]! ^= 1
  put('voices/a.bin', damaged)
  // A link that leads out of the cache.
  const outside = join(temporaryFolder(t), 'b.bin')
  writeFileSync(outside, FILES['voices/b.bin'])
  symlinkSync(outside, join(home, 'snapshots', REVISION, 'voices/b.bin'))

  const server = await openModelServer(t, { [REPO]: FILES })
  const { store } = openStore(t, server.url, { cache })
  const events = await install(store)
  assert.equal(last(events).phase, 'install_done')
  assert.equal(server.count(MODEL), 0)
  assert.equal(server.count(`/${REPO}/resolve/${REVISION}/voices/a.bin`), 1)
  assert.equal(server.count(`/${REPO}/resolve/${REVISION}/voices/b.bin`), 1)
  assert.deepEqual(readFileSync(store.filesOf('small', '')!.get('voices/a.bin')!), FILES['voices/a.bin'])
  assert.notDeepEqual(readFileSync(join(home, 'snapshots', REVISION, 'voices/a.bin')), FILES['voices/a.bin'], 'the cache is left as it was')
  await store.remove(REPO, 'local')
  assert.deepEqual(readFileSync(blob), FILES['onnx/model.onnx'])
})

test('a cancel ends waiting and downloading, and the next installation resumes', async (t) => {
  const server = await openModelServer(t, { [REPO]: FILES })
  server.fail(MODEL, { kind: 'stall', after: 100_000 })
  const { store } = openStore(t, server.url)
  assert.equal(store.stopInstall(REPO, 'local'), false)
  const told: string[] = []
  for await (const { phase, file, downloaded } of store.install(REPO, 'local', new AbortController().signal)) {
    told.push(phase)
    if (phase !== 'progress' && !(phase === 'start' && file === 'onnx/model.onnx')) continue
    assert.throws(() => store.stopInstall(REPO, 'another-tenant'), { code: 'CONFLICT' })
    assert.equal(store.stopInstall(REPO, 'local'), true)
    void downloaded
  }
  assert.equal(told.at(-1), 'install_cancelled')
  assert.equal(last(await install(store)).phase, 'install_done')
})

test('a tenant changes the order of its own waiting installations, and of no other', async (t) => {
  const repos = ['running', 'second', 'of-another', 'third'].map((name) => `someone/${name}`)
  const server = await openModelServer(t, Object.fromEntries(repos.map((repo) => [repo, FILES])))
  const held = Promise.withResolvers<void>()
  const slow = `/${repos[0]}/resolve/${REVISION}/onnx/model.onnx`
  server.fail(slow, { kind: 'wait', until: held.promise })
  const models = repos.map((id) => ({
    ...SMALL,
    id,
    engine: id.split('/')[1]!,
    sources: SMALL.sources.map((one) => ({ ...one, repo: id })),
  }))
  const { store } = openStore(t, server.url, { models })
  const ended: string[] = []
  const begun = repos.map(async (id) => {
    const events = await install(store, id, id.endsWith('another') ? 'panel-1' : 'local')
    ended.push(id)
    return last(events).phase
  })
  await eventually(async () => server.count(slow) > 0)
  const signal = AbortSignal.abort()
  for await (const _ of store.install(repos[3]!, 'local', signal, true)) assert.fail('left already')
  // Neither the installation of another tenant nor the running one moves.
  for await (const _ of store.install(repos[2]!, 'local', signal, true)) assert.fail('left already')
  for await (const _ of store.install(repos[0]!, 'local', signal, true)) assert.fail('left already')
  held.resolve()
  assert.deepEqual(await Promise.all(begun), Array(4).fill('install_done'))
  assert.deepEqual(ended, [repos[0], repos[3], repos[2], repos[1]])
  assert.throws(() => store.install(repos[3]!, 'local', signal, true), { code: 'CONFLICT' }, 'one that has ended is not started again')
})

test('the installations of one tenant are stopped together, those of others go on', async (t) => {
  const server = await openModelServer(t, { [REPO]: FILES })
  const { promise, resolve } = Promise.withResolvers<void>()
  server.fail(MODEL, { kind: 'wait', until: promise })
  const { store } = openStore(t, server.url)
  const mine = install(store, REPO, 'panel-1')
  store.stopAll('panel-2')
  assert.equal(store.inventory()[0]?.installing, true)
  store.stopAll('panel-1')
  resolve()
  assert.equal(last(await mine).phase, 'install_cancelled')
})

test('two requests for the same model share one download', async (t) => {
  const server = await openModelServer(t, { [REPO]: FILES })
  const { promise, resolve } = Promise.withResolvers<void>()
  server.fail(MODEL, { kind: 'wait', until: promise })
  const { store } = openStore(t, server.url)
  const both = [install(store, REPO, 'local'), install(store, REPO, 'panel-1')]
  resolve()
  for (const events of await Promise.all(both)) assert.equal(last(events).phase, 'install_done')
  assert.equal(server.count(MODEL), 1)
})

test('a model can be removed only by its installer and only while unused', async (t) => {
  const server = await openModelServer(t, { [REPO]: FILES })
  let busy = true
  const { store, folder } = openStore(t, server.url, {
    release: async () => {
      if (busy) throw Object.assign(new Error('working'), { code: 'CONFLICT' })
    },
  })
  await assert.rejects(store.remove(REPO, 'local'), { code: 'NOT_FOUND' })
  await assert.rejects(store.remove('no/such', 'local'), { code: 'MODEL_REF_REJECTED' })
  assert.throws(() => store.install('../../etc', 'local', new AbortController().signal), { code: 'MODEL_REF_REJECTED' })
  await install(store, REPO, 'panel-1')
  for (const other of ['local', lendingOwner('a')]) await assert.rejects(store.remove(REPO, other), { code: 'CONFLICT' })
  await assert.rejects(store.remove(REPO, 'panel-1'), { code: 'CONFLICT' })
  busy = false
  const freed = await store.remove(REPO, 'panel-1')
  assert.ok(freed > 310_000 && freed < 320_000)
  assert.equal(existsSync(join(folder, 'small/default')), false)
  assert.equal(store.filesOf('small', ''), null)
  await install(store, REPO, lendingOwner('a'))
  await assert.rejects(store.remove(REPO, lendingOwner('b')), { code: 'CONFLICT' })
  await store.remove(REPO, lendingOwner('a'))
  await install(store, REPO, 'lending-2') // of an earlier version
  await assert.rejects(store.remove(REPO, 'local'), { code: 'CONFLICT' })
  await store.remove(REPO, lendingOwner('b'))
})

test('a model with a truncated or linked file is not installed and is downloaded again', async (t) => {
  const server = await openModelServer(t, { [REPO]: FILES })
  const { store } = openStore(t, server.url)
  await install(store)
  const path = store.filesOf('small', '')!.get('onnx/model.onnx')!
  truncateSync(path, 100)
  assert.equal(store.filesOf('small', ''), null)
  assert.equal(last(await install(store)).phase, 'install_done')
  const elsewhere = `${path}.elsewhere`
  linkSync(path, elsewhere)
  rmSync(path)
  symlinkSync(elsewhere, path)
  assert.equal(store.filesOf('small', ''), null)
  for (const name of ['..', '.', 'a/b', '']) assert.equal(store.filesOf(name, ''), null)
})

test('a space is requested and cached under its own prefix', async (t) => {
  const space = `spaces/${REPO}`
  const server = await openModelServer(t, { [space]: FILES })
  const cache = temporaryFolder(t)
  const cached = join(cache, 'spaces--someone--small/snapshots', REVISION, 'onnx/model.onnx')
  mkdirSync(dirname(cached), { recursive: true })
  writeFileSync(cached, FILES['onnx/model.onnx'])
  const { store } = openStore(t, server.url, { cache, models: [{ ...SMALL, sources: [{ ...SMALL.sources[0]!, repo: space }] }] })
  const events = await install(store)
  assert.equal(last(events).phase, 'install_done', last(events).message)
  assert.deepEqual(server.asked.map(({ path }) => path.split('/').slice(1, 5).join('/')).slice(0, 2), [
    'api/spaces/someone/small',
    'api/spaces/someone/small',
  ])
  assert.equal(server.count(`/${space}/resolve/${REVISION}/onnx/model.onnx`), 0)
  assert.equal(server.count(`/${space}/resolve/${REVISION}/config.json`), 1)
})

test('a listing that differs from the catalogue or contains paths outside the model is refused', async (t) => {
  const server = await openModelServer(t, { [REPO]: FILES, 'someone/evil': { ...FILES, 'voices/.x.bin': FILES['voices/a.bin'] } })
  const refused = async (model: typeof SMALL, words: RegExp) => {
    const { store } = openStore(t, server.url, { models: [model] })
    const events = await install(store, model.id)
    assert.equal(last(events).code, 'MODEL_REF_REJECTED')
    assert.match(last(events).message, words)
  }
  const [source] = SMALL.sources
  const wanting = (path: string, size: number | null, digest: string | null) => ({
    ...SMALL,
    sources: [{ ...source!, files: [{ path, size, sha256: digest }] }],
  })
  await refused(wanting('onnx/model.onnx', 299_999, null), /differs from the catalogue/)
  await refused(wanting('onnx/model.onnx', null, '0'.repeat(64)), /differs from the catalogue/)
  await refused(wanting('onnx/other.onnx', null, null), /no longer has the file/)
  await refused({ ...SMALL, id: 'someone/evil', sources: [{ ...source!, repo: 'someone/evil' }] }, /not allowed/)
})

test('values pinned in the catalogue apply beside files from the listing, also for small files', async (t) => {
  const server = await openModelServer(t, { [REPO]: FILES })
  const [source] = SMALL.sources
  const wanting = (digest: string) => ({
    ...SMALL,
    sources: [
      {
        ...source!,
        revision: REVISION,
        files: [
          { path: 'config.json', size: FILES['config.json'].length, sha256: digest },
          { path: 'onnx/model.onnx', size: null, sha256: null },
        ],
      },
    ],
  })
  const { store } = openStore(t, server.url, { models: [wanting(sha256(FILES['config.json']))] })
  assert.equal(last(await install(store)).phase, 'install_done')
  const branch = server.asked.filter(({ path }) => path.includes('/revision/'))
  assert.deepEqual(branch, [], 'a pinned commit is not looked up')
  const { store: other } = openStore(t, server.url, { models: [wanting('0'.repeat(64))] })
  assert.equal(last(await install(other)).code, 'INPUT_CORRUPT')
})
