// The names of languages, which come from a table or from Intl.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { englishNameOf } from '#shared/text/languages/language-names.ts'
import { TWO_LETTER_LANGUAGES } from '#shared/text/languages/two-letter-languages.ts'

test('the table has the names that Intl has', () => {
  const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })
  assert.ok(TWO_LETTER_LANGUAGES.size > 180)
  for (const [tag, name] of TWO_LETTER_LANGUAGES) assert.equal(name, names.of(tag), tag)
})

test('names of usual, regional, rare and invalid tags', () => {
  assert.equal(englishNameOf('es'), 'Spanish')
  assert.equal(englishNameOf('pt-BR'), 'Brazilian Portuguese')
  assert.equal(englishNameOf('yue'), 'Cantonese')
  for (const tag of ['xx', 'qqq', '', 'a', 'not a tag', '__proto__']) assert.equal(englishNameOf(tag), null, tag)
})
