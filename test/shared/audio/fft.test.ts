// The transform against its definition, and the one in single precision against it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFft } from '#shared/audio/fft/fft.ts'
import { singleFft } from '#shared/audio/fft/fft-single.ts'
import { seeded } from '#test/support/doubles/seeded.ts'

const random = (size: number, seed: number) => {
  const { unit } = seeded(seed)
  return Float64Array.from({ length: size }, () => unit() * 2 - 1)
}

for (const size of [2, 4, 6, 8, 10, 12, 30, 60, 64, 225, 480, 512]) {
  test(`${size} points: matches the definition`, () => {
    const [real, imaginary] = [random(size, 1), random(size, 2)]
    const [r, m] = [real.slice(), imaginary.slice()]
    createFft(size).forward(r, m)
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
    const { forward, inverse } = createFft(size)
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
  for (const size of [0, 1, 7, 14, 22, 1.5, -2, Number.POSITIVE_INFINITY, Number.NaN]) assert.throws(() => createFft(size), RangeError)
})

for (const size of [16, 32, 64, 128, 256, 512, 1024, 2048, 4096]) {
  test(`${size} points in single precision: matches the other transform, and back again`, () => {
    const fft = singleFft(size)
    for (const seed of [5, 6]) {
      const [before, other] = [Float32Array.from(random(size, seed)), Float32Array.from(random(size, seed + 2))]
      const [real, imaginary] = [Float64Array.from(before), Float64Array.from(other)]
      createFft(size).forward(real, imaginary)
      const [r, m] = [before.slice(), other.slice()]
      fft.forward(r, m)
      const most = 1e-6 * Math.sqrt(size)
      for (let k = 0; k < size; k++) assert.ok(Math.abs(r[k]! - real[k]!) < most && Math.abs(m[k]! - imaginary[k]!) < most, `bin ${k}`)
      fft.inverse(r, m)
      for (let n = 0; n < size; n++) assert.ok(Math.abs(r[n]! - before[n]!) < 1e-6 && Math.abs(m[n]! - other[n]!) < 1e-6, `sample ${n}`)
    }
  })
}

test('in single precision: refuses sizes that are no power of two from 16 on', () => {
  for (const size of [0, 1, 8, 24, 1000, 1.5, -16, Number.POSITIVE_INFINITY, Number.NaN]) assert.throws(() => singleFft(size), RangeError)
})
