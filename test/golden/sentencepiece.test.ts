// Our SentencePiece against sentencepiece 0.2.3, with three kinds of model that were trained on documents of this project.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSentencePiece } from '#agent/engine/text/sentencepiece.ts'
import { golden, goldenBytes } from './golden.ts'

for (const [model, cases] of Object.entries(
  golden<Record<string, readonly (readonly [text: string, ids: number[]])[]>>('sentencepiece.json'),
))
  test(`${model}: a text has the ids of the reference`, () => {
    const tokenizer = readSentencePiece(goldenBytes(`sentencepiece-${model}.model`), 'tokenizer.model')
    assert.equal(cases.length, 82)
    for (const [text, ids] of cases) assert.deepEqual(tokenizer.encode(text), ids, text)
  })
