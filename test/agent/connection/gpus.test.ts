import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createGpuProbe } from '#agent/connection/gpus.ts'
import { silentLog } from '#shared/runtime/log.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

function driver(t: TestContext, ...informations: string[]): string {
  const folder = temporaryFolder(t)
  for (const [index, text] of informations.entries()) {
    mkdirSync(join(folder, `0000:0${index}:00.0`))
    writeFileSync(join(folder, `0000:0${index}:00.0`, 'information'), text)
  }
  return folder
}

test('a machine without a driver starts no trial', async () => {
  const probe = createGpuProbe({ trial: async () => assert.fail('a trial'), log: silentLog, folder: '/nowhere' })
  await probe.probe()
  assert.deepEqual([probe.found(), probe.changes()], [[], 0])
})

test('GPUs that pass the trial are described, with the figures of the driver where it gives them', async (t) => {
  const folder = driver(t, 'Model: \t\t NVIDIA H200\nIRQ: 5\n', 'nonsense')
  const probe = createGpuProbe({
    trial: async (device, file) => {
      assert.deepEqual([device, file], ['cuda', null])
      return null
    },
    log: silentLog,
    query: async () => 'NVIDIA H200, 143771, 143000, 570.1, 9.0\nbroken, [N/A], -1, a b, x;y\n',
    folder,
  })
  await probe.probe()
  const [first, second] = probe.found()
  assert.deepEqual(first, {
    vendor: 'NVIDIA',
    model: 'NVIDIA H200',
    backend: 'cuda',
    memory_bytes: 143_771 * 1024 ** 2,
    free_memory_bytes: 143_000 * 1024 ** 2,
    driver_version: '570.1',
    compute_capability: '9.0',
  })
  assert.deepEqual([second!.model, second!.memory_bytes, second!.driver_version, second!.compute_capability], ['broken', 0, '', ''])
  assert.equal(probe.changes(), 1)
})

test('a GPU that no engine can use is described with the reason, and logged', async (t) => {
  const folder = driver(t, 'Model: NVIDIA T4\n', 'Model: NVIDIA T4\n')
  for (const [trial, reason] of [
    [async () => 'the library libcudart.so.13 is missing', 'the library libcudart.so.13 is missing'],
    [async () => Promise.reject(new Error('no child')), 'it cannot be tried: no child'],
  ] as const) {
    const logged: object[] = []
    const log = { warn: (fields: object) => void logged.push(fields) }
    const probe = createGpuProbe({ trial, log, query: async () => assert.fail('a query'), folder })
    await probe.probe()
    assert.deepEqual([probe.found(), probe.unusable()], [[], Array(2).fill({ model: 'NVIDIA T4', reason })])
    assert.deepEqual([logged, probe.changes()], [[{ gpus: ['NVIDIA T4', 'NVIDIA T4'], reason }], 1])
  }
})
