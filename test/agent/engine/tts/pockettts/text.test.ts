// The text of Pocket-TTS: vectors of prepare_text_prompt, and the properties that upstream tests of its sentence splitter. Its tokenizer is not
// here: a token stands for a word, a digit or a mark.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toTokenPieces } from '#agent/engine/text/token-pieces.ts'
import { replacedIn } from '#agent/engine/tts/pockettts/languages.ts'
import { preparedText } from '#agent/engine/tts/pockettts/text.ts'

const RULES = { remove_semicolons: false, pad_with_spaces_for_short_inputs: false, model_recommended_frames_after_eos: null }
const tokens = (text: string) => text.match(/\p{L}+|[^\s]/gu)?.length ?? 0
const split = (text: string, most: number) => toTokenPieces(text, most, tokens, 'en')

test('a text begins with a capital, ends with punctuation, and a short one gets more frames at its end', () => {
  const prepared = (text: string, more: object = {}) => preparedText(text, { ...RULES, ...more }, replacedIn('en'))
  assert.deepEqual(prepared('  hello\nworld '), { text: 'Hello world.', tail: 5 })
  assert.deepEqual(prepared('one two three four five!'), { text: 'One two three four five!', tail: 3 })
  assert.deepEqual(prepared('élan; vital', { remove_semicolons: true }).text, 'Élan, vital.')
  assert.deepEqual(prepared('room 7').text, 'Room 7.')
  assert.deepEqual(prepared('"quoted"').text, '"quoted".')
  assert.deepEqual(prepared('a b c d', { pad_with_spaces_for_short_inputs: true }).text, `${' '.repeat(8)}A b c d.`)
  assert.deepEqual(prepared('a b c d e', { pad_with_spaces_for_short_inputs: true }).text, 'A b c d e.')
  assert.equal(prepared('hi', { model_recommended_frames_after_eos: 0 }).tail, 0)
})

test('short text is one piece, commas or not', () => {
  assert.deepEqual(split('Hello world.', 50), ['Hello world.'])
  assert.deepEqual(split('Hello, world.', 50), ['Hello, world.'])
  assert.deepEqual(split('', 50), [])
})

test('sentences above the limit are separate pieces', () => {
  assert.ok(split('First sentence here. Second sentence here. Third sentence here. Fourth sentence here.', 10).length > 1)
  const mixed =
    'Short sentence. This is a very long sentence with many clauses, separated by commas, that goes on and on, and on some more, ' +
    'without any periods at all, until it finally reaches a period. Another short one.'
  assert.ok(split(mixed, 20).length >= 3)
})

test('a long sentence is cut at commas, semicolons and colons, and no word is lost', () => {
  const tale =
    'It was the best of times, it was the worst of times, it was the age of wisdom, it was the age of foolishness, it was the epoch of belief, ' +
    'it was the epoch of incredulity, it was the season of Light, it was the season of Darkness, it was the spring of hope, it was the winter of despair'
  for (const most of [50, 20]) {
    const pieces = split(tale, most)
    assert.ok(pieces.length > 1)
    assert.equal(pieces.join(' '), tale)
    assert.ok(pieces.every((piece) => tokens(piece) <= most))
    assert.ok(pieces.slice(0, -1).every((piece) => piece.endsWith(',')))
  }
  const clauses = 'First clause here; second clause here: third clause here; fourth clause here; fifth clause here; sixth clause here'
  const pieces = split(clauses, 15)
  assert.ok(pieces.length > 1 && pieces.slice(0, -1).every((piece) => /[;:]$/.test(piece)))
  assert.equal(pieces.join(' '), clauses)
})

test('the full stop of a decimal is no end of a sentence', () => {
  const fever = 'The average human body temperature is 98.6°F, which is a common decimal used in medicine.'
  assert.deepEqual(split(fever, 50), [fever])
  assert.deepEqual(split('Pi is 3.14 and e is 2.718.', 50), ['Pi is 3.14 and e is 2.718.'])
  assert.deepEqual(split('Version 2.0 is out. Pi is 3.14.', 50), ['Version 2.0 is out. Pi is 3.14.'])
  const both = split(`${fever} Pi is 3.14 and e is 2.718.`, 20)
  assert.ok(both.length >= 2)
  assert.equal(both.join(' '), `${fever} Pi is 3.14 and e is 2.718.`)
  for (const decimal of ['98.6', '3.14', '2.718']) assert.ok(both.some((piece) => piece.includes(decimal)))
})

test('a sentence without any mark is cut between words; upstream keeps it whole and may skip words', () => {
  const words = Array.from({ length: 20 }, (_, at) => `word${at}`).join(' ')
  const pieces = split(words, 8)
  assert.equal(pieces.join(' '), words)
  assert.ok(pieces.every((piece) => tokens(piece) <= 8))
})
