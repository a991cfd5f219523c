// Choices of voices in free text. The expected values were written by hand from the rules.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { describe } from '#shared/voices/describe.ts'
import { attributesOf, completeAttributes, instructOf, noAttributes, sanitise } from '#shared/voices/recipe.ts'
import { CATEGORIES, tokensOf } from '#shared/voices/words.ts'
import { ownCpuSeconds } from '#test/support/world/process.ts'

const GOLDENS: readonly (readonly [text: string, instruct: string, unmatched: readonly string[]])[] = [
  ['', '', []],
  ['   ', '', []],
  ['A young British woman with a very low pitch, whispering.', 'female, young adult, very low pitch, whisper, british accent', []],
  ['A man with a deep voice, warm and friendly. British', 'male, low pitch, british accent', ['warm and friendly']],
  ['Girl', 'female, child', []],
  ['a girl aged 17', 'female, teenager', []],
  ['a little boy who is 14 years old', 'male, teenager', []],
  ['a woman, sounding like a girl', 'female, child', []],
  ['he is old and she is young', 'male, elderly', []],
  ['she speaks, a man listens', 'male', []],
  ['a soft spoken guy in his late twenties from Australia', 'male, young adult, whisper, australian accent', []],
  ['Grandmother, squeaky', 'female, elderly, very high pitch', []],
  ['a grandfather of 60', 'male, elderly', []],
  ['a baritone from the UK in their fifties', 'male, middle-aged, low pitch, british accent', []],
  ['soprano', 'female, high pitch', []],
  ['a boy soprano, not a bass', 'male, child, high pitch', ['not a bass']],
  ['in her teens', 'teenager', []],
  ['the headmaster, a theme from spain', '', ['the headmaster', 'a theme from spain']],
  ['a little boy', 'male, child', []],
  ['A teenage girl with a high-pitched voice', 'female, teenager, high pitch', []],
  ['12 years old', 'child', []],
  ['a 13-year-old', 'teenager', []],
  ['aged 19', 'teenager', []],
  ['woman, 20 years old', 'female, young adult', []],
  ['39 year old man', 'male, young adult', []],
  ['age 40', 'middle-aged', []],
  ['a man of 45', 'male, middle-aged', []],
  ['a woman of 70 with a British accent', 'female, elderly, british accent', []],
  ['male, 45, calm', 'male, middle-aged', ['calm']],
  ['16', 'teenager', []],
  ['a man of 45 words', 'male', []],
  ['a choir of 12, speed 1.5', '', ['a choir of 12', 'speed 1', '5']],
  ['a lady in her early 60s', 'female, middle-aged', []],
  ['65 yo', 'elderly', []],
  ['35岁的女人', 'female, young adult', []],
  ['ten years old', '', ['ten years old']],
  ['the year 1980s, 2 cats', '', ['the year 1980s', '2 cats']],
  ['a Russian who speaks Sichuan dialect', '四川话', []],
  ['男，老年，极低音调，东北话', 'male, elderly, very low pitch, 东北话', []],
  ['ＦＥＭＡＬＥ， old', 'female, elderly', []],
  ['male and female', 'male', []],
  ['high pitch, no, low pitch', 'high pitch', ['no']],
  ['young, old', 'young adult', []],
  ['not deep', '', ['not deep']],
  ['no accent, a man', 'male', ['no accent']],
  ['a woman without a British or American accent', 'female', []],
  ['not too high, not very deep, moderate', 'moderate pitch', ['not too high', 'not very deep']],
  ["it isn't old, a non-British man", 'male', ["it isn't old"]],
  ['not deep but high', 'high pitch', []],
  ['不是女，男', 'male', ['不是女']],
  ['cheerful robot', '', ['cheerful robot']],
  ['manual womanly oldest', '', ['manual womanly oldest']],
]

test('descriptions by hand', () => {
  for (const [text, instruct, unmatched] of GOLDENS) {
    const found = describe(text)
    assert.deepEqual([found.instruct, found.unmatched], [instruct, unmatched], text)
    assert.equal(instructOf(found.attrs), instruct)
  }
})

test('matches are listed in the order of the categories with the phrase that was found', () => {
  assert.deepEqual(describe('Whispered, HIGH, a girl, american, henan').matched, [
    { category: 'Gender', token: 'female', phrase: 'girl' },
    { category: 'Age', token: 'child', phrase: 'girl' },
    { category: 'Pitch', token: 'high pitch', phrase: 'high' },
    { category: 'Style', token: 'whisper', phrase: 'whispered' },
    { category: 'ChineseDialect', token: '河南话', phrase: 'henan' },
  ])
  assert.deepEqual(describe('').attrs, {
    Gender: 'Auto',
    Age: 'Auto',
    Pitch: 'Auto',
    Style: 'Auto',
    EnglishAccent: 'Auto',
    ChineseDialect: 'Auto',
  })
})

test('any text has a description whose line describes itself', () => {
  const word = fc.constantFrom(...CATEGORIES.flatMap(tokensOf), 'not', 'no', 'or', 'girl', 'aged 40', ',', '.', '女', 'x', '12')
  const texts = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 300 }),
    fc.array(word, { maxLength: 30 }).map((words) => words.join(' ')),
  )
  fc.assert(
    fc.property(texts, (text) => {
      const { attrs, instruct, matched } = describe(text)
      assert.deepEqual(attributesOf(instruct), attrs)
      assert.equal(sanitise(instruct), instruct)
      assert.ok(matched.every(({ token, category }) => tokensOf(category).includes(token)))
    }),
  )
})

test('the time grows with the length of the text', () => {
  const pieces = ['not a not a ', 'very very ', '1', 'aged ', ', ', 'young adult or ', '女', 'in her early ', 'no or ', '\u{fdfa}']
  const time = (text: string) => {
    describe(text)
    const times = Array.from({ length: 3 }, () => {
      const from = ownCpuSeconds()
      describe(text)
      return ownCpuSeconds() - from
    })
    return Math.min(...times)
  }
  for (const piece of pieces) {
    const short = piece.repeat(500)
    // A quadratic scan of 100,000 characters takes many seconds. The floor keeps the clock out of the comparison.
    assert.ok(time(short.repeat(20)) <= 25 * Math.max(time(short), 0.02), piece)
  }
})

test('choices of a caller are completed or refused', () => {
  assert.deepEqual(completeAttributes({ Gender: 'male' }), { ...noAttributes(), Gender: 'male' })
  assert.equal(completeAttributes({ Gender: 'man' }), null)
  assert.equal(completeAttributes({ EnglishAccent: 'british accent', ChineseDialect: '四川话' }), null)
  assert.equal(sanitise('cheerful, whisper, WOMAN, gravelly'), 'female, whisper')
})
