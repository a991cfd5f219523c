// Measurements of hosts update the capabilities and decide whether an engine can be loaded again.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { measureFootprint, parseDeviceBytes } from '#agent/engine/host/footprint.ts'
import { GIB } from '#shared/runtime/memory/bytes.ts'
import { collect, oneSegment, openPool } from './open-pool.ts'

const HOST = fileURLToPath(new URL('./measuring-host.ts', import.meta.url))

test('a measured engine reports device and memory, and is not loaded without enough memory', async (t) => {
  let available = 8 * GIB
  const { pool, tts } = await openPool(t, { hostPath: HOST, availableMemory: () => available })
  const row = async () => (await pool.capabilities()).find(({ engine }) => engine === 'kokoro')!
  const estimated = (await row()).memoryBytes
  assert.equal((await row()).device, 'cpu')
  const measured = { device: 'cuda', reason: '', beforeBytes: 1, memoryBytes: 3 * GIB, deviceBytes: 5 }
  const run = () => collect(tts(oneSegment(JSON.stringify(measured)), { engine: 'kokoro' }))
  await run()
  assert.equal((await row()).device, 'cuda')
  assert.equal((await row()).memoryBytes, 3 * GIB)
  assert.notEqual(estimated, 3 * GIB)

  available = GIB
  await run() // what is loaded has its memory already
  await pool.unload('kokoro')
  assert.equal(pool.freePermits('kokoro'), 0)
  assert.throws(() => tts(oneSegment('x'), { engine: 'kokoro' }), { code: 'INSUFFICIENT_MEMORY', message: /needs 3072 MiB/ })
  assert.equal(pool.freePermits('svc-engine'), 4, 'another engine has its own measure')
  available = 4 * GIB
  assert.equal(pool.freePermits('kokoro'), 1)
  await run()
})

test('each model has its own measurement, and unloading makes room for the next', async (t) => {
  let available = 8 * GIB
  const { pool, tts } = await openPool(t, { hostPath: HOST, availableMemory: () => available })
  const run = (model: string, memoryBytes: number) =>
    collect(tts(oneSegment(JSON.stringify({ device: 'cpu', reason: '', beforeBytes: 1, memoryBytes, deviceBytes: 0 })), { model }))
  await run('', 2 * GIB)
  await run('vast', 3 * GIB)
  assert.deepEqual(pool.resident(), ['tone:vast'], 'one model at a time')
  const rows = (await pool.capabilities()).filter(({ engine, operation }) => engine === 'tone' && operation === 'tts')
  assert.deepEqual(
    rows.slice(0, 2).map(({ model, memoryBytes }) => [model, memoryBytes / GIB]),
    [
      ['', 2],
      ['vast', 3],
    ],
  )
  available = 1
  await run('', 2 * GIB)
  assert.throws(() => tts(oneSegment('x'), { model: 'vast' }), { code: 'INSUFFICIENT_MEMORY' })
  available = GIB
  await run('vast', 3 * GIB)
})

test('a model that is not downloaded is distinguished from an unknown one', async (t) => {
  const { tts } = await openPool(t)
  assert.throws(() => tts(oneSegment('x'), { engine: 'kokoro', model: 'q8' }), { code: 'MODEL_NOT_DOWNLOADED', message: /q8 of kokoro/ })
  assert.throws(() => tts(oneSegment('x'), { engine: 'kokoro', model: 'unknown' }), { code: 'MODEL_REF_REJECTED' })
})

test('device memory is read from the list of the driver', async () => {
  assert.equal(parseDeviceBytes('12, 300\n13, 40\n12, 24\n', 12), 324 * 1024 ** 2)
  assert.equal(parseDeviceBytes('12, [N/A]\n', 12), 0)
  assert.equal(parseDeviceBytes('', 12), 0)
  const footprint = await measureFootprint('cpu')
  assert.equal(footprint.deviceBytes, 0)
  assert.ok(footprint.memoryBytes > 10 * 1024 ** 2)
  assert.equal(typeof (await measureFootprint('cuda')).deviceBytes, 'number')
})
