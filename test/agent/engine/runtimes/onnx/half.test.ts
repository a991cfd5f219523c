// Half precision compared with a cast graph, for every value and for values in between.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fromHalf, toHalf } from '#agent/engine/runtimes/onnx/half.ts'
import { floatOutput, floats, openGraph } from '#agent/engine/runtimes/onnx/session.ts'
import { seededRandom } from '#agent/engine/seam/random.ts'
import { model } from '#test/support/models/onnx-graph.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const EVERY = Uint16Array.from({ length: 0x10000 }, (_, bits) => bits)

test('known values, and every half survives a round trip', () => {
  const known: readonly [number, number][] = [
    [0x0000, 0],
    [0x0001, 2 ** -24],
    [0x03ff, 1023 * 2 ** -24],
    [0x0400, 2 ** -14],
    [0x3c00, 1],
    [0xc000, -2],
    [0x7bff, 65_504],
    [0x7c00, Number.POSITIVE_INFINITY],
    [0xfc00, Number.NEGATIVE_INFINITY],
  ]
  for (const [bits, value] of known) {
    assert.deepEqual([...fromHalf(Uint16Array.of(bits))], [value])
    assert.deepEqual([...toHalf(Float32Array.of(value))], [bits])
  }
  assert.ok(Object.is(fromHalf(Uint16Array.of(0x8000))[0], -0))
  const back = toHalf(fromHalf(EVERY))
  for (const bits of EVERY) {
    if ((bits & 0x7c00) !== 0x7c00 || (bits & 0x3ff) === 0) assert.equal(back[bits], bits)
    else assert.equal(back[bits]! & 0x7e00, 0x7e00, 'what is no number stays none')
  }
})

test('it rounds to the nearest, ties to the even one, and what is too large becomes infinite', () => {
  const rounded: readonly [number, number][] = [
    [1 + 2 ** -11, 0x3c00],
    [1 + 3 * 2 ** -11, 0x3c02],
    [1 + 2 ** -11 + 2 ** -20, 0x3c01],
    [2 ** -25, 0x0000],
    [2 ** -25 + 2 ** -40, 0x0001],
    [3 * 2 ** -25, 0x0002],
    [1023.75 * 2 ** -24, 0x0400],
    [65_519.996, 0x7bff],
    [65_520, 0x7c00],
    [-1e-30, 0x8000],
  ]
  for (const [value, bits] of rounded) assert.deepEqual([...toHalf(Float32Array.of(value))], [bits], String(value))
})

test('a graph of half precision is fed and read in single precision, and rounds as we do', async (t) => {
  const next = seededRandom(3).unit
  // Every finite half, what lies in the middle of it and the next, and a little beside the middle; and numbers of all sizes.
  const finite = fromHalf(EVERY.filter((bits) => (bits & 0x7c00) !== 0x7c00))
  const middles = finite.map((value, at) => (value + (finite[at + 1] ?? value)) / 2)
  const values = Float32Array.from([
    ...finite,
    ...middles,
    ...middles.map((value) => value * (1 + (next() - 0.5) * 1e-4)),
    ...Array.from({ length: 20_000 }, () => (next() - 0.5) * 2 ** Math.floor(next() * 44 - 26)),
  ])
  const folder = temporaryFolder(t)
  const file = (name: string, bytes: Uint8Array) => {
    writeFileSync(join(folder, name), bytes)
    return join(folder, name)
  }
  const cast = (from: 'float16' | 'float32', to: 'float16' | 'float32') =>
    model({
      inputs: [{ name: 'x', type: from, dims: ['n'] }],
      outputs: [{ name: 'y', type: to, dims: ['n'] }],
      nodes: [{ op: 'Cast', inputs: ['x'], outputs: ['y'], attributes: { to: to === 'float16' ? 10 : 1 } }],
    })
  const contract = {
    inputs: [{ name: 'x', type: 'float32', rank: 1, orHalf: true }],
    outputs: [{ name: 'y', type: 'float32', rank: 1, orHalf: true }],
  } as const
  const ours = fromHalf(toHalf(values))
  for (const [from, to] of [
    ['float16', 'float32'],
    ['float32', 'float16'],
  ] as const) {
    const path = file(`${from}.onnx`, cast(from, to))
    const graph = await openGraph(path, { device: 'cpu', threads: 1, contract })
    const made = await graph.run({ x: floats(values, [values.length]) })
    assert.deepEqual([made['y']!.type, made['y']!.dims], ['float32', [values.length]])
    assert.deepEqual(floatOutput(made, 'y'), ours, `${from} to ${to}`)
    await graph.close()
    const strict = { inputs: [{ name: 'x', type: 'float32', rank: 1 }], outputs: [{ name: 'y', type: 'float32', rank: 1 }] } as const
    await assert.rejects(openGraph(path, { device: 'cpu', contract: strict }), /is float16, not float32/)
  }
})
