import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createGraphPlacer, defaultThreads, platformDevices } from '#agent/engine/runtimes/onnx/place.ts'
import { floats, type GraphContract, type GraphFactory } from '#agent/engine/runtimes/onnx/session.ts'
import { createGraphTrial, loadInChild } from '#agent/engine/runtimes/onnx/trial/trial.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { mixing } from '#test/support/models/planted-graphs.ts'
import { filesIn } from './folder.ts'

const CONTRACT: GraphContract = { inputs: [{ name: 'x', type: 'float32', rank: 3 }], outputs: [{ name: 'y', type: 'float32', rank: 3 }] }
const LINUX = { platform: 'linux', arch: 'x64', cores: 4 }
const childAt = (name: string) => fileURLToPath(new URL(`./children/${name}.ts`, import.meta.url))

test('each platform has its order, and the CPU closes every one', () => {
  assert.deepEqual(platformDevices('linux', 'x64'), ['cuda', 'webgpu', 'cpu'])
  assert.deepEqual(platformDevices('plan9', 'mips'), ['cpu'])
  for (const platform of ['linux', 'darwin', 'win32']) {
    for (const arch of ['x64', 'arm64']) assert.equal(platformDevices(platform, arch).at(-1), 'cpu')
  }
  assert.deepEqual([1, 2, 4, 64].map(defaultThreads), [1, 1, 3, 8])
})

test('the CPU passes its trial in a real child, a device without its libraries says why', async (t) => {
  assert.equal(await loadInChild('cpu', null), null)
  const why = await loadInChild('cuda', null)
  if (why === null) t.diagnostic('this machine has CUDA')
  else assert.match(why, /\w/)
  const file = filesIn(t, { 'graph.onnx': mixing(false) }).get('graph.onnx')!
  assert.equal(await loadInChild('cpu', file), null)
  writeFileSync(file, 'no graph')
  assert.notEqual(await loadInChild('cpu', file), null)
})

test('a trial that crashes or hangs reports a reason', async () => {
  assert.match((await createGraphTrial({ child: childAt('crashing') })('webgpu', null))!, /crashed when it was tried \(SIGSEGV\)/)
  assert.match((await createGraphTrial({ child: childAt('hanging'), limitMs: 1_000 })('webgpu', null))!, /did not answer within 1 s/)
  assert.equal(await createGraphTrial({ child: childAt('answering') })('cuda', null), 'the library libcublasLt.so.13 is missing')
})

test('a failing device is skipped with its reason and tried once per process', async (t) => {
  const file = filesIn(t, { 'graph.onnx': mixing(false) }).get('graph.onnx')!
  const trials: string[] = []
  const trial = async (device: string, graph: string | null) => {
    trials.push(graph === null ? device : `${device} with the graph`)
    return device === 'cuda' ? 'no driver' : graph === null ? null : 'lacks an operator'
  }
  const open = createGraphPlacer({ ...LINUX, trial })
  const graph = await open(file, { device: 'auto', contract: CONTRACT })
  assert.equal(graph.device, 'cpu')
  assert.equal(graph.reason, 'cuda: no driver; webgpu: lacks an operator')
  assert.deepEqual([...((await graph.run({ x: floats([1, 2, 3, 4], [1, 1, 4]) }))['y']!.values as Float32Array)], [2, 4, 6, 8])
  await graph.close()
  await (await open(file, { device: 'auto', contract: CONTRACT })).close()
  assert.deepEqual(trials, ['cuda', 'webgpu', 'webgpu with the graph'])
  const cold = await open(file, { device: 'cpu', contract: CONTRACT })
  assert.equal(cold.reason, '')
  await cold.close()
})

test('a device that fails in the host is skipped; a wrong export is a failure', async (t) => {
  const file = filesIn(t, { 'graph.onnx': mixing(false) }).get('graph.onnx')!
  const asked: (string | number | undefined)[] = []
  const failing =
    (detail: unknown): GraphFactory =>
    async (_file, { device, threads }) => {
      asked.push(device, threads)
      if (device !== 'cpu') throw new Failure('INSUFFICIENT_MEMORY', 'too little memory', { detail })
      return { inputs: [], outputs: [], device: 'cpu', reason: '', run: async () => ({}), close: async () => {} }
    }
  const works = async () => null
  const graph = await createGraphPlacer({ ...LINUX, trial: works, open: failing(null) })(file, { device: 'webgpu,cpu', contract: CONTRACT })
  assert.equal(graph.reason, 'webgpu: too little memory')
  assert.deepEqual(asked, ['webgpu', 3, 'cpu', 3])
  const wrong = createGraphPlacer({ ...LINUX, trial: works, open: failing({ wrong: ['x'] }) })(file, { device: 'auto', contract: CONTRACT })
  await assert.rejects(wrong, { code: 'INSUFFICIENT_MEMORY' })
  const nowhere = createGraphPlacer({ ...LINUX, trial: async () => 'no driver' })(file, { device: 'cuda,coreml', contract: CONTRACT })
  await assert.rejects(nowhere, { code: 'MODEL_NOT_INSTALLED', message: /cuda: no driver; coreml: not on this platform/ })
})

test('a restricted process uses the allowed devices only, unless an engine runs on another one alone', async () => {
  const tried: string[] = []
  const file = import.meta.filename
  const open: GraphFactory = async (_, { device }) => ({ device }) as Awaited<ReturnType<GraphFactory>>
  const trial = async (device: string) => {
    tried.push(device)
    return null
  }
  const restricted = createGraphPlacer({ ...LINUX, open, trial, allowed: ['cpu'] })
  assert.equal((await restricted(file, { device: 'auto', contract: CONTRACT })).device, 'cpu')
  assert.equal((await restricted(file, { device: 'cuda,cpu', contract: CONTRACT })).device, 'cpu')
  assert.deepEqual(tried, [])
  assert.equal((await restricted(file, { device: 'cuda', contract: CONTRACT })).device, 'cuda')
  const free = createGraphPlacer({ ...LINUX, open, trial })
  assert.equal((await free(file, { device: 'auto', contract: CONTRACT })).device, 'cuda')
})
