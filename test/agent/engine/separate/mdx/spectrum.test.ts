// Analysis and synthesis: a round trip without loss, separate channels, and the layout that the network expects.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MDX_MODELS, type MdxModel } from '#agent/engine/separate/mdx/models.ts'
import { createSpectrum } from '#agent/engine/separate/mdx/spectrum.ts'
import { noise } from '#test/agent/engine/audio/recording.ts'

const worst = (left: Float32Array, right: Float32Array) => left.reduce((most, one, at) => Math.max(most, Math.abs(one - right[at]!)), 0)

for (const [name, { geometry }] of Object.entries(MDX_MODELS)) {
  for (const frames of [24, 25])
    test(`model "${name}", ${frames} frames: with all bins the sound comes back as it was, in mono`, () => {
      const { fftSize, hop } = geometry
      const { length, analyse, synthesise } = createSpectrum({ fftSize, hop, bins: fftSize / 2 + 1, frames })
      assert.equal(length, (frames - 1) * hop)
      const sound = [noise(length, 0.3, 1), noise(length, 0.1, 2)] as const
      const [left, right] = sound
      const heard = left.map((one, at) => (one + right[at]!) / 2)
      assert.ok(worst(synthesise(analyse(sound)), heard) < 2e-6)
      assert.ok(worst(synthesise(analyse([left, left])), left) < 2e-6)
    })
}

test('two equal channels take half the work and give the same result', () => {
  for (const frames of [8, 9]) {
    const { length, analyse } = createSpectrum({ fftSize: 60, hop: 15, bins: 20, frames })
    const left = noise(length, 0.3, 1)
    const plain = analyse([left, noise(length, 0.3, 2)])
    const equal = analyse([left, left.slice()])
    const half = plain.length / 2
    assert.ok(worst(equal.subarray(0, half), plain.subarray(0, half)) < 1e-6)
    assert.deepEqual(equal.subarray(half), equal.subarray(0, half))
  }
})

test('the planes are the real and imaginary part of the left, then of the right channel', () => {
  const geometry = { fftSize: 60, hop: 15, bins: 31, frames: 9 }
  const { length, analyse } = createSpectrum(geometry)
  const phases = [0, Math.PI / 2] as const
  const [left, right] = phases.map((phase) =>
    Float32Array.from({ length }, (_, n) => Math.cos((2 * Math.PI * 12 * (n - 30)) / 60 + phase)),
  ) as [Float32Array, Float32Array]
  const values = analyse([left, right])
  assert.equal(values.length, 4 * 31 * 9)
  // Frame 4 is centred at 60, begins at 30, and holds twelve whole periods; the sum of a periodic Hann window of 60 is 30.
  const at = (plane: number, bin: number) => values[(plane * 31 + bin) * 9 + 4]!
  const close = (seen: number, wanted: number) => assert.ok(Math.abs(seen - wanted) < 1e-5, `${seen}, not ${wanted}`)
  close(at(0, 12), 15)
  close(at(1, 12), 0)
  close(at(2, 12), 0)
  close(at(3, 12), 15)
  close(at(0, 13), -7.5)
  for (const plane of [0, 1, 2, 3]) close(at(plane, 20), 0)
})

test('the geometry and the gain of each model are those of the model table of UVR', () => {
  const figures = ({ geometry: { fftSize, bins, frames }, compensation }: MdxModel) => [fftSize, bins, Math.log2(frames), compensation]
  assert.deepEqual(figures(MDX_MODELS['']!), [7_680, 3_072, 8, 1.021])
  assert.deepEqual(figures(MDX_MODELS['9703']!), [6_144, 2_048, 8, 1.035])
})
