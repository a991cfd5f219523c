// The transform of sizes that are no power of two, beside its definition.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMixedFft } from '#shared/audio/mixed-fft.ts'
import { seeded } from '#test/support/seeded.ts'

const random = (size: number, seed: number) => {
  const { unit } = seeded(seed)
  return Float64Array.from({ length: size }, () => unit() * 2 - 1)
}

for (const size of [2, 6, 12, 14, 30, 42, 60, 210, 480]) {
  test(`${size} points: what the definition says`, () => {
    const [real, imaginary] = [random(size, 1), random(size, 2)]
    const [r, m] = [real.slice(), imaginary.slice()]
    createMixedFft(size).forward(r, m)
    for (let k = 0; k < size; k++) {
      let [a, b] = [0, 0]
      for (let n = 0; n < size; n++) {
        const [c, s] = [Math.cos((2 * Math.PI * k * n) / size), Math.sin((2 * Math.PI * k * n) / size)]
        a += real[n]! * c + imaginary[n]! * s
        b += imaginary[n]! * c - real[n]! * s
      }
      assert.ok(Math.abs(r[k]! - a) < 1e-10 && Math.abs(m[k]! - b) < 1e-10, `bin ${k}`)
    }
  })
}

for (const size of [6144, 7680]) {
  test(`${size} points: one tone in one bin, and back again`, () => {
    const { forward, inverse } = createMixedFft(size)
    const real = Float64Array.from({ length: size }, (_, n) => Math.cos((2 * Math.PI * 1001 * n) / size))
    const imaginary = new Float64Array(size)
    forward(real, imaginary)
    for (let k = 0; k < size; k++) {
      const wanted = k === 1001 || k === size - 1001 ? size / 2 : 0
      assert.ok(Math.hypot(real[k]! - wanted, imaginary[k]!) < 1e-7, `bin ${k}`)
    }
    const [before, other] = [random(size, 3), random(size, 4)]
    const [r, m] = [before.slice(), other.slice()]
    forward(r, m)
    inverse(r, m)
    assert.ok(r.every((one, n) => Math.abs(one - before[n]!) < 1e-12) && m.every((one, n) => Math.abs(one - other[n]!) < 1e-12))
  })
}

test('refuses sizes with other factors', () => {
  for (const size of [0, 1, 3, 9, 22, Number.NaN]) assert.throws(() => createMixedFft(size), RangeError)
})
