import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { contractDifferences, floatOutput, floats, type GraphContract, openGraph } from '#agent/engine/runtimes/onnx/session.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { model } from '#test/support/models/onnx-graph.ts'

const doubling = () =>
  model({
    inputs: [{ name: 'x', type: 'float32', dims: [1, 'n'] }],
    outputs: [{ name: 'y', type: 'float32', dims: [1, 'n'] }],
    nodes: [{ op: 'Mul', inputs: ['x', 'two'], outputs: ['y'] }],
    initializers: [{ name: 'two', type: 'float32', dims: [], values: [2] }],
  })
const CONTRACT: GraphContract = {
  inputs: [{ name: 'x', type: 'float32', rank: 2 }],
  outputs: [{ name: 'y', type: 'float32', rank: 2 }],
}

function fileWith(t: TestContext, bytes: Uint8Array | string): string {
  const folder = mkdtempSync(join(tmpdir(), 'graph-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'graph.onnx')
  writeFileSync(file, bytes)
  return file
}
const refusal = async (file: string, contract = CONTRACT): Promise<Failure> => {
  try {
    await openGraph(file, { device: 'cpu', contract })
  } catch (error) {
    assert.ok(error instanceof Failure, String(error))
    return error
  }
  assert.fail('the file was opened')
}

test('a graph runs and returns the outputs of its contract', async (t) => {
  const graph = await openGraph(fileWith(t, doubling()), { device: 'cpu', threads: 1, contract: CONTRACT })
  const made = await graph.run({ x: floats([1, 2, 3], [1, 3]) })
  assert.deepEqual([...floatOutput(made, 'y')], [2, 4, 6])
  assert.deepEqual(made['y']!.dims, [1, 3])
  assert.deepEqual(graph.inputs, [{ name: 'x', type: 'float32', dims: [1, null] }])
  assert.equal(graph.device, 'cpu')
  await graph.close()
})

test('inputs and outputs of other exports are used under the names of the contract', async (t) => {
  const contract: GraphContract = {
    inputs: [{ name: 'number', aliases: ['x'], type: 'float32', rank: 2 }],
    outputs: [{ name: 'double', aliases: ['y'], type: 'float32', rank: 2 }],
  }
  const graph = await openGraph(fileWith(t, doubling()), { device: 'cpu', threads: 1, contract })
  t.after(() => graph.close())
  for (const asked of [undefined, ['double']])
    assert.deepEqual([...floatOutput(await graph.run({ number: floats([1, 2], [1, 2]) }, asked), 'double')], [2, 4])
})

test('a wrong export is rejected with all differences', async (t) => {
  const failure = await refusal(fileWith(t, doubling()), {
    inputs: [
      { name: 'x', type: 'int64', rank: 3 },
      { name: 'mask', type: 'bool', rank: 2 },
      { name: 'positions', type: 'int64', rank: 2, optional: true },
    ],
    outputs: [{ name: 'y', type: 'float32', rank: 2, dims: [2, null] }],
  })
  assert.equal(failure.code, 'MODEL_NOT_DOWNLOADED')
  assert.match(failure.message, /wrong export/)
  assert.deepEqual((failure.detail as { wrong: string[] }).wrong, [
    'input x is float32, not int64',
    'input x has 2 dimensions, not 3',
    'input mask is missing',
    'output y is [1, ?], not [2, ?]',
  ])
})

test('an unknown input is a difference', () => {
  const graph = { inputs: [{ name: 'x', type: 'float32', dims: [] }], outputs: [] }
  assert.deepEqual(contractDifferences(graph, { inputs: [], outputs: [] }), ['input x is unknown to this engine'])
})

const OTHER_FILES: readonly [string, Uint8Array | string, RegExp][] = [
  ['nothing', '', /is empty/],
  ['a zip', 'PK\x03\x04rest', /zip archive/],
  ['a pickle', Uint8Array.of(0x80, 0x02, 0x7d), /pickle/],
  ['a gzip', Uint8Array.of(0x1f, 0x8b, 8), /gzip/],
  ['an error page', '<!doctype html>', /text document/],
  ['an LFS pointer', 'version https://git-lfs.github.com/spec/v1', /LFS pointer/],
  ['noise', Uint8Array.from({ length: 300 }, (_, at) => (at * 151 + 255) % 256), /is not an ONNX graph/],
  ['a protobuf of something else', Uint8Array.of(0x08, 0x01, 0x12, 0x02, 0x68, 0x69), /cannot be opened/],
]
for (const [what, bytes, words] of OTHER_FILES) {
  test(`${what} instead of a graph is reported`, async (t) => {
    const failure = await refusal(fileWith(t, bytes))
    assert.equal(failure.code, 'MODEL_NOT_DOWNLOADED')
    assert.match(failure.message, words)
  })
}

test('an incomplete graph and a missing file are rejected', async (t) => {
  const file = fileWith(t, doubling())
  truncateSync(file, doubling().length >> 1)
  assert.match((await refusal(file)).message, /graph\.onnx cannot be opened/)
  assert.match((await refusal(`${file}.gone`)).message, /cannot be read/)
})
