// One table per family of languages is the specification of sentences: a line "language kind: sentence | sentence" per case.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SENTENCE_RULES } from '#shared/text/segmentation/rules-of.ts'
import { toSentences } from '#shared/text/sentences.ts'
import { sentenceCases } from '#test/support/texts/sentence-cases.ts'

const LEAST_CASES = 300
const LANGUAGES = 'en de fr es it pt nl pl ru sv da cs tr uk ar hi zh ja ko'.split(' ')

for (const { language, kind, text, sentences } of sentenceCases())
  test(`${language} ${kind}`, () => assert.deepEqual(toSentences(text, language), sentences))

test(`the tables have ${LEAST_CASES} cases of all languages, one a kind`, () => {
  const cases = sentenceCases()
  assert.ok(cases.length >= LEAST_CASES, String(cases.length))
  assert.equal(new Set(cases.map(({ language, kind }) => `${language} ${kind}`)).size, cases.length)
  for (const language of LANGUAGES) assert.ok(cases.filter((one) => one.language === language).length >= 8, language)
})

test('an abbreviation has one rule, and is written without its last full stop', () => {
  for (const [language, { open, numbered, short, closing }] of Object.entries(SENTENCE_RULES)) {
    const all = [open, numbered, short, closing].flatMap((list) => [...list])
    assert.deepEqual(
      all.filter((word, at) => all.indexOf(word) !== at || word.endsWith('.')),
      [],
      language,
    )
  }
})
