// Properties of every plan, with films made at random: overlaps, lanes, empty lines and absurd numbers included.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { type FitOptions, type FitPlan, fitLines, mapOfPlan } from '#shared/timing/fit.ts'
import { fitOptionsOf } from '#shared/timing/options.ts'
import type { FitLine } from '#shared/timing/slots.ts'
import { fitStatusOf, syncScoreOf } from '#shared/timing/status.ts'

type Film = { readonly lines: readonly FitLine[]; readonly options: FitOptions }

const S = 1_000_000
// A coarse grid makes lines meet exactly; absurd numbers are rare, or every film would be absurd.
const moment = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 120 }).map((half) => half * (S / 2)) },
  { weight: 6, arbitrary: fc.integer({ min: -2 * S, max: 70 * S }) },
  { weight: 1, arbitrary: fc.constantFrom(0, -1, 1, Number.NaN, Infinity, -Infinity, 1e300, 0.4, 49_999, 50_000, 50_001) },
)
const take = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 0, max: 8 * S }) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 100 * S }) },
  { weight: 1, arbitrary: fc.constantFrom(0, 1, -5, Number.NaN, Infinity, 1e300, 0.3) },
)
const line: fc.Arbitrary<FitLine> = fc
  .record({ id: fc.constantFrom('a', 'b', 'c'), startUs: moment, span: moment, lane: fc.constantFrom('A', 'B', 'C'), naturalUs: take })
  .map(({ id, startUs, span, lane, naturalUs }) => ({ id, startUs, endUs: startUs + span / 8, lane, naturalUs }))
/** Ids are unique, and not in the order of the input. */
const named = (one: FitLine, index: number): FitLine => ({ ...one, id: `${one.id}${index}` })
const option = (low: number, high: number) => fc.double({ min: low, max: high, noNaN: true })
const options = fc.record({
  timing_strategy: fc.constantFrom('concise' as const, 'stretch_video' as const, 'strict_slot' as const, 'smart_fit' as const),
  slot_fit: fc.constantFrom('time_stretch' as const, 'trim' as const, 'off' as const),
  overflow_budget_s: fc.oneof(fc.constant(0), option(0, 5)),
  fit_options: fc.oneof(
    { weight: 2, arbitrary: fc.constant(null) },
    {
      weight: 1,
      arbitrary: fc.record({
        max_audio_only_rate: option(0.5, 3),
        audio_rate_cap: option(0.5, 3),
        video_slow_cap: option(0.5, 6),
        gap_guard_s: option(-1, 6),
        allow_video_retime: fc.boolean(),
      }),
    },
  ),
})
const absurdFilm = fc
  .record({ raw: fc.array(line, { maxLength: 14 }), mediaUs: moment, options })
  .map(({ raw, mediaUs, options }): Film => ({ lines: raw.map(named), options: fitOptionsOf(options, mediaUs) }))

// Lines in quick succession, most of them too long: what one line takes, the next ones have to give.
const dense = fc.record({
  lane: fc.constantFrom('A', 'A', 'A', 'B'),
  gap: fc.integer({ min: 0, max: S / 2 }),
  span: fc.integer({ min: S / 20, max: 2 * S }),
  naturalUs: fc.integer({ min: 0, max: 4 * S }),
  overlap: fc.constantFrom(0, 0, 0, 1),
})
const denseFilm = fc.record({ lines: fc.array(dense, { minLength: 2, maxLength: 12 }), options }).map(({ lines, options }): Film => {
  let at = 0
  const placed = lines.map(({ lane, gap, span, naturalUs, overlap }, index) => {
    const startUs = at + gap
    at = startUs + (overlap ? span >> 1 : span)
    return { id: `s${index}`, startUs, endUs: startUs + span, lane, naturalUs }
  })
  return { lines: placed, options: fitOptionsOf(options, at + S) }
})
const film: fc.Arbitrary<Film> = fc.oneof(absurdFilm, denseFilm)

/** Plans of `runs` random films have all properties. */
export const plansHoldTheirProperties = (runs: number, seed?: number): void =>
  fc.assert(fc.property(film, fc.nat(), holds), { numRuns: runs, ...(seed !== undefined && { seed }) })

const whole = (value: number, most: number) => (value > 0 ? Math.min(Math.round(value), most) : 0)

/** The rule of walls as the design words it, with a double loop. In the order of the plan. */
function expectedSlots(lines: readonly FitLine[], media: number, guard: number) {
  const placed = lines
    .map(({ id, startUs, endUs, lane, naturalUs }) => {
      const start = whole(startUs, media)
      return { id, lane, start, end: Math.max(start, whole(endUs, media)), natural: whole(naturalUs, 1e13) }
    })
    .sort((a, b) => a.start - b.start || (a.id < b.id ? -1 : 1))
  return placed.map((one, at) => {
    const isWall = (other: typeof one, index: number) =>
      other.end > other.start && (other.start >= one.end || (other.lane === one.lane && index > at))
    const wall = Math.min(Infinity, ...placed.filter(isWall).map(({ start }) => start))
    const slot = Math.min(one.end, wall) - one.start
    const free = Math.min(media, wall < media ? wall - guard : media) - one.start
    return one.end > one.start ? { ...one, slot, room: Math.max(slot, free) } : { ...one, slot: 0, room: 0 }
  })
}

function holds({ lines, options }: Film, chance: number): void {
  const media = whole(options.mediaUs, 1e13)
  const plan = fitLines(lines, options)
  const sources = expectedSlots(lines, media, options.gapGuardUs)
  const map = mapOfPlan(plan, media)
  const isConcise = options.strategy === 'concise'
  const cap = options.slotFit === 'time_stretch' ? options.audioRateCap : 1
  assert.deepEqual(
    plan.lines.map(({ id }) => id),
    sources.map(({ id }) => id),
  )
  assert.deepEqual(JSON.parse(JSON.stringify(plan)), plan, 'a plan is plain data of finite numbers')

  for (const [at, { startUs, lengthUs, rate, cutUs, pastUs, slotUs, roomUs, silence, naturalUs, videoRatio }] of plan.lines.entries()) {
    const source = sources[at]!
    for (const us of [startUs, lengthUs, cutUs, pastUs, slotUs, roomUs, naturalUs])
      assert.ok(Number.isSafeInteger(us) && us >= 0, 'times are whole microseconds')
    assert.deepEqual([slotUs, roomUs], [source.slot, source.room], 'slot and room')
    assert.ok(startUs >= source.start, 'no line is early')
    if (isConcise) assert.ok(startUs - source.start <= options.overflowBudgetUs, 'the delay is within the budget')
    else assert.equal(startUs, map.at(source.start), 'lines start where the picture shows their start')
    if (!isConcise) assert.equal(pastUs, 0)
    assert.ok(startUs + lengthUs <= map.totalUs, 'no line ends after the film')
    assert.ok(rate >= 0.85 && rate <= 2, `rate ${rate}`)
    assert.ok(videoRatio >= 1 && videoRatio <= 4)
    assert.ok(Math.abs(rate * lengthUs + cutUs - source.natural) <= 1e-9 * source.natural, 'every moment of the take is accounted for')
    if (isConcise && !silence && Math.ceil(source.natural / cap) <= roomUs) assert.equal(cutUs, 0, 'no line is cut for another one')
    assert.equal(silence === null, lengthUs > 0, 'a silent line has a reason')
  }

  const sounding = plan.lines.flatMap((fitted, at) => (fitted.lengthUs > 0 ? [{ ...fitted, source: sources[at]! }] : []))
  for (const a of sounding)
    for (const b of sounding) {
      if (a === b || a.startUs + a.lengthUs <= b.startUs || b.startUs + b.lengthUs <= a.startUs) continue
      assert.notEqual(a.lane, b.lane, 'no overlap in a lane')
      assert.ok(a.source.end > b.source.start && b.source.end > a.source.start, 'no overlap that the film does not have')
    }

  checkMap(plan, media, options)

  const order = lines.map((_, at) => ({ key: ((at + 1) * 7919 * ((chance % 97) + 1)) % 1009, at }))
  const shuffled = order.sort((a, b) => a.key - b.key || b.at - a.at).map(({ at }) => lines[at]!)
  assert.deepEqual(fitLines(shuffled, options), plan, 'the order of the input changes nothing')

  if (!isConcise && lines.length > 0) {
    const grown = lines[chance % lines.length]!
    const before = sources.find(({ id }) => id === grown.id)!
    const longer = fitLines(
      lines.map((one) => (one === grown ? { ...one, naturalUs: before.natural + 1 + (chance % (9 * S)) } : one)),
      options,
    )
    for (const [at, { start }] of sources.entries())
      if (start <= before.start) assert.equal(longer.lines[at]!.startUs, plan.lines[at]!.startUs, 'a longer line moves no earlier one')
  }
  for (const fitted of plan.lines) {
    const entry = fitStatusOf(fitted, options.strategy)
    assert.ok(Object.values(entry).every((value) => typeof value !== 'number' || value > 0))
    assert.ok(syncScoreOf(fitted) >= 0 && syncScoreOf(fitted) <= 1)
  }
}

function checkMap(plan: FitPlan, media: number, options: FitOptions): void {
  const map = mapOfPlan(plan, media)
  assert.equal(map.totalUs, plan.totalUs)
  const ends = map.knots.map(({ fromUs }, at) => ({ from: fromUs, to: map.knots[at + 1]?.fromUs ?? media }))
  for (const [at, { fromUs, toUs, slope }] of map.knots.entries()) {
    assert.ok(slope >= 1 && slope <= 4, `slope ${slope}`)
    assert.equal((map.knots[at + 1]?.toUs ?? map.totalUs) - toUs, Math.round((ends[at]!.to - fromUs) * slope), 'pieces have no gaps')
  }
  const { strategy } = plan
  const wishes = plan.lines.flatMap(({ startUs, roomUs, naturalUs, silence }) => {
    const need = naturalUs / roomUs
    const shared = Math.min(need / Math.min(Math.sqrt(need), options.audioRateCap), options.videoSlowCap)
    const factor = strategy === 'stretch_video' ? Math.min(need, 4) : need > options.maxAudioOnlyRate ? shared : 1
    const isRetimed = !silence && options.allowVideoRetime && (strategy === 'stretch_video' || strategy === 'smart_fit') && factor > 1.01
    const start = map.filmAt(startUs)
    return isRetimed ? [{ start, end: start + roomUs, factor }] : []
  })
  if (wishes.length === 0) assert.equal(map.totalUs, media, 'nothing is retimed without need')
  const bounds = [...new Set(wishes.flatMap(({ start, end }) => [start, end]))].sort((a, b) => a - b)
  const added = bounds.slice(1).map((to, index) => {
    const from = bounds[index]!
    return (Math.max(1, ...wishes.filter(({ start, end }) => start <= from && end >= to).map(({ factor }) => factor)) - 1) * (to - from)
  })
  const total = media + added.reduce((sum, one) => sum + one, 0)
  assert.ok(Math.abs(total - map.totalUs) <= map.knots.length, `the film has ${map.totalUs} instead of ${total}`)
  for (const { from, to } of ends)
    for (const us of [from, Math.min(media, from + 1), Math.floor((from + to) / 2), to])
      assert.equal(map.filmAt(map.at(us)), us, 'the map is invertible')
}
