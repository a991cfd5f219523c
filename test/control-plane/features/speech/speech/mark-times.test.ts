import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMarkTimes, hasMarks } from '#control-plane/features/speech/speech/text/mark-times.ts'

const SCRIPT = {
  leadMs: 500,
  segments: [
    { text: 'a', pauseAfterMs: 0, marks: ['one'] },
    { text: 'b', pauseAfterMs: 0 },
    { text: 'c', pauseAfterMs: 0, marks: ['two', 'three'] },
  ],
  marksAfter: ['end'],
}

test('a mark is passed when the sound of its segment begins, and once', () => {
  const times = createMarkTimes(SCRIPT, 1000)
  const passed = () => times.take().map(({ name, seconds }) => `${name} ${seconds}`)
  assert.deepEqual(passed(), [])
  times.pass(0, 1000)
  times.pass(0, 1001)
  assert.deepEqual(passed(), ['one 0.5'])
  times.pass(2, 999)
  assert.deepEqual(passed(), ['two 1.501', 'three 1.501'], 'the second segment was silent')
  times.end()
  assert.deepEqual([passed(), passed()], [['end 2'], []])
})

test('marks of segments without sound come at the end', () => {
  const times = createMarkTimes(SCRIPT, 1000)
  times.pass(0, 2000)
  times.end()
  assert.deepEqual(
    times.take().map(({ name, seconds }) => [name, seconds]),
    [
      ['one', 0.5],
      ['two', 1.5],
      ['three', 1.5],
      ['end', 1.5],
    ],
  )
  assert.deepEqual([hasMarks(SCRIPT), hasMarks({ leadMs: 0, segments: [{ text: 'a', pauseAfterMs: 0 }] })], [true, false])
})
