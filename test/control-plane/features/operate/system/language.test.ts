// The language of the pages for a visitor.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { languageFor } from '#control-plane/features/operate/system/pages/language.ts'

const LANGUAGES = ['ar', 'de', 'en', 'pt-BR', 'zh-CN']
const CASES: readonly [accepted: string, cookie: string, language: string][] = [
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
  ['de', 'studio-language=ar', 'ar'],
  ['de', 'a=b; studio-language=pt-BR', 'pt-BR'],
  ['de', 'studio-language=xx', 'de'],
  ['de', 'studio-language=../../etc', 'de'],
  ['de', 'studio-language=__proto__', 'de'],
]

for (const [accepted, cookie, language] of CASES)
  test(`${accepted || 'no languages'}${cookie && ` with ${cookie}`}: ${language}`, () => {
    assert.equal(languageFor({ 'accept-language': accepted, cookie }, LANGUAGES), language)
  })

test('a long header is read in part', () => {
  const header = `${'xx-yy,'.repeat(100_000)}de`
  assert.equal(languageFor({ 'accept-language': header }, LANGUAGES), 'en')
})
