// The text of Supertonic-3 against supertonic 1.3.1, in 31 languages.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toTextPieces } from '#agent/engine/text/text-pieces.ts'
import { maxPieceCharacters, toParagraphs, toTaggedText } from '#agent/engine/tts/supertonic/text.ts'
import { golden } from './golden.ts'

type TextCase = { readonly lang: string; readonly text: string; readonly tagged: string; readonly chunks: readonly string[] }
const CASES = golden<readonly TextCase[]>('supertonic-text.json')

test('a text is tagged as by the reference, but without the joiners of emoji that are left out', () => {
  assert.equal(CASES.length, 38)
  let different = 0
  for (const { lang, text, tagged } of CASES) {
    const own = toTaggedText(text, lang)
    if (own !== tagged) different++
    const expected = tagged.replace(/[\u200d\ufe0f]/g, '').replace(/ {2,}/g, ' ')
    assert.equal(own, expected, text)
  }
  assert.equal(different, 1)
})

test('a text is cut as by the reference where no sentence is longer than the limit', () => {
  for (const { lang, text, chunks } of CASES) {
    const most = maxPieceCharacters(lang)
    const own = toParagraphs(text).flatMap((paragraph) => toTextPieces(paragraph, most, 'en'))
    const expected = chunks.map((chunk) => chunk.trim().replace(/\s+/g, ' '))
    if (chunks.every((chunk) => chunk.length <= most)) assert.deepEqual(own, expected, text)
    else assert.ok(own.length > chunks.length && own.every((piece) => piece.length <= most), text)
  }
})
