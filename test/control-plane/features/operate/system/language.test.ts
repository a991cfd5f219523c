// The language of the pages for a visitor.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { languageFor } from '#control-plane/features/operate/system/pages/language.ts'

const LANGUAGES = ['ar', 'de', 'en', 'pt-BR', 'zh-CN']
const CASES: readonly [accepted: string, chosen: string, language: string][] = [
  ['', '', 'en'],
  ['de', '', 'de'],
  ['de-AT,de;q=0.9,en;q=0.8', '', 'de'],
  ['fr, de;q=0.5, en;q=0.6', '', 'en'],
  ['pt-PT', '', 'pt-BR'],
  ['PT-br', '', 'pt-BR'],
  ['zh-Hant-TW', '', 'zh-CN'],
  ['de;q=0, en', '', 'en'],
  ['de;q=7', '', 'en'],
  ['*', '', 'en'],
  ['xx,yy', '', 'en'],
  ['de', 'ar', 'ar'],
  ['de', 'pt-BR', 'pt-BR'],
  ['de', 'xx', 'de'],
  ['de', '../../etc', 'de'],
  ['de', '__proto__', 'de'],
]

for (const [accepted, chosen, language] of CASES)
  test(`${accepted || 'no languages'}${chosen && ` with ${chosen}`}: ${language}`, () => {
    assert.equal(languageFor({ accepted, chosen: chosen || undefined }, LANGUAGES), language)
  })

test('a long header is read in part', () => {
  const header = `${'xx-yy,'.repeat(100_000)}de`
  assert.equal(languageFor({ accepted: header, chosen: undefined }, LANGUAGES), 'en')
})
