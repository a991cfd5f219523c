import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { splitInHalf, toGrowingPieces, toTextPieces } from '#agent/engine/text/text-pieces.ts'

test('whole sentences are joined while they fit', () => {
  assert.deepEqual(toTextPieces('One. Two. Three.', 9, 'en'), ['One. Two.', 'Three.'])
  assert.deepEqual(toTextPieces('One. Two. Three.', 100, 'en'), ['One. Two. Three.'])
  assert.deepEqual(toTextPieces(' \n ', 9, 'en'), [])
})

test('a long sentence is cut after a clause, else at a blank, else between characters', () => {
  assert.deepEqual(toTextPieces('one two, three four five', 16, 'en'), ['one two,', 'three four five'])
  assert.deepEqual(toTextPieces('one two three four', 9, 'en'), ['one two', 'three', 'four'])
  assert.deepEqual(toTextPieces('😀😀😀', 3, 'en'), ['😀', '😀', '😀'])
})

test('no word is lost and no piece is too long', () => {
  const words = fc.array(fc.stringMatching(/^[a-z]{1,12}[.,!?]?$/), { minLength: 1, maxLength: 60 })
  fc.assert(
    fc.property(words, fc.integer({ min: 13, max: 80 }), (list, longest) => {
      const pieces = toTextPieces(list.join(' '), longest, 'en')
      assert.deepEqual(pieces.join(' ').split(' '), list)
      assert.ok(pieces.every((piece) => piece.length <= longest && piece.trim() === piece && piece !== ''))
    }),
    { numRuns: 200 },
  )
})

test('halves are cut at the blank nearest to the middle', () => {
  assert.deepEqual(splitInHalf('one two three'), ['one two', 'three'])
  assert.equal(splitInHalf('unbroken'), null)
})

test('sentences of Chinese and Japanese are put together without blanks', () => {
  assert.deepEqual(toTextPieces('你好。再见。明天见。', 7, 'en'), ['你好。再见。', '明天见。'])
  assert.deepEqual(toTextPieces('One. Two.', 20, 'en'), ['One. Two.'])
})

test('growing pieces: the first is a clause, later ones grow up to the limit, and no word is lost', () => {
  const text = 'When the train had left, the platform was empty. Rain fell. The lamps were lit one by one. A bell rang.'
  const pieces = toGrowingPieces(text, { first: 30, most: 200 }, 'en')
  assert.equal(pieces[0], 'When the train had left,')
  assert.equal(pieces.join(' '), text)
  assert.deepEqual(toGrowingPieces('Short.', { first: 30, most: 200 }, 'en'), ['Short.'])
  assert.deepEqual(toGrowingPieces('  ', { first: 30, most: 200 }, 'en'), [])
  const words = fc.array(fc.stringMatching(/^[a-z]{1,12}[.,!?]?$/), { minLength: 1, maxLength: 60 })
  fc.assert(
    fc.property(words, fc.integer({ min: 13, max: 40 }), fc.integer({ min: 40, max: 120 }), (list, first, most) => {
      const grown = toGrowingPieces(list.join(' '), { first, most }, 'en')
      assert.deepEqual(grown.join(' ').split(' '), list)
      assert.ok(grown.every((piece) => piece.length <= most && piece.trim() === piece && piece !== ''))
    }),
    { numRuns: 200 },
  )
})

test('a line without a mark at its end is a piece of its own, so that a pause follows it', () => {
  const list = 'Apples\nPears\nPlums. They are ripe. Eat them.'
  assert.deepEqual(toTextPieces(list, 100, 'en'), ['Apples', 'Pears', 'Plums. They are ripe. Eat them.'])
  assert.deepEqual(toGrowingPieces(list, { first: 100, most: 100 }, 'en'), ['Apples', 'Pears', 'Plums. They are ripe. Eat them.'])
})

test('pieces end at the sentences of their language', () => {
  assert.deepEqual(toTextPieces('Sie kam am 3. Mai an. Er ging.', 22, 'de'), ['Sie kam am 3. Mai an.', 'Er ging.'])
})
