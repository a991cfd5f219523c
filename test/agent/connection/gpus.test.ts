import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createGpuProbe } from '#agent/connection/gpus.ts'
import type { Card } from '#agent/engine/runtimes/onnx/trial/cards.ts'
import { gpuCause } from '#shared/protocol/fields/gpu-causes.ts'
import { silentLog } from '#shared/runtime/log.ts'

const nvidia = (model: string): Card => ({ vendor: 'NVIDIA', model, device: 'cuda' })
const ARC: Card = { vendor: 'Intel', model: 'Intel GPU (0x56a0)', device: 'webgpu' }

test('a machine without a card starts no trial', async () => {
  const probe = createGpuProbe({ trial: async () => assert.fail('a trial'), log: silentLog, cards: async () => [] })
  await probe.probe()
  assert.deepEqual([probe.found(), probe.changes()], [[], 0])
})

test('GPUs that pass the trial are described, with the figures of the driver where it gives them', async () => {
  const tried: string[] = []
  const probe = createGpuProbe({
    trial: async (device) => {
      tried.push(device)
      return null
    },
    log: silentLog,
    query: async () => 'NVIDIA H200, 143771, 143000, 580.1, 9.0\nbroken, [N/A], -1, a b, x;y\n',
    cards: async () => [nvidia('NVIDIA H200'), nvidia('NVIDIA GPU'), ARC],
  })
  await probe.probe()
  const [first, second, third] = probe.found()
  assert.deepEqual(first, {
    vendor: 'NVIDIA',
    model: 'NVIDIA H200',
    backend: 'cuda',
    memory_bytes: 143_771 * 1024 ** 2,
    free_memory_bytes: 143_000 * 1024 ** 2,
    driver_version: '580.1',
    compute_capability: '9.0',
  })
  assert.deepEqual([second!.model, second!.memory_bytes, second!.driver_version, second!.compute_capability], ['broken', 0, '', ''])
  assert.deepEqual([third!.vendor, third!.model, third!.backend], ['Intel', ARC.model, 'webgpu'])
  assert.deepEqual([tried, probe.changes()], [['cuda', 'webgpu'], 1])
})

test('a GPU that no engine can use is described with cause and fix, and logged', async () => {
  for (const [trial, code, reason] of [
    [async () => gpuCause('library-missing', 'libcudart.so.13'), 'library-missing', 'the library libcudart.so.13 is missing'],
    [async () => Promise.reject(new Error('no child')), 'cannot-try', 'it cannot be tried: no child'],
  ] as const) {
    const logged: object[] = []
    const log = { warn: (fields: object) => void logged.push(fields) }
    const probe = createGpuProbe({ trial, log, query: async () => '', cards: async () => [nvidia('NVIDIA T4')] })
    await probe.probe()
    const [unusable] = probe.unusable()
    assert.deepEqual([probe.found(), unusable!.model, unusable!.code, unusable!.reason], [[], 'NVIDIA T4', code, reason])
    assert.match(unusable!.fix, /gpu install again|packages/)
    assert.deepEqual([logged, probe.changes()], [[{ gpus: [{ model: 'NVIDIA T4', reason }] }], 1])
  }
})

test('a card without code in the runtime is not usable beside one that is', async () => {
  const query = async () => 'NVIDIA L4, 1, 1, 580.1, 8.9\nTesla V100, 1, 1, 580.1, 7.0\n'
  const cards = async () => [nvidia('NVIDIA L4'), nvidia('Tesla V100')]
  const probe = createGpuProbe({ trial: async () => null, log: { warn: () => {} }, query, cards })
  await probe.probe()
  assert.deepEqual(
    [probe.found().map(({ model }) => model), probe.unusable().map(({ model, code }) => [model, code])],
    [['NVIDIA L4'], [['Tesla V100', 'card-unsupported']]],
  )
})
