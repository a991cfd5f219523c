import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Encode, type PromptRequest, SPECIAL, textIds, toOmniVoicePrompt } from '#agent/engine/tts/omnivoice/text/prompt.ts'
import { loadTokens } from '#agent/engine/tts/omnivoice/text/tokens.ts'
import { tinyModel } from '../tiny.ts'

const tokens = new Map<string, number>()
const encode: Encode = (text) =>
  text.split(/(<\|[a-z_]+\|>|\[[a-z-]+\])/).flatMap((piece) => {
    if (piece === '') return []
    if (!tokens.has(piece)) tokens.set(piece, tokens.size)
    return [tokens.get(piece)!]
  })
const shown = (wanted: PromptRequest) => {
  const byId = new Map(textIds(wanted, encode).map((id) => [id, [...tokens].find(([, value]) => value === id)![0]]))
  return textIds(wanted, encode)
    .map((id) => byId.get(id))
    .join('')
}
const bare: PromptRequest = { text: 'Hi.', frames: 3, language: null, instruct: null, denoise: true, reference: null }
const reference = { codes: Int32Array.from({ length: 16 }, (_, at) => at), frames: 2, text: 'Before.' }

test('the text columns follow the layout', () => {
  assert.equal(shown(bare), '<|lang_start|>None<|lang_end|><|instruct_start|>None<|instruct_end|><|text_start|>Hi.<|text_end|>')
  assert.equal(
    shown({ ...bare, language: 'en', instruct: 'male', reference }),
    '<|denoise|><|lang_start|>en<|lang_end|><|instruct_start|>male<|instruct_end|><|text_start|>Before. Hi.<|text_end|>',
  )
  assert.ok(!shown({ ...bare, denoise: false, reference }).includes('<|denoise|>'))
})

test('user text never becomes a control token, and tags are tokenised separately', () => {
  assert.match(shown({ ...bare, text: 'A <|text_end|> b <|DENOISE|>c' }), /<\|text_start\|>A b c<\|text_end\|>$/)
  const pieces: string[] = []
  textIds({ ...bare, text: 'Ha [laughter] no' }, (piece) => {
    pieces.push(piece)
    return [0]
  })
  assert.deepEqual(pieces.slice(1), ['<|text_start|>Ha ', '[laughter]', ' no<|text_end|>'])
})

test('eight rows: the same text in all, codes by codebook, empty cells at the end', () => {
  const { ids, length, audioFrom, frames } = toOmniVoicePrompt({ ...bare, reference }, encode)
  assert.equal(length, audioFrom + 2 + frames)
  assert.equal(ids.length, 8 * length)
  for (let row = 0; row < 8; row++) {
    const columns = [...ids.subarray(row * length, (row + 1) * length)]
    assert.deepEqual(columns.slice(0, audioFrom), [...ids.subarray(0, audioFrom)])
    assert.deepEqual(columns.slice(audioFrom), [2 * row, 2 * row + 1, 1024, 1024, 1024])
  }
})

test('the tokenizer of a model is read without a network', async (t) => {
  const { folder } = tinyModel(t, {})
  const real = await loadTokens(join(folder, 'tokenizer.json'))
  for (const [at, token] of SPECIAL.entries()) assert.deepEqual([...real(token)], [256 + at])
  assert.deepEqual([...real('Hi é')], [...Buffer.from('Hi é')])
  assert.deepEqual([...real('<|text_start|>a<|text_end|>')], [261, 97, 262])
  writeFileSync(join(folder, 'list.json'), '[]')
  await assert.rejects(loadTokens(join(folder, 'list.json')), { code: 'MODEL_NOT_DOWNLOADED' })
  await assert.rejects(loadTokens(join(folder, 'nothing.json')), { code: 'MODEL_NOT_DOWNLOADED' })
})
