import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFft } from '#shared/audio/fft.ts'
import { seeded } from './signal.ts'

const near = (actual: Float64Array, expected: Float64Array) => actual.every((value, i) => Math.abs(value - expected[i]!) < 1e-9)

test('the transform agrees with its definition and its inverse undoes it', () => {
  for (const size of [2, 4, 64, 512]) {
    const random = seeded(size)
    const real = Float64Array.from({ length: size }, () => random() - 0.5)
    const imaginary = Float64Array.from({ length: size }, () => random() - 0.5)
    const [gotReal, gotImaginary] = [real.slice(), imaginary.slice()]
    const fft = createFft(size)
    fft.forward(gotReal, gotImaginary)
    const sum = (k: number, part: (r: number, m: number, angle: number) => number) =>
      real.reduce((total, r, i) => total + part(r, imaginary[i]!, (-2 * Math.PI * k * i) / size), 0)
    assert.ok(
      near(
        gotReal,
        real.map((_, k) => sum(k, (r, m, angle) => r * Math.cos(angle) - m * Math.sin(angle))),
      ),
    )
    assert.ok(
      near(
        gotImaginary,
        real.map((_, k) => sum(k, (r, m, angle) => r * Math.sin(angle) + m * Math.cos(angle))),
      ),
    )
    fft.inverse(gotReal, gotImaginary)
    assert.ok(near(gotReal, real) && near(gotImaginary, imaginary))
  }
})

test('other sizes are refused', () => {
  for (const size of [0, 1, 3, 100, Number.NaN]) assert.throws(() => createFft(size), RangeError)
})
