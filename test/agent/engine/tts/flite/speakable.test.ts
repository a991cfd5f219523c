import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isSpeakable, toSpeakable } from '#agent/engine/tts/flite/speakable.ts'

const cases: readonly [string, string, number][] = [
  ['\u201cDon\u2019t\u201d \u2014 he said\u2026', '"Don\'t"  -  he said...', 0],
  ['caf\u00e9 Stra\u00dfe \u00c6r\u00f8 na\u00efve e\u0301', 'cafe Strasse AEro naive e', 0],
  ['\uff28\uff45\uff4c\uff4c\uff4f \ufb01ne 1\u00bd m\u00b2', 'Hello fine 1 1/2 m2', 0],
  ['\u00a35 or \u20ac6', ' pounds 5 or  euros 6', 0],
  ['a\u0000b\u0007c\u200bd\u200ee', 'a b cde', 0],
  ['hi \u{1f600}\ufe0f\u{1f468}\u200d\u{1f469} \u4f60\u597d', 'hi       ', 5],
  ['lone \ud83d and \udc00 halves', 'lone   and   halves', 0],
  ['a\r\nb\rc\u2028d\u2029e\tf\u00a0g', 'a\nb\nc\nd\n\ne f g', 0],
]
for (const [input, text, dropped] of cases) {
  test(`${JSON.stringify(input)} is spelled out`, () => assert.deepEqual(toSpeakable(input), { text, dropped }))
}

test('the output is ASCII, and the conversion is idempotent', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (input) => {
      const { text } = toSpeakable(input)
      assert.match(text, /^[\x20-\x7e\n]*$/)
      assert.deepEqual(toSpeakable(text), { text, dropped: 0 })
    }),
  )
})

test('recognises speakable text', () => {
  for (const text of ['a', '7', '...50%', '&', '- $']) assert.ok(isSpeakable(text), text)
  for (const text of ['', ' ', '...', '?!', '-', '()', '"\'"']) assert.ok(!isSpeakable(text), text)
})
