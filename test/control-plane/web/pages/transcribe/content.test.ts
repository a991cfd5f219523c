import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Content,
  contentFrom,
  findIn,
  plainText,
  sharesOf,
  turnsOf,
  withName,
  withSpeaker,
  withWord,
  withWordOf,
  wordAt,
} from '#control-plane/web/pages/transcript/content.ts'
import { countingWords } from '#control-plane/web/pages/transcript/word-count.ts'

const count = (...segments: Content['segments']) => {
  const counting = countingWords(segments)
  for (;;) {
    const { done, value } = counting.next()
    if (done) return value
  }
}
const words = (from: number, text: string) =>
  text.split(' ').map((word, at) => [from + at, from + at + 0.9, at === 0 ? word : ` ${word}`] as const)
const said = (from: number, text: string, speaker = '') => ({ speaker, words: words(from, text) })
const transcript = (...segments: Content['segments']): Content => contentFrom({ segments, file: 'talk.mp3', duration: 60 })

test('a turn ends with its speaker, with a pause, and with a sentence when it is long', () => {
  const starts = (...segments: Content['segments']) => turnsOf(segments).map(({ start }) => start)
  assert.deepEqual(starts(said(0, 'One.'), said(1.2, 'Two.')), [0])
  assert.deepEqual(starts(said(0, 'One.', 'A'), said(1, 'Two.', 'B'), said(2, 'Three.', 'A')), [0, 1, 2])
  assert.deepEqual(starts(said(0, 'One.'), said(2.5, 'Two.')), [0, 2.5])
  assert.deepEqual(turnsOf([]), [])
})

test('an edited word keeps its times and its blank, an empty one is gone, and a segment without words too', () => {
  const before = transcript(said(0, 'over the pear'), said(5, 'Yes'))
  const edited = withWord(before, 0, 2, '  pier, ')
  assert.deepEqual(edited.segments[0]?.words[2], [2, 2.9, ' pier,'])
  assert.equal(plainText(edited), 'over the pier,\n\nYes')
  assert.equal(withWord(before, 1, 0, ' ').segments.length, 1)
  assert.equal(withWord(before, 9, 9, 'x'), before)
})

test('a word that is edited while another browser changes the transcript is the same word, or nothing', () => {
  const before = transcript(said(0, 'teh old pear'), said(5, 'Yes'))
  const elsewhere = withWord(before, 0, 0, '')
  assert.equal(plainText(withWordOf(elsewhere, 2, { segment: 0, word: 2 }, 'pier')), 'old pier\n\nYes')
  assert.equal(withWordOf(elsewhere, 0, { segment: 0, word: 0 }, 'the'), elsewhere)
  const shorter = transcript(said(5, 'Yes no'))
  assert.equal(plainText(withWordOf(shorter, 6, { segment: 1, word: 1 }, 'now')), 'Yes now')
})

test('speakers are renamed everywhere, one turn gets another one, and their shares are those of the sound', () => {
  const before = transcript(said(0, 'a b c', 'Speaker 1'), said(3, 'd', 'Speaker 2'), said(4, 'e', 'Speaker 1'))
  assert.deepEqual(
    withName(before, 'Speaker 1', 'Ann').segments.map(({ speaker }) => speaker),
    ['Ann', 'Speaker 2', 'Ann'],
  )
  const [, , last] = turnsOf(before.segments)
  assert.deepEqual(
    withSpeaker(before, last!, 'Bo').segments.map(({ speaker }) => speaker),
    ['Speaker 1', 'Speaker 2', 'Bo'],
  )
  const [first] = sharesOf(before)
  assert.deepEqual([first?.speaker, first?.turns, first?.start], ['Speaker 1', 2, 0])
  assert.ok(Math.abs(sharesOf(before).reduce((sum, { share }) => sum + share, 0) - 1) < 1e-9)
})

test('a text is found across words, and a moment finds its word', () => {
  const one = transcript(said(0, 'The ferry is here'), said(10, 'No ferry'))
  assert.deepEqual(findIn(one, 'FERRY'), [
    { segment: 0, from: 1, to: 1 },
    { segment: 1, from: 1, to: 1 },
  ])
  assert.deepEqual(findIn(one, 'erry is'), [{ segment: 0, from: 1, to: 2 }])
  assert.deepEqual(findIn(one, '  '), [])
  // A capital letter of which the small one is longer.
  assert.deepEqual(findIn(transcript(said(0, 'İİİİİ ferry')), 'ferry'), [{ segment: 0, from: 1, to: 1 }])
  assert.deepEqual(wordAt(one, 2.5), { segment: 0, word: 2 })
  assert.deepEqual(wordAt(one, 9), { segment: 0, word: 3 })
  assert.deepEqual(wordAt(one, 11), { segment: 1, word: 1 })
  assert.equal(wordAt(transcript(said(5, 'late')), 1), null)
})

test('words are counted as people count them, also where no blanks are between them, and an edited word may be several', () => {
  const whole = (text: string) => ({ speaker: '', words: [[0, 1, text]] as const })
  assert.equal(count(said(0, 'Hello, big world. '), whole('two words')), 5)
  assert.equal(count(whole('今天天气很好。')), 3)
  assert.equal(count(whole('今日はいい天気ですね。 OK')), 7)
  assert.ok(Math.abs(Number(count(whole('ภาษาไทยเป็นภาษาที่สวยงาม'.repeat(50)))) - 300) < 100)
  assert.equal(count(), 0)
})

test('a state that another program wrote gives what is usable of it', () => {
  assert.deepEqual(contentFrom(null).segments, [])
  const odd = contentFrom({ segments: [null, { words: [[1, 'x', 'a'], [2], [3, 4, ''], ['b']] }, { words: 'none' }], duration: -1 })
  assert.deepEqual(odd.segments, [{ speaker: '', words: [[1, 1, 'a']] }])
  assert.equal(odd.duration, 0)
  assert.deepEqual(contentFrom(odd), odd)
})
