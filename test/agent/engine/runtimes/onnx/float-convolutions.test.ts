// 8-bit convolutions that are computed in single precision, against the runtime's own and against arithmetic by hand.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withFloatConvolutions } from '#agent/engine/runtimes/onnx/float-convolutions.ts'
import { floatOutput, floats, openGraph } from '#agent/engine/runtimes/onnx/session.ts'
import { type ElementType, type GraphText, model } from '#test/support/models/onnx-graph.ts'
import { filesIn } from './folder.ts'

const [CHANNELS, INPUTS, WIDTH, LENGTH] = [3, 2, 3, 20] as const
const WEIGHTS = Array.from({ length: CHANNELS * INPUTS * WIDTH }, (_, at) => ((at * 37) % 25) - 12)
const BIAS = [0.5, -1, 2]
type Form = { readonly type?: 'int8' | 'uint8'; readonly isEach?: boolean; readonly hasBias?: boolean; readonly isReadTwice?: boolean }

/** A convolution as the quantiser of the runtime writes it. */
function quantised({ type = 'int8', isEach = false, hasBias = true, isReadTwice = false }: Form): Buffer {
  const zeros = isEach ? [1, -2, 3] : [1]
  const shift = type === 'uint8' ? 128 : 0
  const scales = isEach ? [0.02, 0.01, 0.03] : [0.02]
  const tensor = (name: string, type: ElementType, values: readonly number[], dims: readonly number[]) => ({ name, type, dims, values })
  const nodes: GraphText['nodes'][number][] = [
    { op: 'DynamicQuantizeLinear', inputs: ['x'], outputs: ['xq', 'xs', 'xz'] },
    { op: 'ConvInteger', inputs: ['xq', 'w', 'xz', 'wz'], outputs: ['sum'], attributes: { pads: [1, 1] } },
    { op: 'Mul', inputs: ['xs', 'ws'], outputs: ['scale'] },
    ...(hasBias
      ? ([
          { op: 'Div', inputs: ['bias', 'scale'], outputs: ['b1'] },
          { op: 'Round', inputs: ['b1'], outputs: ['b2'] },
          { op: 'Cast', inputs: ['b2'], outputs: ['b3'], attributes: { to: 6 } },
          { op: 'Reshape', inputs: ['b3', 'shape'], outputs: ['b4'] },
          { op: 'Add', inputs: ['sum', 'b4'], outputs: ['with'] },
        ] as const)
      : []),
    { op: 'Cast', inputs: [hasBias ? 'with' : 'sum'], outputs: ['real'], attributes: { to: 1 } },
    ...(isEach
      ? ([
          { op: 'Reshape', inputs: ['scale', 'shape'], outputs: ['scales'] },
          { op: 'Mul', inputs: ['real', 'scales'], outputs: ['y0'] },
        ] as const)
      : ([{ op: 'Mul', inputs: ['real', 'scale'], outputs: ['y0'] }] as const)),
    { op: 'Relu', inputs: ['y0'], outputs: ['y'] },
    ...(isReadTwice ? ([{ op: 'Identity', inputs: ['real'], outputs: ['also'] }] as const) : []),
  ]
  return Buffer.from(
    model({
      inputs: [{ name: 'x', type: 'float32', dims: [1, INPUTS, 'n'] }],
      outputs: [
        { name: 'y', type: 'float32', dims: [1, CHANNELS, 'n'] },
        ...(isReadTwice ? [{ name: 'also', type: 'float32' as const, dims: [1, CHANNELS, 'n'] }] : []),
      ],
      nodes,
      initializers: [
        tensor(
          'w',
          type,
          WEIGHTS.map((one) => one + shift),
          [CHANNELS, INPUTS, WIDTH],
        ),
        tensor(
          'wz',
          type,
          zeros.map((one) => one + shift),
          isEach ? [CHANNELS] : [],
        ),
        tensor('ws', 'float32', scales, isEach ? [CHANNELS] : []),
        tensor('bias', 'float32', BIAS, [CHANNELS]),
        tensor('shape', 'int64', [1, -1, 1], [3]),
      ],
    }),
  )
}

const X = Float32Array.from({ length: INPUTS * LENGTH }, (_, at) => Math.sin(at * 1.7) * (1 + (at % 5)))
const contract = {
  inputs: [{ name: 'x', type: 'float32' as const, rank: 3 }],
  outputs: [{ name: 'y', type: 'float32' as const, rank: 3 }],
}

function byHand({ hasBias = true }: Form): number[] {
  const [zero, scale] = [1, 0.02]
  return Array.from({ length: CHANNELS * LENGTH }, (_, index) => {
    const [channel, at] = [Math.floor(index / LENGTH), index % LENGTH]
    let sum = hasBias ? BIAS[channel]! : 0
    for (let input = 0; input < INPUTS; input++)
      for (let tap = 0; tap < WIDTH; tap++) {
        const weight = (WEIGHTS[(channel * INPUTS + input) * WIDTH + tap]! - zero) * scale
        const from = at + tap - 1
        if (from >= 0 && from < LENGTH) sum += weight * X[input * LENGTH + from]!
      }
    return Math.max(0, sum)
  })
}

for (const form of [{}, { type: 'uint8' }, { hasBias: false }] satisfies Form[])
  test(`a convolution is that of its weights in single precision: ${JSON.stringify(form)}`, async (t) => {
    const bytes = quantised(form)
    const changed = withFloatConvolutions(bytes)
    assert.ok(!changed.includes('ConvInteger') && !changed.includes('DynamicQuantizeLinear') && changed.includes('Relu'))
    const files = filesIn(t, { 'a.onnx': bytes })
    const run = async (rewrite: (model: Buffer) => Buffer) => {
      const graph = await openGraph(files.get('a.onnx')!, { device: 'cpu', contract, rewrite })
      t.after(() => graph.close())
      return floatOutput(await graph.run({ x: floats(X, [1, INPUTS, LENGTH]) }), 'y')
    }
    const [rounded, exact] = [await run((model) => model), await run(withFloatConvolutions)]
    for (const [at, expected] of byHand(form).entries()) {
      assert.ok(Math.abs(exact[at]! - expected) < 1e-4, `${at}: ${exact[at]}, not ${expected}`)
      assert.ok(Math.abs(rounded[at]! - expected) < 0.2, 'the runtime computes the same, rounded')
    }
  })

test('a graph of another form, or without 8-bit convolutions, is unchanged', () => {
  for (const form of [{ isReadTwice: true }, { isEach: true }] satisfies Form[]) {
    const bytes = quantised(form)
    assert.equal(withFloatConvolutions(bytes), bytes, JSON.stringify(form))
  }
  const plain = Buffer.from(
    model({
      inputs: [{ name: 'x', type: 'float32', dims: [1] }],
      outputs: [{ name: 'y', type: 'float32', dims: [1] }],
      nodes: [{ op: 'Identity', inputs: ['x'], outputs: ['y'] }],
    }),
  )
  assert.equal(withFloatConvolutions(plain), plain)
  assert.throws(() => withFloatConvolutions(Buffer.from('ConvInteger')), RangeError)
})
