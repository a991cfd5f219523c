import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resample } from '#agent/engine/audio/resample.ts'
import { openResampler } from '#shared/audio/resampler.ts'

const HZ = 440
const sine = (rate: number, seconds: number) =>
  Float32Array.from({ length: rate * seconds }, (_, n) => 0.5 * Math.sin((2 * Math.PI * HZ * n) / rate))
/** The largest difference of the middle half, where no beginning and no end is heard. */
const difference = (a: Float32Array, b: Float32Array) => {
  let worst = 0
  for (let n = a.length >> 2; n < (a.length * 3) >> 2; n++) worst = Math.max(worst, Math.abs(a[n]! - b[n]!))
  return worst
}

for (const [from, to] of [
  [48_000, 16_000],
  [44_100, 16_000],
  [16_000, 44_100],
  [8_000, 48_000],
] as const)
  test(`from ${from} Hz to ${to} Hz: keeps duration and position, in one piece or many`, async () => {
    const given = sine(from, 2)
    const whole = await resample(given, from, to, new AbortController().signal)
    assert.equal(whole.length, to * 2)
    assert.ok(difference(whole, sine(to, 2)) < 0.002, `${difference(whole, sine(to, 2))}`)

    const resampler = await openResampler(from, to)
    const pieces: number[] = []
    for (let at = 0; at < given.length; at += 1_001) pieces.push(...resampler.push(given.subarray(at, at + 1_001)))
    pieces.push(...resampler.flush())
    resampler.close()
    assert.equal(pieces.length, whole.length)
    assert.ok(difference(Float32Array.from(pieces), whole) < 1e-6)
  })

test('an abort takes effect between chunks', async () => {
  const abort = new AbortController()
  const under = resample(sine(48_000, 20), 48_000, 16_000, abort.signal)
  abort.abort(new Error('changed my mind'))
  await assert.rejects(under, /changed my mind/)
})
