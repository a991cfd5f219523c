import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SUPERTONIC_LANGUAGES, toParagraphs, toSupertonicIds, toTaggedText } from '#agent/engine/tts/supertonic/text.ts'

test('a text is tagged, decomposed and completed with punctuation', () => {
  assert.equal(toTaggedText('Hello there', 'en'), '<en>Hello there.</en>')
  assert.equal(toTaggedText('  Wait —  what ?!  ', 'na'), '<na>Wait - what?!</na>')
  assert.equal(toTaggedText('Café “au lait”', 'fr'), `<fr>Cafe\u0301 "au lait"</fr>`)
  assert.equal(toTaggedText('me@home_here [now] 😀👍🏽 #1', 'en'), '<en>me at home here now 1.</en>')
  assert.equal(toTaggedText('fruit, e.g., pears', 'en'), '<en>fruit, for example, pears.</en>')
  assert.equal(toTaggedText('終わり。', 'ja'), '<ja>終わり。</ja>')
})

/** Code units that the model receives for one character: the text between the tag and the full stop that is added. */
const unitsOf = (char: string) => [...toTaggedText(char, 'ro').slice(4, -6)].map((unit) => unit.codePointAt(0)!)

test('characters are decomposed as in the unicode processor of sherpa-onnx', () => {
  const cases: readonly (readonly [string, readonly number[]])[] = [
    ['a', [0x61]],
    ['Z', [0x5a]],
    ['\u00e9', [0x65, 0x301]],
    ['\u00fc', [0x75, 0x308]],
    ['\u00e7', [0x63, 0x327]],
    ['\u0103', [0x61, 0x306]],
    ['\u0219', [0x73, 0x326]],
    ['\u021b', [0x74, 0x326]],
    ['\u015f', [0x73, 0x327]],
    ['\u0163', [0x74, 0x327]],
    ['\u010d', [0x63, 0x30c]],
    ['\u0105', [0x61, 0x328]],
    ['\u0151', [0x6f, 0x30b]],
    ['\u011f', [0x67, 0x306]],
    ['\u1ebf', [0x65, 0x302, 0x301]],
    ['\u0142', [0x142]],
    ['\u0131', [0x131]],
    ['\ud55c', [0x1112, 0x1161, 0x11ab]],
    ['\uac00', [0x1100, 0x1161]],
    ['\uff21', [0x41]],
    ['\ufb01', [0x66, 0x69]],
    ['\u{1f600}', []],
  ]
  for (const [char, units] of cases) assert.deepEqual(unitsOf(char), units, char)
  assert.equal(toTaggedText(' ', 'ro'), '<ro>.</ro>')
})

test('symbols are replaced and removed as upstream', () => {
  const plain = (text: string) => toTaggedText(text, 'en').slice(4, -5)
  assert.equal(plain('a\u2600b\u2713c\u27bfd\u{1fa70}e\u{1f1e9}f'), 'abcdef.')
  assert.equal(plain('© 2026 \\ ®'), '2026 ®.')
  assert.equal(plain('a _b_ [c] | d/e # f → g'), 'a b c d e f g.')
  assert.equal(plain('\u201chi\u201d \u2018there\u2019 `x`'), `"hi"'there'x'`)
  assert.equal(plain('a , b . c ! d ? e ; f : g'), 'a, b. c! d? e; f: g.')
  assert.equal(plain('say ""hi"" now'), 'say "hi" now.')
  assert.equal(plain('a <laugh> b'), 'a <laugh> b.')
})

test('unsupported characters are left out and counted', () => {
  const table = [-1, 5, 7]
  assert.deepEqual(toSupertonicIds('\x01\x00\x02\x03', table), { ids: [5, 7], dropped: 2 })
  assert.deepEqual(toSupertonicIds('\x01\x02', { 1: 0, 2: 9 }), { ids: [0, 9], dropped: 0 })
  assert.deepEqual(toSupertonicIds('\x01\u{20000}', { 1: 0, 131072: 9 }), { ids: [0], dropped: 1 })
})

test('thirty-one languages, each once', () => {
  assert.equal(SUPERTONIC_LANGUAGES.length, 31)
  assert.equal(new Set(SUPERTONIC_LANGUAGES).size, 31)
})

test('paragraphs are separate', () => {
  assert.deepEqual(toParagraphs('a\nb\n\n c\n \n\n'), ['a\nb', 'c'])
  assert.deepEqual(toParagraphs(' \n\n '), [])
})
