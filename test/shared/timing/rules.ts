import assert from 'node:assert/strict'
import fc from 'fast-check'
import { FIT_DEFAULTS, type FitOptions, fitLines, mapOfPlan } from '#shared/timing/fit.ts'
import { type FitLine, slotsOf } from '#shared/timing/slots.ts'

const SECOND = 1_000_000

const Film = fc.record({
  strategy: fc.constantFrom('concise', 'stretch_video', 'strict_slot', 'smart_fit') as fc.Arbitrary<FitOptions['strategy']>,
  slotFit: fc.constantFrom('time_stretch', 'trim', 'off') as fc.Arbitrary<FitOptions['slotFit']>,
  mediaUs: fc.integer({ min: 0, max: 40 * SECOND }),
  overflowBudgetUs: fc.constantFrom(0, 300_000, 3 * SECOND),
  allowVideoRetime: fc.boolean(),
  raw: fc.array(
    fc.record({
      start: fc.integer({ min: -SECOND, max: 42 * SECOND }),
      length: fc.oneof(fc.constant(0), fc.integer({ min: -10, max: 8 * SECOND }), fc.integer({ min: 0, max: 60_000 })),
      natural: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 12 * SECOND })),
      lane: fc.constantFrom('a', 'b', 'c'),
    }),
    { maxLength: 14 },
  ),
})

/** The rules of the planner over generated films: every strategy, overlapping speakers, empty and absurd lines. */
export function checkRules(films: number): void {
  const near = 2
  fc.assert(
    fc.property(Film, ({ raw, ...chosen }) => {
      const settings = { ...FIT_DEFAULTS, ...chosen }
      const lines: FitLine[] = raw.map(({ start, length, natural, lane }, index) => ({
        id: String(index).padStart(3, '0'),
        startUs: start,
        endUs: start + length,
        naturalUs: natural,
        lane,
      }))
      const plan = fitLines(lines, settings)
      const slots = slotsOf(lines, settings)
      const map = mapOfPlan(plan, settings.mediaUs)
      assert.equal(plan.lines.length, lines.length)
      for (const [at, fitted] of plan.lines.entries()) {
        const slot = slots[at]!
        for (const value of Object.values(fitted)) assert.ok(typeof value === 'string' || Number.isFinite(value))
        const start = map.at(slot.startUs)
        if (chosen.strategy === 'concise')
          assert.ok(fitted.startUs >= start && fitted.startUs - start <= settings.overflowBudgetUs, 'the delay is within the budget')
        else assert.equal(fitted.startUs, start)
        assert.ok(fitted.startUs + fitted.lengthUs <= plan.totalUs, 'it ends within the film')
        assert.ok(fitted.rate >= 0.85 && fitted.rate <= 2)
        if (!slot.isSilent)
          assert.ok(
            Math.abs(fitted.rate * fitted.lengthUs + fitted.cutUs - fitted.naturalUs) <= 2 * near * fitted.rate + near,
            'nothing is lost',
          )
        assert.ok(fitted.videoRatio >= 1 && fitted.videoRatio <= 4)
      }
      const heard = plan.lines.map((fitted, at) => ({ ...slots[at]!, from: fitted.startUs, to: fitted.startUs + fitted.lengthUs }))
      for (const [at, first] of heard.entries())
        for (const second of heard.slice(at + 1))
          if (!first.isSilent && !second.isSilent && (first.lane === second.lane || first.endUs <= second.startUs))
            assert.ok(first.to <= second.from, 'lines that did not overlap do not overlap now')
      for (const { slope } of map.knots) assert.ok(slope > 0.99 && slope < 4.1)
      if (!plan.pieces.length) assert.equal(plan.totalUs, settings.mediaUs)
      assert.deepEqual(fitLines([...lines].reverse(), settings), plan, 'the order of the input does not matter')
    }),
    { numRuns: films },
  )
}
