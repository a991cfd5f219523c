import assert from 'node:assert/strict'
import { test } from 'node:test'
import { estimateLengthUs, rateOfVoice, spokenWeight, USUAL_US_PER_WEIGHT } from '#shared/timing/length.ts'

const samples = (...rates: number[]) => rates.map((rate) => ({ weight: 10, lengthUs: rate * 10 }))

test('the weight of a text counts its figures in words', () => {
  assert.equal(spokenWeight('twenty-one', 'en'), 9.5)
  assert.equal(spokenWeight('21', 'en'), spokenWeight('twenty one', 'en'))
  assert.equal(spokenWeight('日本', 'ja'), 6)
  assert.equal(spokenWeight('', 'en'), 0)
})

test('a voice without lines has the usual pace, and one with lines is drawn towards it', () => {
  assert.deepEqual(rateOfVoice([]), { usPerWeight: USUAL_US_PER_WEIGHT, calibrated: false })
  assert.deepEqual(rateOfVoice(samples(100_000), 70_000), { usPerWeight: 80_000, calibrated: false })
  assert.deepEqual(rateOfVoice(samples(90_000, 100_000, 400_000), 50_000), { usPerWeight: 80_000, calibrated: true })
})

test('only the last 16 lines count, and lines without length or weight never do', () => {
  const old = samples(...Array.from({ length: 40 }, () => 10_000))
  const recent = samples(...Array.from({ length: 16 }, () => 90_000))
  assert.equal(rateOfVoice([...old, ...recent], 90_000).usPerWeight, 90_000)
  const useless = [
    { weight: 0, lengthUs: 5 },
    { weight: 5, lengthUs: 0 },
    { weight: 5, lengthUs: Number.NaN },
  ]
  assert.deepEqual(rateOfVoice([...useless, ...samples(90_000)], 90_000), { usPerWeight: 90_000, calibrated: false })
})

test('the estimate is the weight times the pace', () => {
  assert.equal(estimateLengthUs('twenty-one', 'en', { usPerWeight: 100_000, calibrated: true }), 950_000)
  assert.equal(estimateLengthUs('', 'en', rateOfVoice([])), 0)
})
