import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSentencePiece } from '#agent/engine/text/sentencepiece.ts'
import {
  BYTE,
  CONTROL,
  charsTable,
  DEFINED,
  NORMAL,
  type PlantedModel,
  type PlantedPiece,
  sentencePieceModel,
  UNKNOWN,
} from '#test/support/models/sentencepiece-model.ts'

const read = (model: PlantedModel) => readSentencePiece(sentencePieceModel(model), 'tokenizer.model')
const UNIGRAM: readonly PlantedPiece[] = [
  ['<unk>', 0, UNKNOWN],
  ['<s>', 0, CONTROL],
  ['▁', -3],
  ['a', -2],
  ['b', -2],
  ['ab', -3],
  ['▁ab', -2.5],
  ['ba', -1],
  ['😀', -4],
]

test('unigram chooses the segmentation with the best total score', () => {
  const { encode } = read({ pieces: UNIGRAM })
  assert.deepEqual(encode('ab'), [6])
  assert.deepEqual(encode('aba'), [6, 3]) // ▁ab + a (-4.5) beats ▁ + a + ba (-6)
  assert.deepEqual(encode('bab'), [2, 7, 4]) // ▁ + ba + b (-6) beats ▁ + b + ab (-8)
  assert.deepEqual(encode('a😀'), [2, 3, 8])
  assert.deepEqual(encode(''), [])
})

test('unknown characters: one id for a run of them, or their bytes where the model has all 256', () => {
  assert.deepEqual(read({ pieces: UNIGRAM }).encode('axyzb'), [2, 3, 0, 4])
  const bytes = Array.from({ length: 256 }, (_, byte): PlantedPiece => [`<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`, 0, BYTE])
  const { encode } = read({ pieces: [...UNIGRAM, ...bytes], fallsBack: true })
  assert.deepEqual(
    encode('aéb'),
    [
      2,
      3,
      ...Buffer.from('é')
        .map((byte) => byte)
        .values(),
      4,
    ].map((id, at) => (at === 2 || at === 3 ? id + UNIGRAM.length : id)),
  )
  // A control piece is never made of text.
  assert.ok(!encode('<s>').includes(1))
})

test('byte-pair: the best pair first, the leftmost of equals', () => {
  const pieces: PlantedPiece[] = [
    ['<unk>', 0, UNKNOWN],
    ['a', 0],
    ['b', 0],
    ['c', 0],
    ['bc', -1],
    ['ab', -2],
    ['aa', -3],
    ['▁', -9],
  ]
  const { encode } = read({ pieces, isBpe: true, prefix: false })
  assert.deepEqual(encode('abc'), [1, 4])
  assert.deepEqual(encode('aba'), [5, 1])
  assert.deepEqual(encode('aaa'), [6, 1])
})

test('blanks are collapsed, escaped and prefixed as the model specifies', () => {
  assert.deepEqual(read({ pieces: UNIGRAM }).encode('  a   b '), [2, 3, 2, 4])
  assert.deepEqual(read({ pieces: UNIGRAM, prefix: false, squeezes: false }).encode('a  b'), [3, 2, 2, 4])
  assert.deepEqual(read({ pieces: UNIGRAM }).encode('   '), [])
})

test('user-defined pieces are matched as a whole', () => {
  const { encode } = read({ pieces: [...UNIGRAM, ['[ab]', 0, DEFINED]], prefix: false })
  assert.deepEqual(encode('a[ab]b'), [3, 9, 4])
})

test('the character table is applied before segmentation', () => {
  const { encode } = read({ pieces: UNIGRAM, table: charsTable('Ａ', 'a') })
  assert.deepEqual(encode('Ａb'), [6])
  assert.deepEqual(encode('bＡ'), [2, 7])
})

test('a truncated or foreign file is rejected', () => {
  const refused = { code: 'MODEL_NOT_DOWNLOADED', message: /tokenizer\.model is not a SentencePiece model/ }
  const whole = sentencePieceModel({ pieces: UNIGRAM, table: charsTable('Ａ', 'a') })
  for (const bytes of [Buffer.alloc(0), Buffer.from('{"a": 1}'), whole.subarray(0, whole.length - 3), Buffer.alloc(64, 0xff)])
    assert.throws(() => readSentencePiece(bytes, 'tokenizer.model'), refused)
  assert.throws(() => read({ pieces: [['x'.repeat(300), 0, NORMAL]] }), refused)
  assert.throws(() => read({ pieces: [['x', Number.NaN]] }), refused)
  assert.throws(() => read({ pieces: UNIGRAM, table: Buffer.from([255, 255, 255, 0, 1]) }), refused)
})
