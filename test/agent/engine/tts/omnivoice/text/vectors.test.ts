// Token ids of the reference implementation with its own tokenizer, through a tokenizer that has the same rules and ids for these words only.
// The rows come from `_prepare_inference_inputs` of k2-fsa/OmniVoice, as published in the tests of programs that contain a port of it.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type Encode, SPECIAL, toOmniVoicePrompt } from '#agent/engine/tts/omnivoice/text/prompt.ts'
import { loadTokens } from '#agent/engine/tts/omnivoice/text/tokens.ts'
import { tokenizerJson } from '../tiny.ts'

const WORDS: Readonly<Record<string, number>> = {
  None: 4064,
  English: 22574,
  Chinese: 44923,
  hello: 14990,
  ' world': 1879,
  world: 14615,
  laughter: 51783,
  你好: 108386,
  '，': 3837,
  世界: 99489,
  '！': 6313,
  这是一个: 105464,
  测试: 81705,
  '。': 1773,
}
const QWEN_PIECES =
  "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"
const FIRST_SPECIAL = 151_669

/** Merges that build each letter from its bytes and each word from its letters; the pieces between get ids of their own. */
function plantedTokenizer(): string {
  const json = JSON.parse(tokenizerJson())
  const vocabulary: Record<string, number> = json.model.vocab
  const byBytes = new Map(Object.entries(vocabulary).map(([letter, byte]) => [byte, letter]))
  const bytesOf = (text: string) => [...Buffer.from(text)].map((byte) => byBytes.get(byte)!)
  const merges: string[] = []
  const merged = (left: string, right: string): string => {
    if (!merges.includes(`${left} ${right}`)) merges.push(`${left} ${right}`)
    vocabulary[left + right] ??= 120_000 + merges.length
    return left + right
  }
  const letters = new Map(Object.keys(WORDS).flatMap((word) => [...word].map((letter) => [letter, bytesOf(letter).reduce(merged)])))
  for (const [word, id] of Object.entries(WORDS)) vocabulary[[...word].map((letter) => letters.get(letter)!).reduce(merged)] = id
  vocabulary['['] = 58
  vocabulary[']'] = 60
  json.model.merges = merges
  json.added_tokens.forEach((token: { id: number }, at: number) => {
    token.id = FIRST_SPECIAL + at
  })
  json.pre_tokenizer = {
    type: 'Sequence',
    pretokenizers: [
      { type: 'Split', pattern: { Regex: QWEN_PIECES }, behavior: 'Isolated', invert: false },
      { type: 'ByteLevel', add_prefix_space: false, trim_offsets: false, use_regex: false },
    ],
  }
  return JSON.stringify(json)
}

async function planted(t: TestContext): Promise<Encode> {
  const folder = mkdtempSync(join(tmpdir(), 'omnivoice-vectors-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'tokenizer.json'), plantedTokenizer())
  return await loadTokens(join(folder, 'tokenizer.json'))
}
const ids = (row: string) => row.split(' ').map(Number)

test('the prompt has the token ids of the reference implementation', async (t) => {
  const encode = await planted(t)
  assert.deepEqual(
    SPECIAL.map((token) => encode(token)[0]),
    SPECIAL.map((_, at) => FIRST_SPECIAL + at),
  )
  const rows: readonly (readonly [string, string, number, string])[] = [
    ['hello world', 'English', 40, '151670 22574 151671 151672 4064 151673 151674 14990 1879 151675'],
    [
      '你好，世界！这是一个测试。',
      'Chinese',
      64,
      '151670 44923 151671 151672 4064 151673 151674 108386 3837 99489 6313 105464 81705 1773 151675',
    ],
  ]
  for (const [text, language, frames, expected] of rows) {
    const prompt = toOmniVoicePrompt({ text, language, frames, instruct: null, denoise: true, reference: null }, encode)
    const row = [...ids(expected), ...Array(frames).fill(1024)]
    for (let book = 0; book < 8; book++) assert.deepEqual([...prompt.ids.subarray(book * prompt.length, (book + 1) * prompt.length)], row)
    assert.equal(prompt.audioFrom, row.length - frames)
  }
  const tagged = { text: '你好[laughter]world', language: null, frames: 1, instruct: null, denoise: false, reference: null }
  const { ids: all, audioFrom } = toOmniVoicePrompt(tagged, encode)
  assert.deepEqual([...all.subarray(audioFrom - 6, audioFrom)], ids('108386 58 51783 60 14615 151675'))
})
