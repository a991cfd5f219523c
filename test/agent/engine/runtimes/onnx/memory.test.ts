// Memory of a process after opening and closing graphs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { floats, type GraphContract, openGraph } from '#agent/engine/runtimes/onnx/session.ts'
import { model } from '#test/support/models/onnx-graph.ts'
import { filesIn } from './folder.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
const SIZE = 512
const CONTRACT: GraphContract = { inputs: [{ name: 'x', type: 'float32', rank: 2 }], outputs: [{ name: 'y', type: 'float32', rank: 2 }] }

test('opening, running and closing two hundred times does not leak memory', async (t) => {
  const graph = model({
    inputs: [{ name: 'x', type: 'float32', dims: ['n', SIZE] }],
    outputs: [{ name: 'y', type: 'float32', dims: ['n', SIZE] }],
    nodes: [{ op: 'MatMul', inputs: ['x', 'w'], outputs: ['y'] }],
    initializers: [{ name: 'w', type: 'float32', dims: [SIZE, SIZE], values: new Float32Array(SIZE * SIZE).fill(0.5) }],
  })
  const file = filesIn(t, { 'graph.onnx': graph }).get('graph.onnx')!
  const cycle = async (rows: number) => {
    const opened = await openGraph(file, { device: 'cpu', threads: 1, contract: CONTRACT })
    await opened.run({ x: floats(new Float32Array(rows * SIZE).fill(1), [rows, SIZE]) })
    await opened.close()
  }
  const after200 = async () => {
    for (let round = 0; round < 200; round++) {
      await cycle(1 + (round % 16))
      if (round % 50 === 49) collectGarbage()
    }
    return process.memoryUsage.rss()
  }
  // The first two hundred fill what the allocator keeps; a leak goes on after them.
  const before = await after200()
  const growth = (await after200()) / before - 1
  t.diagnostic(`${(growth * 100).toFixed(1)} % more after 200 cycles`)
  assert.ok(growth < 0.1, `${growth}`)
})
