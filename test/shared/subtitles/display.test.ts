import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { displayCues, type SpokenLine } from '#shared/subtitles/display/cues.ts'
import { graphemesOf, lineLimitsOf, widthOf } from '#shared/subtitles/display/width.ts'

const S = 1_000_000
const spoken = (startUs: number, endUs: number, text: string, wordStartsUs: number[] | null = null): SpokenLine => ({
  startUs,
  endUs,
  text,
  wordStartsUs,
})
const OPTIONS = { language: 'en', framesPerSecond: 25, cutsUs: [] as number[] }
const shown = (text: string, language = 'en', seconds = 5) =>
  displayCues([spoken(0, seconds * S, text)], { ...OPTIONS, language }).map(({ lines }) => lines)
const times = (lines: SpokenLine[], cutsUs: number[] = []) =>
  displayCues(lines, { ...OPTIONS, cutsUs }).map(({ startUs, endUs }) => [startUs / S, endUs / S])

test('a short text is one line, a longer one two balanced lines', () => {
  assert.deepEqual(shown('Good morning.'), [['Good morning.']])
  assert.deepEqual(shown('We walked along the river because the bridge was closed.'), [
    ['We walked along the river', 'because the bridge was closed.'],
  ])
})

test('lines end where the sentence allows it', () => {
  // Not: article and noun, number and unit, first and last name, negation and verb.
  assert.deepEqual(shown('Yesterday afternoon she finally bought a bicycle for her son.'), [
    ['Yesterday afternoon she finally', 'bought a bicycle for her son.'],
  ])
  assert.deepEqual(shown('The road to the next village is about 25 kilometres long now.'), [
    ['The road to the next village is', 'about 25 kilometres long now.'],
  ])
  for (const text of [
    'Everybody in the room was looking at Maria Gonzalez in silence.',
    'I think that the old man who lives there does not understand us.',
  ])
    for (const [upper] of shown(text)) assert.doesNotMatch(upper!, /(?:Maria|not)$/)
})

test('a long text is several pictures, split after sentences', () => {
  const text =
    'The first sentence of this text has quite a number of words in it. The second sentence has some more words, and it ends here.'
  const found = shown(text, 'en', 9)
  assert.equal(found.length, 2)
  assert.match(found[0]!.at(-1)!, /in it\.$/)
})

test('a word that is wider than a line is cut between characters', () => {
  const [lines] = shown('x'.repeat(60))
  assert.deepEqual(lines, ['x'.repeat(42), 'x'.repeat(18)])
  const family = '👩‍👩‍👧‍👦'
  const marks = 'e\u0301\u0323'
  for (const one of [family, marks])
    for (const line of shown(one.repeat(200), 'en', 60).flat()) assert.deepEqual([...new Set(graphemesOf(line))], [one])
})

test('languages without blanks break between words, and no line begins with a closing mark', () => {
  const chinese = shown('今天天气很好，我们一起去公园散步吧。听说那里的花都开了，「非常漂亮」！', 'zh').flat()
  assert.equal(chinese.join(''), '今天天气很好，我们一起去公园散步吧。听说那里的花都开了，「非常漂亮」！')
  for (const line of chinese) {
    assert.ok(widthOf(line, lineLimitsOf('zh')) <= 16, line)
    assert.doesNotMatch(line, /^[，。！」]|「$/)
  }
  const thai = 'ประเทศไทยมีอากาศร้อนและมีฝนตกมากในฤดูฝนแต่ผู้คนก็ยังชอบออกไปเที่ยวข้างนอกกับครอบครัวเสมอ'
  const lines = shown(thai, 'th').flat()
  assert.equal(lines.join(''), thai)
  assert.ok(lines.length > 1)
})

test('right-to-left text with digits and brackets keeps the order of its characters', () => {
  const text = 'אני גר ברחוב הרצל 25 (קומה 3), ליד בית הספר הישן של העיר הגדולה.'
  assert.equal(shown(text, 'he').flat().join(' '), text)
})

test('pictures stay long enough to be read, and not for ever', () => {
  assert.deepEqual(times([spoken(S, 1.2 * S, 'Yes.')]), [[1, 1.833333]])
  assert.deepEqual(times([spoken(0, 20 * S, 'Well.')]), [[0, 7]])
  // 34 letters need 2 s; 12 frames after the voice is the most.
  assert.deepEqual(times([spoken(0, 1.9 * S, 'There are thirty-four letters here')]), [[0, 2]])
  assert.deepEqual(times([spoken(0, S, 'There are thirty-four letters here')]), [[0, 1.48]])
})

test('gaps of less than half a second are closed to two frames', () => {
  assert.deepEqual(times([spoken(0, 2 * S, 'One.'), spoken(2.3 * S, 4 * S, 'Two.'), spoken(4.6 * S, 6 * S, 'Three.')]), [
    [0, 2.22],
    [2.3, 4],
    [4.6, 6],
  ])
  assert.deepEqual(times([spoken(0, 2 * S, 'One.'), spoken(2 * S, 4 * S, 'Two.')]), [
    [0, 1.92],
    [2, 4],
  ])
})

test('two voices at once are shown at once', () => {
  assert.deepEqual(times([spoken(0, 4 * S, 'One.'), spoken(2 * S, 6 * S, 'Two.')]), [
    [0, 4],
    [2, 6],
  ])
})

test('a cut near the end or the start moves it', () => {
  assert.deepEqual(times([spoken(S, 3 * S, 'One.')], [0.9 * S, 3.2 * S]), [[0.9, 3.12]])
  assert.deepEqual(times([spoken(S, 3 * S, 'One.')], [0.5 * S, 4 * S]), [[1, 3]])
})

test('pictures of one line begin with their words', () => {
  const text = 'The first sentence of this text has quite a number of words in it. The second one begins at five seconds, and it ends here.'
  const words = text.split(' ').map((_, at) => (at < 14 ? at * 0.2 : 5 + (at - 14) * 0.2) * S)
  assert.deepEqual(
    displayCues([spoken(0, 9 * S, text, words)], OPTIONS).map(({ startUs }) => startUs / S),
    [0, 5],
  )
})

test('for any text nothing is lost, lines fit and times are in order', () => {
  const part = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.constantFrom('the ', 'Mr. Smith ', '25 km ', 'and, ', '你好。', 'ไทยแลนด์', '(', ')'),
  )
  const line = fc.record({
    gap: fc.nat(2 * S),
    length: fc.nat(9 * S),
    text: fc.array(part, { maxLength: 12 }).map((parts) => parts.join('')),
  })
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 6 }),
      fc.constantFrom('en', 'zh', 'ja', 'th', '', 'x-y'),
      fc.array(fc.nat(30 * S)),
      (raw, language, cuts) => {
        let at = 0
        const lines = raw.map(({ gap, length, text }) => {
          const start = at + gap
          at = start + length
          return spoken(start, at, text)
        })
        const cues = displayCues(lines, { language, framesPerSecond: 25, cutsUs: cuts.sort((a, b) => a - b) })
        const limits = lineLimitsOf(language)
        const letters = (text: string) => text.replace(/\s/g, '')
        assert.equal(
          letters(cues.flatMap(({ lines }) => lines).join('')),
          letters(
            lines
              .filter(({ startUs, endUs }) => endUs > startUs)
              .map(({ text }) => text)
              .join(''),
          ),
        )
        for (const { startUs, endUs, lines } of cues) {
          assert.ok(Number.isSafeInteger(startUs) && Number.isSafeInteger(endUs) && endUs > startUs)
          assert.ok(endUs - startUs <= 7 * S)
          assert.ok(lines.length <= 2)
          for (const one of lines) assert.ok(widthOf(one, limits) <= limits.line, one)
        }
      },
    ),
    { numRuns: 500 },
  )
})
