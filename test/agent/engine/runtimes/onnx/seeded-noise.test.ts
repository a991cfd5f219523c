// A graph whose random numbers became an input gives exactly the values of that input, in its own shapes.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { NOISE, NOISE_VALUES, withSeededNoise } from '#agent/engine/runtimes/onnx/seeded-noise.ts'
import { floatOutput, floats, openGraph } from '#agent/engine/runtimes/onnx/session.ts'
import { type GraphText, model } from '#test/support/models/onnx-graph.ts'
import { filesIn } from './folder.ts'

const random = (
  like: string,
  output: string,
  op = 'RandomNormalLike',
  attributes: GraphText['nodes'][number]['attributes'] = { dtype: 1 },
) => ({ op, inputs: [like], outputs: [output], attributes }) as const
const graph = (...nodes: GraphText['nodes']): Buffer =>
  Buffer.from(
    model({
      opset: 15,
      inputs: [{ name: 'x', type: 'float32', dims: ['rows', 'columns'] }],
      outputs: nodes.map(({ outputs }) => ({ name: outputs[0]!, type: 'float32' as const, dims: ['rows', 'columns'] })),
      nodes,
    }),
  )
const contract = (...outputs: string[]) => ({
  inputs: [
    { name: 'x', type: 'float32' as const, rank: 2 },
    { name: NOISE, type: 'float32' as const, rank: 1, dims: [NOISE_VALUES] },
  ],
  outputs: outputs.map((name) => ({ name, type: 'float32' as const, rank: 2 })),
})

test('each use of random numbers takes its own part of the input, again from its start where that ends', async (t) => {
  const files = filesIn(t, { 'a.onnx': graph(random('x', 'first'), random('x', 'second')) })
  const opened = await openGraph(files.get('a.onnx')!, { device: 'cpu', contract: contract('first', 'second'), rewrite: withSeededNoise })
  t.after(() => opened.close())
  const noise = Float32Array.from({ length: NOISE_VALUES }, (_, at) => at)
  const run = async (rows: number, columns: number) => {
    const outputs = await opened.run({
      x: floats(new Float32Array(rows * columns), [rows, columns]),
      [NOISE]: floats(noise, [NOISE_VALUES]),
    })
    assert.deepEqual(outputs['first']!.dims, [rows, columns])
    return [floatOutput(outputs, 'first'), floatOutput(outputs, 'second')] as const
  }
  const [first, second] = await run(2, 3)
  assert.deepEqual([...first], [0, 1, 2, 3, 4, 5])
  assert.deepEqual(
    [...second],
    [0, 1, 2, 3, 4, 5].map((at) => at + 2 ** 14),
  )
  const [long] = await run(2, NOISE_VALUES)
  assert.deepEqual([long[NOISE_VALUES - 1], long[NOISE_VALUES], long[NOISE_VALUES + 5]], [NOISE_VALUES - 1, 0, 5])
})

test('a graph without random numbers is unchanged, and random numbers of another kind are refused', () => {
  const plain = graph({ op: 'Identity', inputs: ['x'], outputs: ['same'] })
  assert.equal(withSeededNoise(plain), plain)
  for (const other of [
    random('x', 'y', 'RandomUniformLike'),
    random('x', 'y', 'RandomNormalLike', { dtype: 1, scale: { float: 2 } }),
    random('x', 'y', 'RandomNormalLike', { seed: { float: 1 } }),
  ])
    assert.throws(() => withSeededNoise(graph(other)), { code: 'MODEL_NOT_DOWNLOADED', message: /cannot be seeded/ })
  assert.throws(() => withSeededNoise(plain.subarray(0, 60)), RangeError)
})

test('a file that cannot be rewritten is named', async (t) => {
  const files = filesIn(t, { 'a.onnx': graph(random('x', 'y')) })
  const path = files.get('a.onnx')!
  writeFileSync(path, graph(random('x', 'y')).subarray(0, 60))
  await assert.rejects(openGraph(path, { device: 'cpu', contract: contract('y'), rewrite: withSeededNoise }), {
    code: 'MODEL_NOT_DOWNLOADED',
    message: /^The graph a\.onnx cannot be read: it ends inside a field\. Download the model again\.$/,
  })
})
