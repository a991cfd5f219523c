import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toTokenPieces } from '#agent/engine/text/token-pieces.ts'

const words = (text: string) => text.split(/\s+/).length
const characters = (text: string) => [...text].length

test('whole sentences are joined while they fit into the budget', () => {
  assert.deepEqual(toTokenPieces('One two. Three four. Five six seven. Eight.', 5, words, 'en'), [
    'One two. Three four.',
    'Five six seven. Eight.',
  ])
  assert.deepEqual(toTokenPieces('', 5, words, 'en'), [])
})

test('a sentence above the budget is cut, no word is lost, and no piece is above it', () => {
  const long = Array.from({ length: 200 }, (_, at) => `word${at}${at % 9 === 8 ? ',' : ''}`).join(' ')
  const pieces = toTokenPieces(`${long}.`, 30, words, 'en')
  assert.equal(pieces.join(' '), `${long}.`)
  assert.ok(pieces.every((piece) => words(piece) <= 30))
})

test('text without blanks is cut too, even when a single character exceeds the budget', () => {
  const pieces = toTokenPieces('語'.repeat(500), 20, characters, 'en')
  assert.equal(pieces.join(''), '語'.repeat(500))
  assert.ok(pieces.every((piece) => characters(piece) <= 20))
  assert.deepEqual(
    toTokenPieces('語', 1, () => 3, 'en'),
    ['語'],
  )
  assert.equal(toTokenPieces('😀'.repeat(9), 1, (text) => 2 * characters(text), 'en').join(''), '😀'.repeat(9))
})

test('a line without a mark at its end is a piece of its own', () => {
  assert.deepEqual(toTokenPieces('Apples\nPears\nPlums. They are ripe.', 50, words, 'en'), ['Apples', 'Pears', 'Plums. They are ripe.'])
})
