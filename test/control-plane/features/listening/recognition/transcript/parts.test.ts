import assert from 'node:assert/strict'
import { test } from 'node:test'
import { joinParts } from '#control-plane/features/listening/recognition/transcript/parts.ts'

const transcriptOf = (text: string, language = 'en', duration = 10) => ({
  text,
  language,
  duration,
  notices: [],
  segments: text === '' ? [] : [{ start: 1, end: 2, text, words: [{ start: 1.5, end: 2, word: text }] }],
})

test('the times of every part are relative to the whole recording', () => {
  const joined = joinParts([
    { from: 0, transcript: transcriptOf('one') },
    { from: 9.5, transcript: transcriptOf('') },
    { from: 20, transcript: transcriptOf('two', 'en', 7) },
  ])
  assert.equal(joined.text, 'one two')
  assert.equal(joined.duration, 27)
  assert.deepEqual(
    joined.segments.map(({ start, end, words }) => [start, end, words![0]!.start, words![0]!.end]),
    [
      [1, 2, 1.5, 2],
      [21, 22, 21.5, 22],
    ],
  )
})

test('a single part is unchanged, and the language is that of the longest text', () => {
  const only = transcriptOf('alone')
  assert.equal(joinParts([{ from: 0, transcript: only }]), only)
  const parts = [transcriptOf('eh', 'fr'), transcriptOf('a whole sentence', 'de'), transcriptOf('', 'en')]
  assert.equal(joinParts(parts.map((one, at) => ({ from: at * 10, transcript: one }))).language, 'de')
})

test('Chinese and Japanese parts are joined without blanks', () => {
  const parts = [transcriptOf('你好。', 'zh'), transcriptOf('', 'zh'), transcriptOf('再见。', 'zh')]
  assert.equal(joinParts(parts.map((transcript, at) => ({ from: at * 10, transcript }))).text, '你好。再见。')
})

test('speech without words has times of the whole recording', () => {
  const wordless = { ...transcriptOf(''), speech_without_words: [{ start: 2, end: 5.5 }] }
  const parts = [transcriptOf('one'), wordless].map((transcript, at) => ({ from: at * 10, transcript }))
  assert.deepEqual(joinParts(parts).speech_without_words, [{ start: 12, end: 15.5 }])
  assert.equal('speech_without_words' in joinParts([parts[0]!, parts[0]!]), false)
})

test('a sentence with times says from where they are counted, and others are said once', () => {
  const parts = [0, 900].map((from) => ({
    from,
    transcript: { ...transcriptOf('one'), notices: ['Whisper is not sure of these parts: 0:02 to 0:05.', 'There are no word times.'] },
  }))
  assert.deepEqual(joinParts(parts).notices, [
    'Whisper is not sure of these parts: 0:02 to 0:05.',
    'There are no word times.',
    'Counted from 15:00 of the recording: Whisper is not sure of these parts: 0:02 to 0:05.',
  ])
})
