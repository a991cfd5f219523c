// The planner of dubs: worked examples, and properties over generated films.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FIT_DEFAULTS, type FitOptions, fitInSteps, fitLines } from '#shared/timing/fit.ts'
import { setptsOf } from '#shared/timing/setpts.ts'
import type { FitLine } from '#shared/timing/slots.ts'
import { timeMap } from '#shared/timing/time-map.ts'
import { plansHoldTheirProperties } from './properties.ts'

const SECOND = 1_000_000
const line = (id: string, start: number, end: number, natural: number, lane = 'a'): FitLine => ({
  id,
  startUs: start * SECOND,
  endUs: end * SECOND,
  lane,
  naturalUs: natural * SECOND,
})
const options = (strategy: FitOptions['strategy'], more: Partial<FitOptions> = {}): FitOptions => ({
  ...FIT_DEFAULTS,
  strategy,
  mediaUs: 60 * SECOND,
  ...more,
})

test('each strategy treats a long and a short line as its rule says', () => {
  const long = [line('1', 0, 2, 3.6), line('2', 2.5, 4, 1)]
  const [strict] = fitLines(long, options('strict_slot')).lines
  assert.deepEqual([strict!.rate, strict!.lengthUs, strict!.cutUs], [1.8, 2 * SECOND, 0])
  const smart = fitLines(long, options('smart_fit'))
  // need = 3.6 / 2.45: both give way by its root.
  assert.ok(Math.abs(smart.lines[0]!.rate - Math.sqrt(3.6 / 2.45)) < 1e-5)
  assert.ok(Math.abs(smart.lines[0]!.videoRatio - Math.sqrt(3.6 / 2.45)) < 1e-6)
  assert.ok(smart.totalUs > 60 * SECOND && smart.lines[1]!.startUs > 2.5 * SECOND)
  const audio = fitLines(long, options('smart_fit', { allowVideoRetime: false }))
  assert.deepEqual([audio.totalUs, audio.pieces.length], [60 * SECOND, 0])
  const video = fitLines(long, options('stretch_video'))
  assert.ok(Math.abs(video.lines[0]!.videoRatio - 3.6 / 2.45) < 1e-6)
  assert.deepEqual([video.lines[0]!.rate, video.lines[0]!.cutUs], [1, 0])
  const concise = fitLines(long, options('concise', { overflowBudgetUs: SECOND }))
  assert.ok(concise.lines[1]!.startUs > 2.5 * SECOND && concise.lines[1]!.startUs <= 3.5 * SECOND)
  assert.ok(concise.lines[0]!.pastUs > 0)
  const short = fitLines([line('1', 0, 4, 2)], options('smart_fit')).lines[0]!
  assert.ok(Math.abs(short.rate - 0.85) < 1e-6)
  assert.equal(short.score, 0.5)
  const trimmed = fitLines(long, options('strict_slot', { slotFit: 'trim' })).lines[0]!
  assert.deepEqual([trimmed.rate, trimmed.lengthUs, trimmed.cutUs], [1, 2 * SECOND, 1_600_000])
})

test('a line without sound or time is silent, with score 1', () => {
  const { lines } = fitLines([line('1', 0, 1, 0), line('2', 5, 5.04, 3)], options('smart_fit'))
  assert.deepEqual(
    lines.map(({ lengthUs, score }) => [lengthUs, score]),
    [
      [0, 1],
      [0, 1],
    ],
  )
})

test('an empty line at the same moment takes no time from a line', () => {
  const { lines } = fitLines([line('1', 1, 3, 2), line('2', 1, 1, 2)], options('strict_slot'))
  assert.deepEqual(
    lines.map(({ lengthUs, silence }) => [lengthUs, silence]),
    [
      [2 * SECOND, null],
      [0, 'short-slot'],
    ],
  )
})

test('the caps hold in every strategy, and a picture that may not be retimed is not', () => {
  const long = [line('1', 0, 2, 20), line('2', 2, 4, 1)]
  const capped = (strategy: FitOptions['strategy']) => fitLines(long, options(strategy, { audioRateCap: 1.25, allowVideoRetime: false }))
  assert.deepEqual(
    (['concise', 'stretch_video', 'smart_fit'] as const).map((strategy) => capped(strategy).lines[0]!.rate),
    [1.25, 1.25, 1.8],
  )
  assert.equal(capped('stretch_video').totalUs, 60 * SECOND)
})

test('a later line inside of a slow part moves no moment before it', () => {
  const slow = { startUs: 0, endUs: 4_606_868, slope: 1.6230641945894695 }
  const later = { startUs: 4_476_910, endUs: 4_539_410, slope: 2 }
  const at = (...pieces: (typeof slow)[]) => timeMap(pieces, slow.endUs).at(later.startUs)
  assert.equal(at(slow, later), at(slow))
})

test('two people who talk at once stay at once, and one speaker never overlaps', () => {
  const { lines } = fitLines([line('1', 0, 4, 4, 'a'), line('2', 2, 3, 1, 'b'), line('3', 3.5, 6, 2, 'a')], options('concise'))
  assert.deepEqual(
    lines.map(({ startUs }) => startUs / SECOND),
    [0, 2, 3.5],
  )
  assert.ok(lines[0]!.lengthUs <= 3.5 * SECOND)
})

test('the expression for ffmpeg gives the times of the map', () => {
  const map = timeMap(
    [
      { startUs: SECOND, endUs: 2 * SECOND, slope: 1.5 },
      { startUs: 3 * SECOND, endUs: 5 * SECOND, slope: 2 },
    ],
    10 * SECOND,
  )
  assert.equal(map.totalUs, 12.5 * SECOND)
  const text = setptsOf(map)
  assert.match(text, /^if\(lt\(T,/)
  // The expression is JavaScript but for its two functions.
  const value = new Function('T', 'lt', 'IF', `return ${text.replaceAll('if(', 'IF(')}`)
  for (let us = 0; us <= 9_900_000; us += 100_000) {
    const seconds = value(
      us / SECOND,
      (a: number, b: number) => (a < b ? 1 : 0),
      (is: number, yes: number, no: number) => (is ? yes : no),
    )
    assert.ok(Math.abs(seconds * SECOND - map.at(us)) <= 2, `${us}`)
    assert.equal(map.filmAt(map.at(us)), us)
  }
  assert.equal(setptsOf(timeMap([], 0)), 'T')
  assert.equal(setptsOf(timeMap([], SECOND)), 'T')
})

test('plans of 2,000 films with absurd and dense lines have all properties', () => plansHoldTheirProperties(2_000))

test('a long film is fitted in many short steps, to the same plan', () => {
  const lines = Array.from({ length: 5_000 }, (_, index) => line(String(index), index, index + 0.8, 0.4 + (index % 13) / 10))
  for (const strategy of ['concise', 'smart_fit'] as const) {
    const given = options(strategy, { mediaUs: 5_000 * SECOND })
    const steps = fitInSteps(lines, given)
    let count = 0
    let step = steps.next()
    for (; !step.done; step = steps.next()) count++
    assert.equal(JSON.stringify(step.value), JSON.stringify(fitLines(lines, given)))
    assert.ok(count >= 10, `${count} steps`)
  }
})

test('ten thousand lines are fitted without a double loop', () => {
  const lines = Array.from({ length: 10_000 }, (_, index) =>
    line(String(index), index, index + 0.8, 0.4 + (index % 13) / 10, `s${index % 4}`),
  )
  const started = process.cpuUsage().user
  for (const strategy of ['concise', 'smart_fit'] as const)
    fitLines(lines, options(strategy, { mediaUs: 10_000 * SECOND, overflowBudgetUs: SECOND }))
  assert.ok(process.cpuUsage().user - started < 2_000_000)
})
