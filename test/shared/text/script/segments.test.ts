import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { ParagraphKind } from '#shared/text/script/line.ts'
import { textSegments } from '#shared/text/script/segments.ts'

const toTextSegments = (text: string, kinds: readonly ParagraphKind[] = []) => [...textSegments(text, kinds, 'en')]

const SENTENCE = 'The quick brown fox jumps over the lazy dog near the river bank.' // 64 characters

test('sentences are packed, and a paragraph ends its segment', () => {
  const segments = toTextSegments(`${Array(5).fill(SENTENCE).join(' ')}\n\n${SENTENCE}`)
  assert.deepEqual(
    segments.map(({ text, end }) => [text.length, end]),
    [
      [194, 'sentence'],
      [129, 'paragraph'],
      [64, 'paragraph'],
    ],
  )
})

test('paragraphs are never joined, however short they are', () => {
  assert.deepEqual(
    toTextSegments(`"Yes."\n\n"No."\n \n"Why?"\n\n${SENTENCE}\n\n"So."`).map(({ text }) => text),
    ['"Yes."', '"No."', '"Why?"', SENTENCE, '"So."'],
  )
})

test('lines that stand for themselves have segments of their own, and those of wrapped prose do not', () => {
  const endsOf = (text: string, ...kinds: readonly ParagraphKind[]) => toTextSegments(text, kinds).map(({ text, end }) => `${text} ${end}`)
  assert.deepEqual(endsOf('a\nb\n\nc', 'listItem'), ['a line', 'b paragraph', 'c paragraph'])
  assert.deepEqual(endsOf('a b\tc\nd', 'tableRow'), ['a b cell', 'c line', 'd paragraph'])
  assert.deepEqual(endsOf('a\n\n* * *\n\nb', 'verse', 'sceneBreak'), ['a paragraph', ' paragraph', 'b paragraph'])
  const wrapped = 'The quick brown fox jumps over the lazy dog\nnear the river bank, where it drinks some water\nand sleeps until evening.'
  assert.deepEqual(endsOf(wrapped), [`${wrapped.replaceAll('\n', ' ')} paragraph`])
  const [long, more] = ['long '.repeat(30), 'more '.repeat(30)].map((line) => line.trim())
  assert.deepEqual(
    endsOf(`${long}\n${more}`),
    [`${long} paragraph`, `${more} paragraph`],
    'lines that are too long for verse are paragraphs',
  )
})

test('no border is inside a sentence, unless it is longer than the limit; then it is at the end of a clause', () => {
  const sentences = [
    'Dr. Miller paid $1,200.50 to Mr. J. Smith at 5 p.m. on Jan. 3, as he had promised.',
    '"Stop!" she cried. ',
    'It was, e.g., not the U.S. Army that came; many ran.',
    'Why?',
    `He went ${'on and on, past 1,000 lamps, '.repeat(30)}until he slept.`,
  ]
  fc.assert(
    fc.property(fc.array(fc.nat(sentences.length - 1), { minLength: 1, maxLength: 400 }), (choice) => {
      const text = choice.map((at) => sentences[at]!.trim()).join(' ')
      for (const { text: segment, end } of toTextSegments(text)) {
        assert.ok([...segment].length <= 400)
        if (end === 'paragraph') continue
        assert.match(segment, /(?:promised\.|cried\.|many ran\.|Why\?|until he slept\.|(?:on and on|lamps),)$/)
      }
    }),
    { numRuns: 60, seed: 4 },
  )
})

test('the comma of a number does not end a clause', () => {
  for (let letters = 1; letters <= 60; letters++) {
    const text = `${'A'.repeat(letters)} man went ${'on and on, past 1,000 lamps, '.repeat(30)}until he slept.`
    for (const { text: segment } of toTextSegments(text)) assert.match(segment, /(?:on and on,|lamps,|slept\.)$/)
  }
})

test('a paragraph of tens of thousands of characters is cut between its sentences', () => {
  const text = Array.from({ length: 1_500 }, (_, at) => `On page ${at} Dr. Miller of St. Ives wrote no. ${at} for Mrs. A. B. Jones.`).join(
    ' ',
  )
  assert.ok(text.length > 3 * 20_000)
  for (const { text: segment } of toTextSegments(text)) assert.match(segment, /^On page .* Jones\.$/)
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
  const segments = [...textSegments(sentences.join(' '), [], 'de')].map(({ text }) => text)
  assert.ok(segments.length > 5)
  for (const segment of segments) assert.match(segment, /^Am .* spät\.$/)
})
