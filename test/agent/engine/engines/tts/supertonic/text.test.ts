import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SUPERTONIC_LANGUAGES, toSupertonicIds, toTaggedText } from '#agent/engine/engines/tts/supertonic/text.ts'

test('a text is tagged, decomposed and completed with punctuation', () => {
  assert.equal(toTaggedText('Hello there', 'en'), '<en>Hello there.</en>')
  assert.equal(toTaggedText('  Wait —  what ?!  ', 'na'), '<na>Wait - what?!</na>')
  assert.equal(toTaggedText('Café “au lait”', 'fr'), `<fr>Cafe\u0301 "au lait"</fr>`)
  assert.equal(toTaggedText('me@home_here [now] 😀👍🏽 #1', 'en'), '<en>me at home here now 1.</en>')
  assert.equal(toTaggedText('fruit, e.g., pears', 'en'), '<en>fruit, for example, pears.</en>')
  assert.equal(toTaggedText('終わり。', 'ja'), '<ja>終わり。</ja>')
})

test('unsupported characters are left out and counted', () => {
  const table = [-1, 5, 7]
  assert.deepEqual(toSupertonicIds('\x01\x00\x02\x03', table), { ids: [5, 7], dropped: 2 })
  assert.deepEqual(toSupertonicIds('\x01\x02', { 1: 0, 2: 9 }), { ids: [0, 9], dropped: 0 })
})

test('thirty-one languages, each once', () => {
  assert.equal(SUPERTONIC_LANGUAGES.length, 31)
  assert.equal(new Set(SUPERTONIC_LANGUAGES).size, 31)
})
