import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCutter, quietestMoment } from '#control-plane/media/cutting.ts'

const RATE = 1_000
const CUTTING = { sampleRate: RATE, longestSeconds: 10, searchSeconds: 4 }
/** Loud, and silent where `pauses` say, in seconds. */
function sound(seconds: number, pauses: readonly (readonly [from: number, to: number])[] = []): Int16Array {
  return Int16Array.from({ length: seconds * RATE }, (_, at) =>
    pauses.some(([from, to]) => at >= from * RATE && at < to * RATE) ? at % 2 : 8_000 * (at % 2 === 0 ? 1 : -1),
  )
}
const bytesOf = (samples: Int16Array) => new Uint8Array(samples.buffer)
const near = (actual: number, expected: number) => assert.ok(Math.abs(actual - expected) < 0.3, `${actual} instead of ${expected}`)

test('the cut is in the last of equal pauses, within the searched range', () => {
  near(quietestMoment(sound(10, [[7, 8]]), CUTTING) / RATE, 7.7)
  near(
    quietestMoment(
      sound(10, [
        [6.2, 6.8],
        [8.2, 8.6],
      ]),
      CUTTING,
    ) / RATE,
    8.4,
  )
  assert.ok(quietestMoment(sound(10, [[1, 2]]), CUTTING) >= 6 * RATE)
  assert.ok(quietestMoment(new Int16Array(10 * RATE), CUTTING) > 9 * RATE, 'silence is cut late')
  // A short gap, such as in a consonant, loses against a real pause.
  near(
    quietestMoment(
      sound(10, [
        [6.5, 7.1],
        [9, 9.1],
      ]),
      CUTTING,
    ) / RATE,
    6.8,
  )
})

test('the parts add up to the recording, none is too long, and every cut is in a pause', () => {
  const pauses = Array.from({ length: 12 }, (_, at) => [at * 3 + 2.5, at * 3 + 3] as const)
  const whole = sound(35, pauses)
  for (const pieceBytes of [1, 7, 999, 64_000, 1_000_000]) {
    const cutter = createCutter(CUTTING)
    const parts: Buffer[] = []
    const bytes = bytesOf(whole)
    for (let at = 0; at < bytes.length; at += pieceBytes)
      for (const part of cutter.push(bytes.subarray(at, at + pieceBytes))) parts.push(part)
    parts.push(cutter.flush())
    assert.ok(Buffer.concat(parts).equals(bytes))
    let at = 0
    for (const part of parts.slice(0, -1)) {
      assert.ok(part.length <= 10 * RATE * 2 && part.length % 2 === 0)
      at += part.length / 2 / RATE
      assert.ok(
        pauses.some(([from, to]) => at > from && at < to),
        `a cut at ${at} s`,
      )
    }
  }
})

test('a short recording is one part, and half a sample at its end is dropped', () => {
  const cutter = createCutter(CUTTING)
  assert.deepEqual([...cutter.push(bytesOf(sound(10)))], [])
  assert.equal(cutter.flush().length, 20_000)
  const odd = createCutter(CUTTING)
  assert.deepEqual([...odd.push(Uint8Array.of(1, 2, 3))], [])
  assert.equal(odd.flush().length, 2)
  assert.equal(createCutter(CUTTING).flush().length, 0)
})
