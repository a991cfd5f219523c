import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRegionMixer } from '#shared/audio/dub/region-mixer.ts'
import { dubRegions, shareAt } from '#shared/audio/dub/regions.ts'
import { createMark, markStep } from '#shared/audio/mark/mark.ts'
import { concat } from '#shared/audio/stage.ts'
import { speech } from '../signal.ts'

const RATE = 1000

test('spans get a margin of 80 ms within the film, and those that touch are one', () => {
  const spans = [
    { from: 5000, to: 6000 },
    { from: 20, to: 300 },
    { from: 6150, to: 7000 },
    { from: 6500, to: 6600 },
    { from: 8000, to: 8000 },
    { from: 9000, to: 99_000 },
  ]
  assert.deepEqual(dubRegions(spans, 10_000, RATE), [
    { from: 0, to: 380 },
    { from: 4920, to: 7080 },
    { from: 8920, to: 10_000 },
  ])
  assert.deepEqual(dubRegions([{ from: 20_000, to: 30_000 }], 10_000, RATE), [])
})

test('the share is zero outside of a region, one in it, and symmetric in between', () => {
  const region = { from: 100, to: 400 }
  const shares = Array.from({ length: 500 }, (_, at) => shareAt(region, at, RATE))
  assert.ok(shares.every((share, at) => (at < 100 || at >= 400 ? share === 0 : share > 0 && share <= 1)))
  assert.ok(shares.slice(160, 340).every((share) => share === 1))
  for (let i = 0; i < 150; i++) assert.ok(Math.abs(shares[100 + i]! - shares[399 - i]!) < 1e-12)
  assert.ok(Math.abs(shares[129]! + shares[130]! - 1) < 1e-9, 'half way in the middle of the joint')
  assert.ok(Array.from({ length: 20 }, (_, at) => shareAt({ from: 0, to: 20 }, at, RATE)).every((share) => share > 0 && share <= 1))
})

test('equal channels are mixed once to the same samples', () => {
  const rate = 16_000
  const step = markStep(rate)
  const [bed, voice] = [speech(2, rate, 4), speech(2, rate, 5).map((sample) => 4 * sample)]
  const mark = () => createMark({ key: new Uint8Array(32).fill(3), payload: 7, sampleRate: rate, position: step })
  for (const marked of [mark, null]) {
    const mixed = (channels: 1 | 2) => {
      const region = { from: step + 500, to: step + bed.length }
      const mixing = { region, start: step, sampleRate: rate, bedGain: 0.2, voiceGain: 1, mark: marked, ceiling: 0.5, channels }
      const mixer = createRegionMixer(mixing)
      const parts = [0, 9_001, 18_002].map((from) => {
        const [sound, said] = [bed, voice].map((samples) => samples.subarray(from, from === 18_002 ? undefined : from + 9_001))
        const both = channels === 1 ? ([sound!] as const) : ([sound!, sound!] as const)
        return mixer.push(both, both, said!)
      })
      parts.push(mixer.flush())
      return Array.from({ length: channels }, (_, channel) => Buffer.from(concat(parts.map((part) => part[channel]!)).buffer))
    }
    const [once, twice] = [mixed(1), mixed(2)]
    assert.equal(once[0]!.length, 4 * (bed.length - 500))
    assert.deepEqual([once.length, twice.length], [1, 2])
    for (const side of twice) assert.ok(side.equals(once[0]!))
  }
})
