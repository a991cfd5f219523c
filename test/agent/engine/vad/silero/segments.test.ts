import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type SegmentRules, toSpeechSegments } from '#agent/engine/vad/silero/segments.ts'
import { referenceSegments } from './reference.ts'

const WINDOW = 0.032
const RULES: SegmentRules = { threshold: 0.5, silenceThreshold: 0.35, minSpeechMs: 0, minSilenceMs: 64, padMs: 0 }
const segmentsIn = (text: string, rules: Partial<SegmentRules> = {}) =>
  toSpeechSegments(
    [...text].map((letter) => Number(letter) / 10),
    WINDOW,
    text.length * WINDOW,
    { ...RULES, ...rules },
  ).map(({ start, end }) => [Math.round(start / WINDOW), Math.round(end / WINDOW)])

test('a doubtful window neither starts nor ends speech', () => {
  assert.deepEqual(segmentsIn('0440'), [])
  assert.deepEqual(segmentsIn('09444490'), [[1, 8]])
  assert.deepEqual(segmentsIn('0900'), [[1, 4]])
  assert.deepEqual(segmentsIn('09000'), [[1, 2]])
})

test('short pauses and short sounds are ignored', () => {
  assert.deepEqual(segmentsIn('99009900'), [[0, 8]])
  assert.deepEqual(segmentsIn('9900099000'), [
    [0, 2],
    [5, 7],
  ])
  assert.deepEqual(segmentsIn('9000990000', { minSpeechMs: 50 }), [[4, 6]])
  assert.deepEqual(segmentsIn('9900099000', { minSpeechMs: 64 }), [])
})

test('padding stays within the recording and keeps segments ordered', () => {
  assert.deepEqual(segmentsIn('0099000099', { padMs: 32 }), [
    [1, 5],
    [7, 10],
  ])
  const [first, second] = toSpeechSegments([0.9, 0, 0, 0, 0.9], WINDOW, 5 * WINDOW, { ...RULES, padMs: 5_000 })
  assert.ok(first!.start === 0 && second!.end <= 5 * WINDOW + 1e-9)
  assert.ok(first!.end <= second!.start + 1e-9)
})

test('for any probabilities the segments are ordered, disjoint, long enough and contain speech', () => {
  const rules = fc.record({
    threshold: fc.double({ min: 0.3, max: 0.9, noNaN: true }),
    silenceThreshold: fc.double({ min: 0.05, max: 0.3, noNaN: true }),
    minSpeechMs: fc.integer({ min: 0, max: 300 }),
    minSilenceMs: fc.integer({ min: 0, max: 300 }),
    padMs: fc.integer({ min: 0, max: 300 }),
  })
  fc.assert(
    fc.property(fc.array(fc.float({ min: 0, max: 1, noNaN: true }), { maxLength: 200 }), rules, (probabilities, wanted) => {
      const seconds = Math.max(0, probabilities.length - 0.3) * WINDOW
      const segments = toSpeechSegments(probabilities, WINDOW, seconds, wanted)
      let last = 0
      for (const { start, end } of segments) {
        assert.ok(start >= last - 1e-9 && end > start && end <= seconds + 1e-9)
        assert.ok((end - start) * 1000 >= wanted.minSpeechMs - 1e-3)
        last = end
        const inside = probabilities.slice(Math.floor(start / WINDOW + 1e-6), Math.ceil(end / WINDOW - 1e-6))
        assert.ok(inside.some((probability) => probability >= wanted.threshold))
      }
      if (wanted.minSpeechMs === 0 && seconds > 0 && probabilities.slice(0, -1).some((one) => one >= wanted.threshold))
        assert.ok(segments.length > 0, 'speech is not lost')
    }),
    { numRuns: 500 },
  )
})

test('for any probabilities the segments equal those of the reference to a sample', () => {
  const probability = fc.oneof(fc.constantFrom(0.02, 0.34, 0.35, 0.4, 0.5, 0.98), fc.float({ min: 0, max: 1, noNaN: true }))
  const rules = fc.record({
    threshold: fc.constantFrom(0.5, 0.3, 0.7),
    silenceThreshold: fc.constantFrom(0.35, 0.15, 0.3),
    minSpeechMs: fc.constantFrom(0, 32, 64, 250, 256),
    minSilenceMs: fc.constantFrom(0, 31, 32, 64, 96, 100, 160, 2_000),
    padMs: fc.constantFrom(0, 16, 30, 400),
  })
  fc.assert(
    fc.property(
      fc.array(probability, { maxLength: 120 }),
      fc.integer({ min: 0, max: 511 }),
      rules,
      (probabilities, missing, { silenceThreshold, ...more }) => {
        const wanted = { ...more, silenceThreshold: Math.min(silenceThreshold, more.threshold) }
        const samples = Math.max(0, probabilities.length * 512 - missing)
        const found = toSpeechSegments(probabilities, WINDOW, samples / 16_000, wanted)
        const expected = referenceSegments(probabilities, samples, wanted)
        assert.equal(found.length, expected.length)
        for (const [index, { start, end }] of found.entries()) {
          assert.ok(Math.abs(start * 16_000 - expected[index]!.start) <= 1, `start ${start * 16_000}, not ${expected[index]!.start}`)
          assert.ok(Math.abs(end * 16_000 - expected[index]!.end) <= 1, `end ${end * 16_000}, not ${expected[index]!.end}`)
        }
      },
    ),
    { numRuns: 2_000 },
  )
})

test('a pause ends speech only when a window starts after its whole length', () => {
  const pause = (windows: number) => [0.9, 0.9, ...Array<number>(windows).fill(0), 0.9, 0.9]
  const count = (windows: number, minSilenceMs: number) =>
    toSpeechSegments(pause(windows), WINDOW, (windows + 4) * WINDOW, { ...RULES, minSilenceMs }).length
  assert.deepEqual([count(5, 160), count(6, 160)], [1, 2])
  assert.deepEqual([count(4, 100), count(5, 100)], [1, 2])
})
