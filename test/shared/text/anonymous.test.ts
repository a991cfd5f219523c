import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anonymous } from '#shared/text/anonymous.ts'
import { foundShare, wordsOf } from '#shared/text/words.ts'
import { ownCpuSeconds } from '#test/support/world/process.ts'

const HOME = ['', 'home', 'anna'].join('/')

test('paths become file names, and names of machines and users disappear', () => {
  for (const [text, names, expected] of [
    [`Load model from ${HOME}/.studio/models/kokoro/model.onnx failed`, [], 'Load model from model.onnx failed'],
    ['(C:\\Users\\Anna\\models\\a.onnx)', [], '(a.onnx)'],
    ['file:///srv/voice/a.bin', [], 'file://a.bin'],
    [`"${HOME} Smith/models/a.onnx"`, [`${HOME} Smith`], '"a.onnx"'],
    ['anna on attic', ['anna', 'attic', ''], '… on …'],
    ['onnx/model.onnx and a/b/c.onnx stay, and so does 10/20 kHz', [], 'onnx/model.onnx and a/b/c.onnx stay, and so does 10/20 kHz'],
    ['KittenTTS 0.8 (KittenML/KittenTTS 395171a)', [], 'KittenTTS 0.8 (KittenML/KittenTTS 395171a)'],
  ] as const)
    assert.equal(anonymous(text, names), expected)
})

test('long texts are processed in linear time', () => {
  const from = ownCpuSeconds()
  for (const piece of ['/', '/a', 'a:/', '\\\\', 'C:', '/a/b ']) anonymous(piece.repeat(100_000), ['x'.repeat(100)])
  assert.ok(ownCpuSeconds() - from < 2)
})

test('the share of words that were found', () => {
  assert.deepEqual(wordsOf("It's 7 o'clock — Ärger!"), ['it', 's', '7', 'o', 'clock', 'ärger'])
  assert.equal(foundShare('one two two', 'TWO, one.'), 2 / 3)
  assert.equal(foundShare('', 'anything'), 1)
  assert.equal(foundShare('a', ''), 0)
})
