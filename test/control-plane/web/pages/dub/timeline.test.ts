import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Line } from '#control-plane/web/pages/dub/lines.ts'
import {
  following,
  hitOf,
  marksOf,
  movedEdge,
  RULER,
  secondsAt,
  TRACK,
  visible,
  WAVE,
  xOf,
  zoomed,
} from '#control-plane/web/pages/dub-timeline/view.ts'

const view = { from: 10, span: 20, width: 1000, duration: 100 }
const line = (id: string, start: number, end: number, speaker: string) => ({ id, start, end, speaker }) as Line
const lines = [line('a', 0, 9, 'x'), line('b', 9, 11, 'x'), line('c', 12, 14, 'y'), line('d', 14, 14.1, 'y'), line('e', 31, 40, 'x')]

test('seconds and pixels are one another', () => {
  assert.deepEqual([xOf(view, 10), xOf(view, 20), xOf(view, 30)], [0, 500, 1000])
  assert.deepEqual([secondsAt(view, 500), secondsAt(view, -10_000), secondsAt(view, 1e9)], [20, 0, 100])
  assert.deepEqual(
    visible(lines, view).map(({ id }) => id),
    ['b', 'c', 'd'],
  )
})

test('a line, a border of it or nothing is under the pointer', () => {
  const at = (seconds: number, track: number) => {
    const hit = hitOf(lines, ['x', 'y'], view, xOf(view, seconds), RULER + WAVE + track * TRACK + 5)
    return hit && [hit.line.id, hit.edge]
  }
  assert.deepEqual(
    [at(10.5, 0), at(11, 0), at(12.05, 1), at(13, 1), at(14.05, 1)],
    [
      ['b', null],
      ['b', 'end'],
      ['c', 'start'],
      ['c', null],
      ['d', null],
    ],
  )
  assert.deepEqual([at(20, 1), at(13, 0), at(13, 2), hitOf(lines, ['x'], view, 0, 10)], [null, null, null, null])
})

test('a view keeps the moment where it is when it is zoomed, and follows it page by page', () => {
  const near = zoomed(view, 10, 20)
  assert.deepEqual([near.span, near.from, xOf(near, 20)], [10, 15, 500])
  assert.deepEqual([zoomed(view, 1000, 20).from, zoomed(view, 1000, 20).span, zoomed(view, 0, 20).span], [0, 100, 4])
  assert.equal(following(view, 15), view)
  assert.deepEqual([following(view, 40).from, following(view, 99.9).from, following(view, 0).from], [38, 80, 0])
})

test('marks have room, and a border stays within its line and the film', () => {
  assert.deepEqual(marksOf(view), [10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30])
  assert.deepEqual(movedEdge({ start: 5, end: 8 }, 'start', 7.99, 100), { start: 7.9, end: 8 })
  assert.deepEqual(movedEdge({ start: 5, end: 8 }, 'end', 1, 100), { start: 5, end: 5.1 })
  assert.deepEqual(movedEdge({ start: 5, end: 8 }, 'end', 200, 100), { start: 5, end: 100 })
})
