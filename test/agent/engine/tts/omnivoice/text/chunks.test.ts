import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { charactersFor, toChunks } from '#agent/engine/tts/omnivoice/text/chunks.ts'

test('clauses are merged as long as they fit', () => {
  assert.deepEqual(toChunks('One. Two, three; four! Five?', 13), ['One. Two,', 'three; four!', 'Five?'])
  assert.deepEqual(toChunks('One. Two, three; four! Five?', 100), ['One. Two, three; four! Five?'])
  assert.deepEqual(toChunks('你好。世界！再见？', 3), ['你好。', '世界！', '再见？'])
})

test('an abbreviation does not end a clause', () => {
  assert.deepEqual(toChunks('Dr. Who met Mr. No. 5, e.g. today. Then left.', 20), ['Dr. Who met Mr. No. 5,', 'e.g. today.', 'Then left.'])
})

test('closing quotes and further marks stay with their sentence', () => {
  assert.deepEqual(toChunks('“Go!” she said. “Wait...” Done.', 9), ['“Go!”', 'she said.', '“Wait...”', 'Done.'])
})

test('a chunk of one or two characters is merged with a neighbour', () => {
  assert.deepEqual(toChunks('A. Long sentence here.', 5), ['A. Long sentence here.'])
  assert.deepEqual(toChunks('Long sentence here. B.', 5), ['Long sentence here.', 'B.'])
  assert.deepEqual(toChunks('Long sentence.B.', 5), ['Long sentence.B.'])
})

test('the character limit corresponds to fifteen seconds', () => {
  assert.equal(charactersFor(15, 25, 1_000, 1_500), 250)
  assert.equal(charactersFor(15, 25, 1, 100_000), 1)
})

test('no character is lost, and only a single clause is longer than the limit', () => {
  const letters = fc.constantFrom(...'abcMr. ,;!?"’ 。你\n'.split(''))
  fc.assert(
    fc.property(fc.array(letters, { maxLength: 200 }), fc.integer({ min: 1, max: 60 }), (chars, longest) => {
      const text = chars.join('')
      const bare = (value: string) => value.replace(/\s+/g, '')
      assert.equal(bare(toChunks(text, longest).join('')), bare(text))
    }),
  )
})
