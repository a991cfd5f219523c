import assert from 'node:assert/strict'
import { test } from 'node:test'
import { replyOf, sampled } from '#control-plane/features/base/watermark/detection.rules.ts'

test('short recordings are searched whole; long ones at both ends and evenly between', () => {
  assert.deepEqual(sampled(3), [0, 1, 2])
  assert.deepEqual(sampled(20).length, 20)
  const some = sampled(600)
  assert.deepEqual([some[0], some[1], some.length, new Set(some).size], [0, 599, 20, 20])
  assert.deepEqual(sampled(11, 3), [0, 10, 5])
})

test('a payload is written as 32 binary digits, and only a found mark has a source', () => {
  const none = { level: 'none', z: 8, confidence: 0.123456, payload: null, keyIndex: null, speed: 1 } as const
  const reply = { is_watermarked: false, confidence: 0.1235, message_bits: '', is_svc_engine: false, source: 'unknown', speed: 1 }
  assert.deepEqual(replyOf(none), reply)
  const decoded = replyOf({ ...none, level: 'decoded', confidence: 1, payload: 5, keyIndex: 0 })
  assert.deepEqual([decoded.message_bits, decoded.source, decoded.is_svc_engine], [`${'0'.repeat(29)}101`, 'VoiceStudio', true])
  assert.equal(replyOf({ ...none, level: 'likely', confidence: 0.8, keyIndex: 0 }).message_bits, '')
})
