import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LANGUAGES, toIds, toTagged } from '#agent/engine/engines/tts/supertonic/text.ts'

test('a text is tagged, decomposed and ended', () => {
  assert.equal(toTagged('Hello there', 'en'), '<en>Hello there.</en>')
  assert.equal(toTagged('  Wait —  what ?!  ', 'na'), '<na>Wait - what?!</na>')
  assert.equal(toTagged('Café “au lait”', 'fr'), `<fr>Cafe\u0301 "au lait"</fr>`)
  assert.equal(toTagged('me@home_here [now] 😀👍🏽 #1', 'en'), '<en>me at home here now 1.</en>')
  assert.equal(toTagged('fruit, e.g., pears', 'en'), '<en>fruit, for example, pears.</en>')
  assert.equal(toTagged('終わり。', 'ja'), '<ja>終わり。</ja>')
})

test('what the table does not know is left out and counted', () => {
  const table = [-1, 5, 7]
  assert.deepEqual(toIds('\x01\x00\x02\x03', table), { ids: [5, 7], dropped: 2 })
  assert.deepEqual(toIds('\x01\x02', { 1: 0, 2: 9 }), { ids: [0, 9], dropped: 0 })
})

test('thirty-one languages, each once', () => {
  assert.equal(LANGUAGES.length, 31)
  assert.equal(new Set(LANGUAGES).size, 31)
})
