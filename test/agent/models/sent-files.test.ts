// Files that other studios send: nothing without the limit of the owner, in order, no more than was announced, and nothing is left of a studio that may
// not use the machine any more.
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { openModelServer } from '#test/support/doubles/model-server.ts'
import { PIPER_FILES } from '#test/support/models/own/own-files.ts'
import { FILES, install, openStore, REPO } from './open-store.ts'

const STUDIO = 'studio-1'
const [ONE, TWO] = ['a'.repeat(32), 'b'.repeat(32)]
function open(t: TestContext, filesBytes = 1_000_000, freeBytes = 0, more: Parameters<typeof openStore>[2] = {}) {
  const limit = { bytes: filesBytes }
  const spaceRules = { chosenBytes: () => 2_000_000, studios: () => 1, filesBytes: () => limit.bytes }
  return { ...openStore(t, 'http://127.0.0.1:1', { spaceRules, freeDisk: async () => freeBytes, ...more }), limit }
}
const chunk = (more: object = {}) => ({
  addition: ONE,
  index: 0,
  name: 'x.onnx',
  offset: 0,
  total: 10,
  payload: new Uint8Array(4),
  ...more,
})
const files = Object.entries(PIPER_FILES).map(([name, bytes]) => ({ name, payload: Buffer.from(bytes as string) }))
const total = files.reduce((sum, { payload }) => sum + payload.length, 0)

test('a model that arrives in pieces is like any other, and belongs to its studio', async (t) => {
  const { store, folder } = open(t)
  for (const [index, { name, payload }] of files.entries()) {
    const half = payload.length >> 1
    await store.putFile(chunk({ index, name, total, payload: payload.subarray(0, half) }), STUDIO)
    await store.putFile(chunk({ index, name, total, offset: half, payload: payload.subarray(half) }), STUDIO)
  }
  assert.equal((await store.lentSpace()).usedBy(STUDIO), total, 'what is on its way counts')
  const { id } = await store.add({ addition: ONE, name: '', engine: '' }, STUDIO)
  assert.equal(id, 'own/en_US-someone-medium')
  assert.deepEqual(readdirSync(folder), ['piper'])
  assert.ok((await store.lentSpace()).usedBy(STUDIO) > total)
  await assert.rejects(store.remove(id, 'local'), { code: 'CONFLICT' })
  assert.ok((await store.removeOfOthers()) > 0)
  assert.deepEqual(
    store.inventory().filter(({ own }) => own),
    [],
  )
})

test('what the owner does not allow is refused', async (t) => {
  const { store, folder, limit } = open(t, 0)
  await assert.rejects(store.putFile(chunk(), STUDIO), /does not let studios send files/)
  limit.bytes = 9
  await assert.rejects(store.putFile(chunk(), STUDIO), /these files are larger/)
  limit.bytes = 5_000_000
  await assert.rejects(store.putFile(chunk({ total: 3_000_000 }), STUDIO), { code: 'CONFLICT', message: /lends 0\.002 GB/ })
  await store.putFile(chunk({ payload: new Uint8Array(10) }), STUDIO)
  limit.bytes = 0
  await assert.rejects(store.add({ addition: ONE, name: '', engine: '' }, STUDIO), /does not let studios send files/)
  store.stopAll(STUDIO)
  assert.deepEqual(readdirSync(folder), [])
  const full = open(t, 1_000_000, 5)
  await assert.rejects(full.store.putFile(chunk(), STUDIO), /too little free space/)
})

test('bytes out of order, too many bytes, and the addition of another studio are refused', async (t) => {
  const { store, folder } = open(t)
  await store.putFile(chunk(), STUDIO)
  for (const wrong of [{ offset: 5 }, { offset: 0 }, { index: 2 }, { offset: 4, payload: new Uint8Array(7) }])
    await assert.rejects(store.putFile(chunk(wrong), STUDIO), { code: 'CONFLICT' }, JSON.stringify(wrong))
  await assert.rejects(store.add({ addition: ONE, name: '', engine: '' }, STUDIO), /not complete/)
  await assert.rejects(store.add({ addition: ONE, name: '', engine: '' }, 'studio-2'), { code: 'NOT_FOUND' })
  assert.equal(statSync(join(folder, `.adding-${ONE}`, '0')).size, 4)
  // A new one replaces it.
  await store.putFile(chunk({ addition: TWO }), STUDIO)
  assert.deepEqual(readdirSync(folder), [`.adding-${TWO}`])
  await assert.rejects(store.putFile(chunk({ offset: 4 }), STUDIO), { code: 'CONFLICT' })
  store.stopAll(STUDIO)
  assert.deepEqual(readdirSync(folder), [])
})

test('studios do not take the additions of each other', async (t) => {
  const { store, folder } = open(t)
  await store.putFile(chunk(), STUDIO)
  await assert.rejects(store.putFile(chunk({ offset: 4 }), 'studio-2'))
  assert.equal(statSync(join(folder, `.adding-${ONE}`, '0')).size, 4)
})

/** A recognition that takes long: `begun` resolves when it runs. */
function slowRecognition() {
  const begun = Promise.withResolvers<void>()
  const prepareModel = (_place: string, _wanted: object, signal: AbortSignal) =>
    new Promise<never>((_, reject) => {
      begun.resolve()
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    })
  return { begun: begun.promise, prepareModel }
}

test('what the owner does not allow any more ends, and counts no longer', async (t) => {
  const { begun, prepareModel } = slowRecognition()
  const { store, folder, limit } = open(t, 1_000_000, 0, { prepareModel })
  await store.putFile(chunk({ payload: new Uint8Array(10) }), STUDIO)
  const adding = assert.rejects(store.add({ addition: ONE, name: '', engine: '' }, STUDIO), /does not let studios send files/)
  await begun
  await store.putFile(chunk({ addition: TWO }), STUDIO)
  await store.lentSpace()
  assert.equal(readdirSync(folder).length, 2)
  limit.bytes = 0
  const { usedBy, expectedBy } = await store.lentSpace()
  assert.equal(expectedBy(STUDIO), 0)
  await adding
  assert.deepEqual(readdirSync(folder), [])
  assert.equal((await store.lentSpace()).usedBy(STUDIO), 0)
  assert.ok(usedBy(STUDIO) <= 10)
})

test('a studio that may not use the machine any more adds nothing, also while its first piece is admitted', async (t) => {
  const asked = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<number>()
  const freeDisk = async () => {
    asked.resolve()
    return answer.promise
  }
  const { store, folder } = open(t, 1_000_000, 0, { freeDisk })
  const putting = [chunk(), chunk({ offset: 4 })].map((one) => assert.rejects(store.putFile(one, STUDIO), { code: 'CANCELLED' }))
  await asked.promise
  store.stopAll(STUDIO)
  answer.resolve(0)
  await Promise.all(putting)
  assert.deepEqual(readdirSync(folder), [])
  // It was enrolled again.
  await store.putFile(chunk(), STUDIO)
  assert.equal((await store.lentSpace()).usedBy(STUDIO), 4)
})

test('pieces that arrive at the same time are written one after the other, and every byte counts', async (t) => {
  const { store, folder } = open(t)
  const bytes = () =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => statSync(join(folder, name)))
      .reduce((sum, found) => sum + (found.isFile() ? found.size : 0), 0)
  const payload = new Uint8Array(10)
  const all = await Promise.allSettled(Array.from({ length: 4 }, () => store.putFile(chunk({ payload }), STUDIO)))
  assert.deepEqual(
    all.map(({ status }) => status),
    ['fulfilled', 'rejected', 'rejected', 'rejected'],
  )
  assert.deepEqual([bytes(), (await store.lentSpace()).usedBy(STUDIO)], [10, 10])
  await Promise.allSettled([TWO, ONE].map((addition) => store.putFile(chunk({ addition, payload }), STUDIO)))
  assert.deepEqual([readdirSync(folder), bytes(), (await store.lentSpace()).usedBy(STUDIO)], [[`.adding-${ONE}`], 10, 10])
  const flood = await Promise.allSettled(Array.from({ length: 30 }, () => store.putFile(chunk({ addition: ONE }), STUDIO)))
  const told = flood.map((one) => (one.status === 'rejected' ? String(one.reason.message) : ''))
  assert.ok(told.some((message) => /at the same time/.test(message)))
})

test('an addition counts until it is a model; announced bytes are expected, and not free for others', async (t) => {
  const { begun, prepareModel } = slowRecognition()
  const { store } = open(t, 1_000_000, 100, { prepareModel })
  await store.putFile(chunk({ total: 60 }), STUDIO)
  const { usedBy, expectedBy, usedBytes, expectedBytes } = await store.lentSpace()
  assert.deepEqual([usedBy(STUDIO), expectedBy(STUDIO), usedBytes, expectedBytes], [4, 56, 4, 56])
  await assert.rejects(store.putFile(chunk({ addition: TWO, total: 60 }), 'studio-2'), /too little free space/)
  await store.putFile(chunk({ total: 60, offset: 4, payload: new Uint8Array(56) }), STUDIO)
  const adding = assert.rejects(store.add({ addition: ONE, name: '', engine: '' }, STUDIO), { code: 'CANCELLED' })
  await begun
  assert.equal((await store.lentSpace()).usedBy(STUDIO), 60)
  store.stopAll(STUDIO)
  await adding
  assert.equal((await store.lentSpace()).usedBy(STUDIO), 0)

  const both = open(t, 1_000_000, 100).store
  const two = await Promise.allSettled([ONE, TWO].map((addition, at) => both.putFile(chunk({ addition, total: 60 }), `studio-${at}`)))
  assert.deepEqual(
    two.map(({ status }) => status),
    ['fulfilled', 'rejected'],
  )
})

test('a download that runs is not free space for files', async (t) => {
  const server = await openModelServer(t, { [REPO]: FILES })
  const held = Promise.withResolvers<void>()
  const file = server.fileOf(REPO, 'voices/a.bin')
  server.failAlways(file, { kind: 'wait', until: held.promise })
  const size = Object.entries(FILES).reduce((sum, [name, bytes]) => sum + (name === 'README.md' ? 0 : bytes.length), 0)
  const spaceRules = { chosenBytes: () => 5_000_000, studios: () => 1, filesBytes: () => 1_000_000 }
  const { store } = openStore(t, server.url, { spaceRules, freeDisk: async () => size + 20 })
  const end = new AbortController()
  const events = store.install(REPO, STUDIO, end.signal)[Symbol.asyncIterator]()
  for (let next = await events.next(); next.value?.phase !== 'aggregate'; next = await events.next()) assert.ok(!next.done)
  const { usedBy, expectedBy } = await store.lentSpace()
  assert.ok(expectedBy(STUDIO) > 0)
  assert.ok(usedBy(STUDIO) + expectedBy(STUDIO) >= size)
  await assert.rejects(store.putFile(chunk({ total: size }), STUDIO), /too little free space/)
  held.resolve()
  server.heal()
  end.abort()
  await install(store, REPO, STUDIO)
  assert.equal((await store.lentSpace()).expectedBy(STUDIO), 0)
})

test('a model that is larger than its files were needs space, too', async (t) => {
  const { store, folder } = open(t, 1_000_000, 0, {
    prepareModel: async (place) => {
      const files = [{ path: 'x', size: 3_000_000, sha256: '' }]
      return { id: 'own/x', label: 'x', role: 'TTS', engine: 'piper', model: 'own-x', place, files }
    },
  })
  await store.putFile(chunk({ payload: new Uint8Array(10) }), STUDIO)
  await assert.rejects(store.add({ addition: ONE, name: '', engine: '' }, STUDIO), { code: 'CONFLICT', message: /lends 0\.002 GB/ })
  assert.deepEqual(readdirSync(folder), [])
})

test('errors of the disk are told without paths of this machine', async (t) => {
  const { store, folder } = open(t)
  const told = async (work: Promise<unknown>) => {
    const error = await work.then(
      () => assert.fail('it was taken'),
      (reason: Error & { code: string }) => reason,
    )
    assert.equal(error.code, 'CONFLICT')
    assert.ok(!error.message.includes(folder), error.message)
    return error.message
  }
  mkdirSync(join(folder, `.adding-${ONE}`))
  assert.match(await told(store.putFile(chunk(), STUDIO)), /there already/)
  await store.putFile(chunk({ addition: TWO, payload: new Uint8Array(10) }), STUDIO)
  mkdirSync(join(folder, `.adding-${TWO}`, 'files.json'))
  assert.match(await told(store.add({ addition: TWO, name: '', engine: '' }, STUDIO)), /could not store/)
  assert.deepEqual(readdirSync(folder), [`.adding-${ONE}`])
})
