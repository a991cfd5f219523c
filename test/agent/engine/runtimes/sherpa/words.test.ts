import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resultLanguage, SherpaResult, timedSherpaWords, toSegments, toSentenceSegments } from '#agent/engine/runtimes/sherpa/words.ts'

const said = (text: string, tokens: string[], timestamps: number[], durations: number[] = []) =>
  SherpaResult.parse({ text, tokens, timestamps, durations, lang: '', ys_log_probs: [] })
const words = (from: ReturnType<typeof said>, start = 0, end = 100) => timedSherpaWords(from, start, end)?.map(({ word }) => word) ?? null

test('pieces with a leading space start words; others continue them', () => {
  const hello = said('Hello, world. Yes', ['▁Hel', 'lo', ',', '▁world', '.', ' Yes'], [0.1, 0.3, 0.5, 0.6, 0.9, 2.5])
  const found = timedSherpaWords(hello, 10, 13)!
  assert.deepEqual(
    found.map(({ word, start, end }) => [word, Math.round(start * 10) / 10, Math.round(end * 10) / 10]),
    [
      ['Hello,', 10.1, 10.6],
      ['world.', 10.6, 11.1],
      ['Yes', 12.5, 12.7],
    ],
  )
  assert.deepEqual(
    toSentenceSegments(found).map(({ text, words: own }) => [text, own!.length]),
    [
      ['Hello, world.', 2],
      ['Yes', 1],
    ],
  )
  assert.deepEqual(words(said('a b', ['▁', 'a', '▁', 'b'], [0, 0.1, 0.2, 0.3])), ['a', 'b'])
})

test('durations of the model are used and clamped to the piece', () => {
  const [one, two] = timedSherpaWords(said('one two', ['▁one', '▁two'], [0.2, 1.9], [0.6, 5]), 0, 2)!
  assert.deepEqual([one!.start, Math.round(one!.end * 10) / 10, two!.start, two!.end], [0.2, 0.8, 1.9, 2])
})

test('pieces that end with @@ continue; Chinese and Japanese characters are words', () => {
  const mixed = said('昨天是 monday today', ['昨', '天', '是', 'mon@@', 'day', 'today'], [0, 0.2, 0.4, 0.6, 0.8, 1])
  assert.deepEqual(words(mixed), ['昨', '天', '是', 'monday', 'today'])
  assert.equal(toSentenceSegments(timedSherpaWords(mixed, 0, 5)!)[0]!.text, '昨天是 monday today')
  assert.deepEqual(words(said('好 ABC', ['好', '▁A', 'BC'], [0, 1, 2])), ['好', 'ABC'])
})

test('tokens that do not spell the text, or have no times, give one segment', () => {
  assert.equal(words(said('é', ['<0xC3>', '<0xA9>'], [0, 0.1])), null)
  assert.equal(words(said('hello', ['hello'], [])), null)
  assert.deepEqual(toSegments(said(' hello ', [], []), 3, 5), [{ start: 3, end: 5, text: 'hello' }])
  assert.deepEqual(toSegments(said('  ', [], []), 3, 5), [])
})

test('a sentence without marks ends at a pause, and at the next word after a quarter of a minute', () => {
  const tokens = Array.from({ length: 40 }, () => '▁la')
  const steady = said(
    tokens.map(() => 'la').join(' '),
    tokens,
    tokens.map((_, at) => at / 2 + (at >= 4 ? 3 : 0)),
  )
  const sentences = toSegments(steady, 0, 60)
  assert.equal(sentences[0]!.words!.length, 4)
  assert.ok(sentences.length === 3 && sentences.every(({ start, end }) => end - start <= 15.5))
  assert.equal(sentences.flatMap(({ words: own }) => own!).length, 40)
})

test('the language is read with and without its brackets', () => {
  assert.deepEqual(
    ['<|en|>', 'de', '', '<|yue|>'].map((lang) => resultLanguage(SherpaResult.parse({ text: '', lang }))),
    ['en', 'de', '', 'yue'],
  )
})
