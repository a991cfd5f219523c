// Properties of every text: no character but blanks is lost or added, no sentence is empty, and the time is linear.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { SENTENCE_RULES } from '#shared/text/segmentation/rules-of.ts'
import { toSentences } from '#shared/text/sentences.ts'

const PIECES =
  'Dr.|Mr|e.g.|z. B.|u. a.|U.S.|J.R.R.|A.|No.|no.|3.|19.|12. Mai|Er|The|the|iPhone|.|..|...|. . .|…|!|?|?!|"|“|”|„|«|»|(|)|[1]|[...]|1.|2.|1)|2)|a)|b)|ii.|•|-|–|—|,|;|:|。|！|「|」|《|》|।|؟|字|ö|É|1990|3.14|www.example.org|\n|\n\n| |  |\u00a0|\u202f|\t|\ud83d\ude00|\ud83d|\u0301|usw.|etc.|p.m.|ул.|г.'.split(
    '|',
  )
const pieces = fc.array(fc.constantFrom(...PIECES), { maxLength: 30 }).map((parts) => parts.join(' '))
const glued = fc.array(fc.constantFrom(...PIECES), { maxLength: 30 }).map((parts) => parts.join(''))
const texts = fc.oneof(pieces, glued, fc.string({ unit: 'binary', maxLength: 80 }))
const language = fc.constantFrom(...Object.keys(SENTENCE_RULES), '', 'auto', 'xx', 'de-AT')
const bare = (text: string) => text.replaceAll(/\s/g, '')

test('the sentences are the text without blanks, and none is empty or has a line break', () => {
  fc.assert(
    fc.property(texts, language, (text, tag) => {
      const sentences = toSentences(text, tag)
      assert.equal(bare(sentences.join('')), bare(text))
      for (const sentence of sentences) assert.ok(sentence !== '' && sentence.trim() === sentence && !sentence.includes('\n'))
    }),
    { numRuns: 3_000 },
  )
})

test('a sentence of words ends where its text ends', () => {
  const word = fc.constantFrom('tree', 'Haus', 'été', 'слово')
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 12 }), language, (words, tag) => {
      assert.deepEqual(toSentences(`${words.join(' ')}.`, tag), [`${words.join(' ')}.`])
    }),
    { numRuns: 200 },
  )
})

/** Processor time in milliseconds. */
function cpuMs(work: () => void): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

test('the time is linear in the length of the text', () => {
  const units = [
    'a."',
    '"',
    '“a. ',
    '1. ',
    ' .',
    '. [1] ',
    'Mr. ',
    'A. ',
    '« a ! ',
    '\n',
    'a\n',
    '- a\n',
    '"a. A',
    '(a. A ',
    '1) a 2) ',
    'z. B. ',
    '「。',
    'ii. ',
  ]
  for (const unit of units) {
    const time = (length: number) => cpuMs(() => toSentences(unit.repeat(length / unit.length), 'de'))
    time(10_000)
    const [short, long] = [time(20_000), time(200_000)]
    // A quadratic pass takes a hundred times as long.
    assert.ok(long < 40 * Math.max(short, 5), `${JSON.stringify(unit)}: ${short} ms, then ${long} ms`)
  }
})

test('the language of a tag is that of its first part, and that of the words where none is named', () => {
  const text = 'Das ist der Brief, den ich dir am 3. Mai geschrieben habe, und du hast ihn nicht gelesen.'
  for (const tag of ['de', 'de-CH', 'DE_at', '', 'auto', 'und']) assert.equal(toSentences(text, tag).length, 1, tag)
  assert.equal(toSentences(text, 'en').length, 2)
})

test('a missing blank between two sentences does not join them, and names with a full stop stay whole', () => {
  assert.deepEqual(toSentences('That was the end.The next day came.Mr. Gray left.', 'en'), [
    'That was the end.',
    'The next day came.',
    'Mr. Gray left.',
  ])
  for (const whole of ['See example.The.org and report.V2.', 'Use System.Out and obj.The_name.', 'Open www.example.org/A.The?x=1 now.'])
    assert.deepEqual(toSentences(whole, 'en'), [whole])
})
