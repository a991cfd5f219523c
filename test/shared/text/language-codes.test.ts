import assert from 'node:assert/strict'
import { test } from 'node:test'
import { threeLetterCode } from '#shared/text/languages/language-codes.ts'

test('tags and codes of languages become codes of three letters', () => {
  for (const [tag, code] of [
    ['es', 'spa'],
    ['es-MX', 'spa'],
    ['ZH_hans', 'zho'],
    ['chi', 'zho'],
    ['fre', 'fra'],
    ['deu', 'deu'],
    ['yue', 'yue'],
    ['und', null],
    ['', null],
    ['xx', null],
    ['English', null],
    ['e', null],
    ["es'; drop", null],
  ] as const)
    assert.equal(threeLetterCode(tag), code, tag)
})
