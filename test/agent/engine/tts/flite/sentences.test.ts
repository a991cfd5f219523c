import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { MAX_PIECE_CHARACTERS, toFlitePieces } from '#agent/engine/tts/flite/sentences.ts'

test('cuts at sentence ends', () => {
  assert.deepEqual(toFlitePieces('One. Two! Three? "Four," he said. Five'), ['One.', 'Two!', 'Three?', '"Four," he said.', 'Five'])
  assert.deepEqual(toFlitePieces('Bring pens, paper, etc. Then sit down at 5 p.m. We start.'), [
    'Bring pens, paper, etc.',
    'Then sit down at 5 p.m.',
    'We start.',
  ])
})

for (const whole of [
  'Mr. Smith met Dr. Jones and Mrs. Brown.',
  'See e.g. Paris or, i.e. London.',
  'Look at No. 5 and Fig. 3 in Vol. 2.',
  'J. R. R. Tolkien lived on St. Giles.',
  'The U.S. Army paid 3.14 dollars for version 2.0.1.',
  '"Is Prof. Gray in?" she asked.',
  'It was the U.K. Government vs. Apple.',
]) {
  test(`does not cut: ${whole}`, () => assert.deepEqual(toFlitePieces(whole), [whole]))
}

test('a line break is a blank, a blank line ends a sentence', () => {
  assert.deepEqual(toFlitePieces('A title\n \nThis is\nhard wrapped.\n\n\nNext'), ['A title', 'This is hard wrapped.', 'Next'])
  assert.deepEqual(toFlitePieces(' \n\n \n'), [])
})

test('long sentences are cut at a clause, else at a blank, else at the limit', () => {
  const clause = `${'word '.repeat(40)}end, ${'word '.repeat(40)}end`
  assert.match(toFlitePieces(clause)[0]!, /end,$/)
  const blanks = toFlitePieces('word '.repeat(200))
  assert.ok(blanks.length >= 4 && blanks.every((piece) => /^(word ?)+$/.test(piece)))
  const solid = toFlitePieces('x'.repeat(1_000))
  assert.ok(solid.length > 10 && solid.slice(0, -1).every((piece) => piece.length === solid[0]!.length))
})

test('text with long pronunciation is cut sooner', () => {
  const first = (text: string) => toFlitePieces(text)[0]!.length
  assert.equal(first('word '.repeat(100)), 299)
  for (const text of ['9'.repeat(300), '% '.repeat(300), '$7'.repeat(300), 'w'.repeat(300), 'www.'.repeat(75)])
    assert.ok(first(text) <= 70, text)
  assert.ok(toFlitePieces('word '.repeat(100), 60).every((piece) => piece.length <= 60))
  assert.deepEqual(toFlitePieces('In 2024, 1,234,567 people paid $5.99 each for it.').length, 1)
})

test('no character but blanks is lost or added, and no piece is too long', () => {
  const words = fc.array(fc.constantFrom('Mr.', 'e.g.', 'A', 'stop.', 'No.', '7', ',', '\n\n', 'why?', 'x'.repeat(320), '"', '-'), {
    maxLength: 60,
  })
  fc.assert(
    fc.property(words, (list) => {
      const text = list.join(' ')
      const pieces = toFlitePieces(text)
      assert.equal(pieces.join('').replace(/\s/g, ''), text.replace(/\s/g, ''))
      assert.ok(pieces.every((piece) => piece.length > 0 && piece.length <= MAX_PIECE_CHARACTERS && !piece.includes('\n')))
    }),
    { numRuns: 200 },
  )
})
