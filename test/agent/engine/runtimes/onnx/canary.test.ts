import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refuseCausalGraph } from '#agent/engine/runtimes/onnx/canary.ts'
import { finiteFloats, isAllFinite } from '#agent/engine/runtimes/onnx/finite.ts'
import { floats, type GraphContract, openGraph } from '#agent/engine/runtimes/onnx/session.ts'
import { mixing } from '#test/support/models/planted-graphs.ts'
import { filesIn } from './folder.ts'

const CONTRACT: GraphContract = { inputs: [{ name: 'x', type: 'float32', rank: 3 }], outputs: [{ name: 'y', type: 'float32', rank: 3 }] }
const LENGTH = 5
const inputs = (last: number) => ({
  x: floats(
    Array.from({ length: LENGTH * 4 }, (_, at) => (at >= (LENGTH - 1) * 4 ? last : at / 10)),
    [1, LENGTH, 4],
  ),
})

for (const isCausal of [false, true]) {
  test(`a ${isCausal ? 'causal export is refused' : 'bidirectional export passes'}`, async (t) => {
    const file = filesIn(t, { 'graph.onnx': mixing(isCausal) }).get('graph.onnx')!
    const graph = await openGraph(file, { device: 'cpu', contract: CONTRACT })
    t.after(() => graph.close())
    const first = (values: Float32Array) => values.subarray(0, 4)
    const check = refuseCausalGraph({ graph, before: inputs(1), after: inputs(2), output: 'y', first, file: 'backbone.onnx' })
    if (isCausal) await assert.rejects(check, { code: 'MODEL_NOT_DOWNLOADED', message: /backbone\.onnx is the wrong export.*causal/ })
    else await check
    const broken = refuseCausalGraph({
      graph,
      before: inputs(Number.NaN),
      after: inputs(Number.NaN),
      output: 'y',
      first: (all) => all,
      file: 'b',
    })
    await assert.rejects(broken, { code: 'NON_FINITE_OUTPUT' })
  })
}

test('non-finite samples are computed again once, if there is another precision', async () => {
  const good = Float32Array.of(0.5, -0.5)
  const bad = Float32Array.of(0.5, Number.NaN)
  assert.deepEqual(await finiteFloats(async () => good, null, 'x'), { samples: good, isSecond: false })
  assert.deepEqual(
    await finiteFloats(
      async () => bad,
      async () => good,
      'x',
    ),
    { samples: good, isSecond: true },
  )
  await assert.rejects(
    finiteFloats(async () => bad, null, 'kokoro'),
    { code: 'NON_FINITE_OUTPUT', message: 'The engine kokoro produced samples that are not finite.' },
  )
  await assert.rejects(
    finiteFloats(
      async () => bad,
      async () => bad,
      'kokoro',
    ),
    { code: 'NON_FINITE_OUTPUT', message: /also in single precision/ },
  )
  assert.ok(isAllFinite(Float32Array.of(3e38, 3e38)), 'large is not infinite')
  assert.ok(!isAllFinite(Float32Array.of(Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY)))
})
