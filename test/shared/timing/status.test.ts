// Worked examples of each strategy in the words of the API.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fitFingerprint } from '#shared/timing/fingerprint.ts'
import { fitLines } from '#shared/timing/fit.ts'
import { fitOptionsOf } from '#shared/timing/options.ts'
import type { FitLine } from '#shared/timing/slots.ts'
import { fitStatusOf, syncScoreOf } from '#shared/timing/status.ts'

const S = 1_000_000
let count = 0
const line = (start: number, end: number, take: number, lane = 'A'): FitLine => ({
  id: `s${String(count++).padStart(5, '0')}`,
  startUs: start * S,
  endUs: end * S,
  lane,
  naturalUs: take * S,
})
type Request = Partial<Parameters<typeof fitOptionsOf>[0]>
const plan = (request: Request, ...lines: FitLine[]) => fitLines(lines, fitOptionsOf({ timing_strategy: 'concise', ...request }, 20 * S))
function status(request: Request, ...lines: FitLine[]) {
  const { strategy, lines: fitted } = plan(request, ...lines)
  return fitted.map((one) => fitStatusOf(one, strategy))
}

test('strict_slot speeds up, slows down and reports it', () => {
  const lines = [line(0, 2, 3), line(4, 6, 1.96), line(8, 10, 1.8), line(12, 14, 1), line(16, 18, 9)]
  const strict = { timing_strategy: 'strict_slot' } as const
  assert.deepEqual(status(strict, ...lines), [
    { status: 'fits', compression_applied: true },
    { status: 'fits', compression_applied: false },
    { status: 'audio_slowed', audio_rate: 0.9 },
    { status: 'audio_slowed', audio_rate: 0.85 },
    { status: 'fits', compression_applied: true },
  ])
  const cut = plan(strict, ...lines).lines.at(-1)!
  assert.deepEqual([cut.rate, cut.lengthUs, cut.cutUs], [2, 2 * S, 5 * S])
  const kept = (slot_fit: 'trim' | 'off') => plan({ ...strict, slot_fit }, line(0, 2, 3), line(2.5, 4, 1)).lines[0]!
  assert.deepEqual([kept('trim').rate, kept('trim').lengthUs, kept('trim').cutUs], [1, 2 * S, S])
  assert.deepEqual([kept('off').rate, kept('off').lengthUs, kept('off').cutUs], [1, 2.45 * S, 0.55 * S])
})

test('concise uses the silence after a line without a change', () => {
  assert.deepEqual(status({}, line(0, 2, 3.9), line(4, 6, 2)), [{ status: 'fits' }, { status: 'fits' }])
  const fast = plan({}, line(0, 2, 5), line(4, 6, 2)).lines[0]!
  assert.deepEqual([fast.startUs, fast.lengthUs, fast.cutUs], [0, 3.95 * S, 0])
  assert.equal(fast.rate, (5 * S) / (3.95 * S))
})

test('concise delays later lines by the budget at most, and reports what runs past the own room', () => {
  const request = { overflow_budget_s: 1 }
  const lines = [line(0, 2, 4.5), line(4, 6, 1), line(10, 12, 20)]
  const [first, second, third] = plan(request, ...lines).lines
  assert.deepEqual([first!.startUs, first!.lengthUs, first!.rate, first!.pastUs], [0, 4.5 * S, 1, 0.55 * S])
  assert.deepEqual([second!.startUs, second!.rate], [4.5 * S, 1])
  assert.deepEqual([third!.startUs, third!.lengthUs, third!.rate, third!.cutUs], [10 * S, 10 * S, 1.5, 5 * S])
  assert.deepEqual(status(request, ...lines), [
    { status: 'overflows', overflow_s: 0.55 },
    { status: 'fits' },
    { status: 'overflows', overflow_s: 5 },
  ])
})

test('a delay never leaves a later line without the time that it needs', () => {
  const lines = [line(0, 1, 9), line(1, 1.2, 0.3), line(1.2, 1.4, 0.3), line(1.4, 3, 2.4)]
  for (const fitted of plan({ overflow_budget_s: 5 }, ...lines).lines.slice(1)) {
    assert.ok(fitted.lengthUs > 0)
    assert.ok(fitted.rate <= 1.5)
  }
})

test('stretch_video keeps the voice and stretches the picture up to four times', () => {
  const lines = [line(0, 2, 6), line(2, 4, 16), line(4, 20, 1)]
  const { pieces, totalUs, lines: fitted } = plan({ timing_strategy: 'stretch_video', fit_options: { gap_guard_s: 0 } }, ...lines)
  assert.deepEqual([pieces.map(({ slope }) => slope), totalUs], [[3, 4], 30 * S])
  assert.deepEqual(
    fitted.map(({ startUs, rate, cutUs }) => [startUs / S, rate, cutUs / S]),
    [
      [0, 1, 0],
      [6, 1.5, 4],
      [14, 1, 0],
    ],
  )
  const request = { timing_strategy: 'stretch_video', fit_options: { gap_guard_s: 0 } } as const
  assert.deepEqual(
    status(request, ...lines),
    [3, 4, 1].map((stretch_ratio) => ({ status: 'video_stretched', stretch_ratio })),
  )
})

test('smart_fit divides the excess between voice and picture', () => {
  const smart = { timing_strategy: 'smart_fit', fit_options: { gap_guard_s: 0 } } as const
  const lines = [line(0, 2, 1.98), line(2, 4, 1.7), line(4, 6, 2.3), line(6, 8, 2 * 1.44), line(8, 10, 12), line(10, 20, 9.9)]
  assert.deepEqual(status(smart, ...lines), [
    { status: 'fits' },
    { status: 'audio_slowed', audio_rate: 0.85 },
    { status: 'audio_stretched', audio_rate: 1.15 },
    { status: 'hybrid', audio_rate: 1.2, video_ratio: 1.2 },
    { status: 'overflow_trimmed', audio_rate: 1.5, video_ratio: 2, overflow_s: 6 },
    { status: 'fits' },
  ])
  const alone = { ...smart, fit_options: { ...smart.fit_options, allow_video_retime: false } }
  assert.deepEqual(status(alone, line(0, 2, 3.4), line(2, 4, 4), line(4, 20, 16)), [
    { status: 'audio_stretched', audio_rate: 1.7 },
    { status: 'overflow_trimmed', audio_rate: 1.8, overflow_s: 0.4 },
    { status: 'fits' },
  ])
})

test('the silence after a line counts as room, and never makes a line slower', () => {
  const smart = { timing_strategy: 'smart_fit' } as const
  assert.deepEqual(status(smart, line(0, 2, 3.9), line(4, 6, 2)), [{ status: 'fits' }, { status: 'fits' }])
})

test('lines of two people who talk at once stay at once', () => {
  const [first, second] = plan({ timing_strategy: 'strict_slot' }, line(0, 4, 4), line(2, 6, 4, 'B')).lines
  assert.deepEqual([first!.lengthUs, second!.startUs, second!.lengthUs], [4 * S, 2 * S, 4 * S])
  const [cut, next] = plan({ timing_strategy: 'strict_slot' }, line(0, 4, 2), line(2, 6, 4)).lines
  assert.deepEqual([cut!.slotUs, cut!.lengthUs, next!.startUs], [2 * S, 2 * S, 2 * S])
})

test('a line without take or slot is silent, with a score of 1 and a reason', () => {
  const silent = plan({}, line(0, 2, 0), line(3, 3.05, 1), line(25, 26, 1))
  assert.deepEqual(
    silent.lines.map(({ silence }) => silence),
    ['no-take', 'short-slot', 'short-slot'],
  )
  assert.deepEqual(silent.lines.map(syncScoreOf), [1, 1, 1])
  assert.deepEqual(plan({}, line(0, 2, 4), line(5, 6, 0.25)).lines.map(syncScoreOf), [0.5, 0.25])
})

test('the fingerprint has defaults filled in and depends on the strategy and every option', () => {
  const usual = fitFingerprint('smart_fit', null)
  assert.match(usual, /^[0-9a-f]{16}$/)
  assert.equal(fitFingerprint('smart_fit', { gap_guard_s: 0.05, video_slow_cap: null }), usual)
  const others = [
    fitFingerprint('concise', null),
    ...[
      { max_audio_only_rate: 1.1 },
      { audio_rate_cap: 1.1 },
      { video_slow_cap: 1.1 },
      { gap_guard_s: 0.1 },
      { allow_video_retime: false },
    ].map((options) => fitFingerprint('smart_fit', options)),
  ]
  assert.equal(new Set([usual, ...others]).size, 7)
})
