import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resample } from '#agent/engine/audio/resample.ts'
import { openResampler } from '#shared/audio/resampler.ts'
import { filterTable, polyphaseFilter } from '#shared/audio/resampling/filter.ts'
import { concat } from '#shared/audio/stage.ts'
import { changeTempo } from '#shared/audio/stretch/tempo.ts'
import { assertSameSamples } from '#test/support/audio/sound.ts'

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
  [22_050, 48_000],
  [48_000, 44_100],
  [24_000, 11_025],
  [44_101, 48_000],
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

for (const [from, to] of [
  [22_050, 48_000],
  [44_100, 16_000],
  [48_000, 44_100],
] as const)
  test(`from ${from} Hz to ${to} Hz: passes up to 0.45 of the lower rate and removes what it cannot hold`, async () => {
    const levelOf = async (hz: number) => {
      const given = Float32Array.from({ length: from }, (_, n) => Math.sin((2 * Math.PI * hz * n) / from))
      const out = await resample(given, from, to, new AbortController().signal)
      const middle = out.subarray(out.length >> 2, (out.length * 3) >> 2)
      return 10 * Math.log10((2 * middle.reduce((sum, value) => sum + value * value, 0)) / middle.length)
    }
    for (const share of [0.01, 0.2, 0.45]) assert.ok(Math.abs(await levelOf(share * Math.min(from, to))) < 0.01, `${share}`)
    if (from > 1.1 * to) assert.ok((await levelOf(0.55 * to)) < -90)
  })

test('resamplers of the same rates do not disturb each other, and the values of the filters are those of their definition', async () => {
  const filter = polyphaseFilter(22_050, 48_000)
  assert.deepEqual(filter, { phases: 320, steps: 147, taps: 160 })
  const table = filterTable(filter)
  for (const phase of [0, 1, 160, 319]) {
    const sum = table.subarray(phase * filter.taps, (phase + 1) * filter.taps).reduce((total, value) => total + value, 0)
    assert.ok(Math.abs(sum - 1) < 1e-4, `${sum}`)
  }
  const [one, other] = [sine(22_050, 1), sine(22_050, 1).map((value) => -value / 2)]
  const alone = await resample(one, 22_050, 48_000, new AbortController().signal)
  const [first, second] = [await openResampler(22_050, 48_000), await openResampler(22_050, 48_000)]
  const made: number[] = []
  for (let at = 0; at < one.length; at += 5_000) {
    made.push(...first.push(one.subarray(at, at + 5_000)))
    second.push(other.subarray(at, at + 5_000))
  }
  made.push(...first.flush())
  assert.deepEqual(Float32Array.from(made), alone)
  const half = filter.taps / 2
  for (const at of [0, 1, 777, 47_999]) {
    const [place, phase] = [Math.floor((at * filter.steps) / filter.phases), (at * filter.steps) % filter.phases]
    let sum = 0
    for (let tap = 0; tap < filter.taps; tap++) sum += (one[place + tap + 1 - half] ?? 0) * table[phase * filter.taps + tap]!
    assert.ok(Math.abs(sum - alone[at]!) < 1e-6, `${at}`)
  }
})

test('resamplers and changes of tempo that share an instance do not disturb each other', async () => {
  const given = [sine(24_000, 1), sine(24_000, 2).map((value) => -value / 3), sine(16_000, 1)]
  const rates = [24_000, 24_000, 16_000]
  const alone: Float32Array[] = []
  for (const [at, samples] of given.entries()) alone.push(await resample(samples, rates[at]!, 48_000, new AbortController().signal))
  const faster = await changeTempo(given[0]!, 24_000, 1.3)

  const open = await Promise.all(rates.map((rate) => openResampler(rate, 48_000)))
  const made: Float32Array[][] = given.map(() => [])
  for (let from = 0; from < 48_000; from += 5_000)
    for (const [at, samples] of given.entries()) made[at]!.push(open[at]!.push(samples.subarray(from, from + 5_000)))
  for (const [at, { flush }] of open.entries()) made[at]!.push(flush())
  for (const [at, pieces] of made.entries()) assertSameSamples(concat(pieces), alone[at]!)

  await changeTempo(sine(24_000, 90), 24_000, 0.8) // needs so much memory that its instance is dropped
  await changeTempo(given[1]!, 24_000, 1.1)
  assertSameSamples(await changeTempo(given[0]!, 24_000, 1.3), faster)

  open[0]!.close()
  open[0]!.close()
  assert.throws(() => open[0]!.push(given[0]!), /closed/)
  const again = await openResampler(24_000, 48_000)
  assertSameSamples(concat([again.push(given[0]!), again.flush()]), alone[0]!)
  for (const { close } of [...open, again]) close()
})

test('resamplers and changes of tempo make no instance of their library each', async (t) => {
  const library = (globalThis as unknown as { WebAssembly: { instantiate: () => unknown } }).WebAssembly
  const instantiate = t.mock.method(library, 'instantiate')
  for (let count = 0; count < 4; count++) {
    const resampler = await openResampler(24_000, 48_000)
    resampler.close()
    await changeTempo(sine(24_000, 1), 24_000, 1.2)
  }
  assert.ok(instantiate.mock.callCount() <= 2, `${instantiate.mock.callCount()}`)
})

test('an abort takes effect between chunks', async () => {
  const abort = new AbortController()
  const under = resample(sine(48_000, 20), 48_000, 16_000, abort.signal)
  abort.abort(new Error('changed my mind'))
  await assert.rejects(under, /changed my mind/)
})
