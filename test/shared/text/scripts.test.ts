import assert from 'node:assert/strict'
import { test } from 'node:test'
import { annotated } from '#shared/text/pronunciation/annotation.ts'
import { foreignWords, omittedWords, SCRIPT_CODES } from '#shared/text/scripts.ts'

test('words with a letter of another script are counted, signs and digits are not', () => {
  for (const [text, count] of [
    ['Hello, world.', 0],
    ['Say спасибо and 水, please: α.', 3],
    ['naïve Łódź ŋ 5 µm № ™ ½ 😀 « »', 0],
    ['мир, mир', 2],
    ['東京 は 大きい', 3],
    ['', 0],
  ] as const)
    assert.equal(foreignWords(text, ['Latn']), count, text)
  assert.equal(foreignWords('мир and peace', ['Latn', 'Cyrl']), 0)
  assert.equal(foreignWords('мир and peace', ['Cyrl']), 2)
  assert.equal(foreignWords('мир', []), 0, 'nothing is known')
  assert.equal(foreignWords(`${annotated('Athens', 'ˈæθənz')} и`, ['Latn']), 1, 'a pronunciation is no word')
  for (const code of SCRIPT_CODES) assert.equal(foreignWords('word', [code]), code === 'Latn' ? 0 : 1)
})

test('the sentence counts them', () => {
  assert.equal(omittedWords(0), null)
  assert.match(omittedWords(1)!, /^1 word in another script was left out/)
  assert.match(omittedWords(12)!, /^12 words in another script were left out/)
})
