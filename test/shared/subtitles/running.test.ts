// Captions that show each phrase several times, and subtitles that only repeat a word.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseSubtitles } from '#test/support/texts/parse-subtitles.ts'

type Shown = readonly [from: number, to: number, text: string]
const clock = (ms: number) => `00:${String(Math.floor(ms / 60_000)).padStart(2, '0')}:${((ms % 60_000) / 1000).toFixed(3)}`
const file = (cues: readonly Shown[]) => cues.map(([from, to, text]) => `${clock(from)} --> ${clock(to)}\n${text}\n`).join('\n')
const read = (cues: readonly Shown[]) =>
  parseSubtitles(file(cues)).cues.map(({ startUs, endUs, text }) => [startUs / 1000, endUs / 1000, text])
const texts = (cues: readonly Shown[]) => read(cues).map(([, , text]) => text)

const PHRASES = ['one two', 'three four', 'five', 'six seven eight', 'nine']
/** Each phrase below the one before it, then alone for a moment. */
const asYouTube = (phrases: readonly string[]): Shown[] =>
  phrases.flatMap((phrase, at): Shown[] => [
    [at * 2000, at * 2000 + 1990, at === 0 ? phrase : `${phrases[at - 1]}\n${phrase}`],
    [at * 2000 + 1990, at * 2000 + 2000, phrase],
  ])

test('every phrase of running captions is kept once', () => {
  assert.deepEqual(
    read(asYouTube(PHRASES)),
    PHRASES.map((phrase, at) => [at * 2000, at * 2000 + 2000, phrase]),
  )
  assert.deepEqual(texts(asYouTube(['No.', 'No.', 'Yes.'])), ['No.', 'No.', 'Yes.'], 'a phrase that is said twice')
  const rollUp = PHRASES.map((_, at): Shown => [at * 2000, at * 2000 + 2000, PHRASES.slice(Math.max(0, at - 2), at + 1).join('\n')])
  assert.deepEqual(texts(rollUp), PHRASES)
})

test('captions that grow word by word, in any script, are one phrase', () => {
  const growing = (words: readonly string[], blank: string) =>
    words.map((_, at): Shown => [at * 500, at * 500 + 500, words.slice(0, at + 1).join(blank)])
  assert.deepEqual(read(growing(['one', 'two', 'three', 'four'], ' ')), [[0, 2000, 'one two three four']])
  assert.deepEqual(read(growing(['今天', '天气', '很', '好'], '')), [[0, 2000, '今天天气很好']])
})

test('a sentence that is written again for each of its words is one phrase', () => {
  const marked = ['<u>one</u> two three', 'one <u>two</u> three', 'one two <u>three</u>'].flatMap((text, at): Shown[] => [
    [at * 500, at * 500 + 400, text],
    [at * 500 + 400, at * 500 + 500, 'one two three'],
  ])
  assert.deepEqual(read(marked), [[0, 1500, 'one two three']])
})

test('written subtitles keep what they repeat', () => {
  const song: Shown[] = ['La la', 'La la', 'Oh', 'La la', 'La la', 'Oh'].map((text, at) => [at * 3000, at * 3000 + 2000, text])
  assert.deepEqual(
    texts(song),
    song.map(([, , text]) => text),
  )
  const talk: Shown[] = [
    [0, 1000, 'No.'],
    [1000, 2000, 'No.'],
    [2000, 3000, 'No.\nPlease.'],
    [3000, 4000, 'Go'],
    [4000, 5000, 'Go on'],
    [5000, 6000, 'Why?'],
    [6000, 7000, 'Because.'],
  ]
  assert.deepEqual(
    texts(talk),
    talk.map(([, , text]) => text),
  )
})
