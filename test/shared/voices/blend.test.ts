// Blends of voices: what they mean, and what is none.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseBlend } from '#shared/voices/blend.ts'

const VOICES = ['af_bella', 'af_sky', 'bm_george', ...Array.from({ length: 8 }, (_, at) => `v${at}`)]
const blend = (text: string) => parseBlend(text, (name) => VOICES.find((voice) => voice === name.toLowerCase()))

test('weights are shares of the whole, and 1 where none is written', () => {
  assert.deepEqual(blend('af_bella(2)+af_sky(1)'), {
    id: 'af_bella(2)+af_sky(1)',
    parts: [
      { voice: 'af_bella', share: 2 / 3 },
      { voice: 'af_sky', share: 1 / 3 },
    ],
  })
  assert.equal(blend(' AF_Bella + af_sky ')?.id, 'af_bella(1)+af_sky(1)')
  assert.equal(blend('af_bella(0.25)+af_sky(1.5)+bm_george')?.id, 'af_bella(0.25)+af_sky(1.5)+bm_george(1)')
  assert.deepEqual(blend('af_sky(3)')?.parts, [{ voice: 'af_sky', share: 1 }])
  assert.equal(blend(VOICES.slice(3).join('+'))?.parts.length, 8)
})

test('what is no blend of known voices within the limits is none', () => {
  for (const text of [
    '',
    'af_bella',
    'af_bella+',
    '+',
    'af_bella+ghost',
    'af_bella+af_bella',
    'af_bella(0)+af_sky',
    'af_bella(101)+af_sky',
    'af_bella(-1)+af_sky',
    'af_bella(1e3)+af_sky',
    'af_bella((2))+af_sky',
    'af_bella(2)af_sky',
    VOICES.slice(2).join('+'),
    `${' '.repeat(120)}af_bella+af_sky`,
    '('.repeat(1_000_000),
  ])
    assert.equal(blend(text), null, text.slice(0, 40))
})

test('any text has shares that add up to 1, or is none, and its canonical form means the same', () => {
  const piece = fc.oneof(fc.constantFrom(...VOICES, '+', '(', ')', '2', '0.5', ' '), fc.string({ maxLength: 3 }))
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const found = blend(pieces.join(''))
      if (!found) return
      assert.ok(Math.abs(found.parts.reduce((sum, { share }) => sum + share, 0) - 1) < 1e-9)
      assert.deepEqual(blend(found.id), found)
    }),
  )
})
