// Files that other studios send: nothing without the limit of the owner, in order, no more than was announced, and nothing is left of a studio that may
// not use the machine any more.
import assert from 'node:assert/strict'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { PIPER_FILES } from '#test/support/models/own/own-files.ts'
import { openStore } from './open-store.ts'

const STUDIO = 'studio-1'
const [ONE, TWO] = ['a'.repeat(32), 'b'.repeat(32)]
function open(t: TestContext, filesBytes = 1_000_000, freeBytes = 0) {
  const limit = { bytes: filesBytes }
  const spaceRules = { chosenBytes: () => 2_000_000, studios: () => 1, filesBytes: () => limit.bytes }
  return { ...openStore(t, 'http://127.0.0.1:1', { spaceRules, freeDisk: async () => freeBytes }), limit }
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
