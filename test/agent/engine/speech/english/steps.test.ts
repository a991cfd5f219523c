// The steps from a text to its words against those of the package that the data comes from.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createEnglishAssets } from '#agent/engine/speech/english/assets.ts'
import { toTokens } from '#agent/engine/speech/english/sentence/tokens.ts'
import { ROOT } from '#test/support/world/process.ts'

type Row = { readonly text: string; readonly tokens: readonly (readonly [text: string, tag: string, isSpaced: number])[] }
const ROWS = readFileSync(join(ROOT, 'test/golden/english-tokens.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line): Row => JSON.parse(line))

test('texts have the tokens and the blanks of the reference', async () => {
  const { special } = await createEnglishAssets().open('en-us')
  let equal = 0
  const other: string[] = []
  for (const { text, tokens } of ROWS) {
    const ours = toTokens(text, special).map((token) => `${token.text}${token.isSpaced ? ' ' : ''}`)
    const theirs = tokens.map(([word, , isSpaced]) => `${word}${isSpaced ? ' ' : ''}`)
    if (ours.join('|').trim() === theirs.join('|').trim()) equal++
    else other.push(`${ours.join('|')}  not  ${theirs.join('|')}`)
  }
  assert.ok(equal / ROWS.length >= 0.97, `${equal} of ${ROWS.length}\n${other.slice(0, 20).join('\n')}`)
})

test('tokens of the reference have its parts of speech', async () => {
  const { tag } = await createEnglishAssets().open('en-us')
  let [equal, count] = [0, 0]
  for (const { tokens } of ROWS) {
    const tags = tag(tokens.map(([word]) => word))
    for (const [index, [, theirs]] of tokens.entries()) {
      count++
      if (tags[index] === theirs) equal++
    }
  }
  assert.ok(equal / count >= 0.99, `${equal} of ${count}`)
})
