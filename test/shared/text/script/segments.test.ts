import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { textSegments } from '#shared/text/script/segments.ts'

const toTextSegments = (text: string) => [...textSegments(text, 'en')]

const SENTENCE = 'The quick brown fox jumps over the lazy dog near the river bank.' // 64 characters

test('sentences are packed, and a paragraph ends its segment', () => {
  const segments = toTextSegments(`${Array(5).fill(SENTENCE).join(' ')}\n\n${SENTENCE}`)
  assert.deepEqual(
    segments.map(({ text, endsParagraph }) => [text.length, endsParagraph]),
    [
      [194, false],
      [129, true],
      [64, true],
    ],
  )
})

test('short paragraphs are merged with each other, and not with long ones', () => {
  const segments = toTextSegments(`"Yes."\n\n"No."\n \n"Why?"\n\n${SENTENCE}\n\n"So."`)
  assert.deepEqual(
    segments.map(({ text }) => text),
    ['"Yes." "No." "Why?"', SENTENCE, '"So."'],
  )
})

test('a long sentence is cut at a clause, at a blank or anywhere', () => {
  const clauses = toTextSegments(`${'word '.repeat(70)}end, ${'word '.repeat(60)}`.trim())
  assert.match(clauses[0]!.text, /end,$/)
  assert.equal(toTextSegments('x'.repeat(900)).length, 3)
  assert.equal(toTextSegments('字'.repeat(900)).length, 3)
})

test('an edit changes the segments of its paragraph only', () => {
  const paragraphs = Array.from({ length: 6 }, (_, at) => `Paragraph ${at}. ${Array(3).fill(SENTENCE).join(' ')}`)
  const before = toTextSegments(paragraphs.join('\n\n')).map(({ text }) => text)
  const after = toTextSegments(paragraphs.with(2, `New words. ${paragraphs[2]}`).join('\n\n')).map(({ text }) => text)
  const changed = after.filter((text) => !before.includes(text))
  assert.ok(changed.length > 0 && changed.length <= 3, `${changed.length} segments changed`)
})

test('no word is lost, and no segment is too long', () => {
  const word = fc.constantFrom('one', 'two,', 'three.', 'vier!', '五。', 'a'.repeat(500), '\n\n', '\n', '"Six?"')
  fc.assert(
    fc.property(fc.array(word, { maxLength: 120 }), (words) => {
      const text = words.join(' ')
      const segments = toTextSegments(text)
      const bare = (given: string) => given.replaceAll(/\s/g, '')
      assert.equal(bare(segments.map((one) => one.text).join('')), bare(text))
      for (const { text } of segments) assert.ok([...text].length <= 400 && text.trim() !== '')
    }),
    { numRuns: 300, seed: 9 },
  )
})

test('a text of millions of characters without sentences takes seconds and not hours', () => {
  const before = process.cpuUsage()
  const segments = toTextSegments('a'.repeat(2_000_000))
  const { user, system } = process.cpuUsage(before)
  assert.equal(segments.length, 5_000)
  assert.ok(user + system < 10_000_000, `${(user + system) / 1_000_000} s`)
})

test('eight megabytes of blank lines separate two paragraphs', () => {
  for (const blank of ['\n', '\n ', '\n\t\n', ' \n'])
    assert.deepEqual(
      toTextSegments(`one.${blank.repeat((8 * 1024 ** 2) / blank.length)}\n\n${'two'.repeat(30)}`).map(({ text }) => text),
      ['one.', 'two'.repeat(30)],
      JSON.stringify(blank),
    )
})

test('a segment ends at a sentence of its language', () => {
  const sentences = Array.from(
    { length: 40 },
    (_, at) => `Am ${(at % 28) + 1}. Mai kam z. B. Dr. med. Klein ${'sehr '.repeat(at % 9)}spät.`,
  )
  const segments = [...textSegments(sentences.join(' '), 'de')].map(({ text }) => text)
  assert.ok(segments.length > 5)
  for (const segment of segments) assert.match(segment, /^Am .* spät\.$/)
})
