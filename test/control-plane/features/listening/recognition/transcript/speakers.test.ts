import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withSpeakers } from '#control-plane/features/listening/recognition/transcript/speakers.ts'
import type { SubtitleSegment } from '#control-plane/features/listening/recognition/transcript/subtitles.ts'

const turn = (start: number, end: number, speaker: number) => ({ start, end, speaker })
const brief = (segments: readonly SubtitleSegment[]) => segments.map(({ start, end, text, speaker }) => [start, end, text, speaker])
const words = (...entries: [number, number, string][]) => entries.map(([start, end, word]) => ({ start, end, word }))

test('a segment without words belongs to the speaker of most of it', () => {
  const turns = [turn(0, 2, 0), turn(2, 5, 1), turn(4, 6, 0)]
  assert.deepEqual(brief(withSpeakers([{ start: 1, end: 5, text: 'one' }], turns)), [[1, 5, 'one', 'Speaker 2']])
})

test('a segment with words is divided where the speaker changes, with spacing and punctuation', () => {
  const text = 'Are you there? — Yes, I am.'
  const segment = {
    start: 0,
    end: 4,
    text,
    words: words([0, 0.5, 'Are'], [0.5, 1, 'you'], [1, 1.9, 'there?'], [2.1, 3, 'Yes,'], [3, 3.4, 'I'], [3.4, 4, 'am.']),
  }
  const divided = withSpeakers([segment], [turn(0, 2, 0), turn(2, 4, 1)])
  assert.deepEqual(brief(divided), [
    [0, 1.9, 'Are you there? —', 'Speaker 1'],
    [2.1, 4, 'Yes, I am.', 'Speaker 2'],
  ])
  assert.deepEqual(new Set(divided[1]!.words!.map(({ speaker }) => speaker)), new Set(['Speaker 2']))
  assert.equal(divided.map((one) => one.text).join(' '), text)
})

test('words outside of all turns go to the nearest turn, and a single speaker divides nothing', () => {
  const segment = { start: 0, end: 10, text: 'a b', words: words([0, 1, 'a'], [9, 10, 'b']) }
  assert.deepEqual(brief(withSpeakers([segment], [turn(3, 4, 0), turn(5, 6, 1)])), [
    [0, 1, 'a', 'Speaker 1'],
    [9, 10, 'b', 'Speaker 2'],
  ])
  assert.deepEqual(brief(withSpeakers([segment], [turn(3, 4, 4)])), [[0, 10, 'a b', 'Speaker 5']])
})

test('words that do not occur literally in the text are joined as their writing is', () => {
  const chinese = { start: 0, end: 3, text: '12', words: words([0, 1, '一'], [1, 2, '二'], [2, 3, '三']) }
  assert.deepEqual(brief(withSpeakers([chinese], [turn(0, 2, 0), turn(2, 3, 1)])), [
    [0, 2, '一二', 'Speaker 1'],
    [2, 3, '三', 'Speaker 2'],
  ])
  const segment = { start: 0, end: 2, text: '1 2', words: words([0, 1, 'one'], [1, 2, 'two']) }
  assert.deepEqual(brief(withSpeakers([segment], [turn(0, 1, 0), turn(1, 2, 1)])), [
    [0, 1, 'one', 'Speaker 1'],
    [1, 2, 'two', 'Speaker 2'],
  ])
})

test('without turns the segments have no speakers', () => {
  const segments = [{ start: 0, end: 1, text: 'x', words: words([0, 1, 'x']) }]
  assert.deepEqual(withSpeakers(segments, []), segments)
})
