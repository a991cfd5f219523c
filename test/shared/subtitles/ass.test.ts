import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeAss } from '#shared/subtitles/ass.ts'

const PICTURE = { width: 1280, height: 720, language: 'en' }
const dialogues = (...lines: string[]) =>
  writeAss([{ startUs: 0, endUs: 1e6, lines }], PICTURE)
    .split('\n')
    .filter((line) => line.startsWith('Dialogue:'))

test('the size of the picture, the font of the language, and times in hundredths', () => {
  const text = writeAss([{ startUs: 3_723_456_000, endUs: 3_724_999_999, lines: ['Hi', 'there'], originals: ['Hallo'] }], {
    ...PICTURE,
    language: 'ja-JP',
  })
  assert.match(text, /\nPlayResX: 1280\nPlayResY: 720\n/)
  assert.match(text, /\nStyle: Dub,Noto Sans CJK JP,43,/)
  assert.match(text, /\nDialogue: 0,1:02:03\.46,1:02:05\.00,Dub,,0,0,0,,Hi\\Nthere\\N\{\\i1\}Hallo\{\\i0\}\n$/)
})

test('every event has the columns of its format', () => {
  const lines = writeAss([{ startUs: 0, endUs: 1e6, lines: ['Hi'] }], PICTURE).split('\n')
  const columns = (start: string, at: number) =>
    lines
      .filter((line) => line.startsWith(start))
      .at(at)!
      .split(',').length
  assert.equal(columns('Format:', 0), columns('Style:', 0))
  assert.equal(columns('Format:', 1), columns('Dialogue:', 0))
})

test('no text is a command, and none begins another event', () => {
  assert.deepEqual(dialogues('{\\pos(0,0)}a\\Nb', 'c\nDialogue: 0,0:00:00.00,9:00:00.00,Dub,,0,0,0,,x', 'd\u2028e\0'), [
    'Dialogue: 0,0:00:00.00,0:00:01.00,Dub,,0,0,0,,\\{\\\u2060pos(0,0)\\}a\\\u2060Nb\\Nc Dialogue: 0,0:00:00.00,9:00:00.00,Dub,,0,0,0,,x\\Nd e',
  ])
})

test('a cue without text has no event', () => {
  assert.deepEqual(dialogues('', ' '), [])
})
