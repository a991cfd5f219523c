import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanText, splitTags, unwrap, withEnding } from '#agent/engine/tts/omnivoice/text/clean.ts'

test('the clean-up of the training texts', () => {
  assert.equal(cleanText('  a \t b（c）\r\nd  '), 'a b(c)d')
  assert.equal(cleanText('你 好 , ok 世 界'), '你好, ok世界')
})

test('a line break becomes a blank before the clean-up', () => {
  assert.equal(cleanText(unwrap('one\ntwo\u200b \u00a0three')), 'one two three')
})

test('only tags are split off', () => {
  assert.deepEqual(splitTags('Ha [laughter] no [B EY1 S] [question-ah]'), ['Ha ', '[laughter]', ' no [B EY1 S] ', '[question-ah]'])
  assert.deepEqual(splitTags('plain'), ['plain'])
  assert.deepEqual(splitTags(''), [])
})

test('a transcript without end punctuation gets one', () => {
  assert.equal(withEnding(' hello '), 'hello.')
  assert.equal(withEnding('你好'), '你好。')
  assert.equal(withEnding('Really?'), 'Really?')
  assert.equal(withEnding('“Yes”'), '“Yes”')
  assert.equal(withEnding(' '), '')
})
