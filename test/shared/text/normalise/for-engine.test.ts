// The engines whose texts have their figures in words, and the languages in which they do.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGINES } from '#shared/engines.ts'
import { spelledFor } from '#shared/text/normalise/for-engine.ts'

const spelled = (engine: string, text: string, language: string | null) =>
  spelledFor(ENGINES.find(({ id }) => id === engine)!.spells, text, language)

test('every engine whose sound the agent makes, and every program, gets figures in words', () => {
  for (const { id, operations, packaging, spells } of ENGINES) {
    const isOurs = id !== 'tone' && operations.includes('tts') && (packaging === 'built-in' || packaging === 'program')
    assert.equal(spells !== undefined, isOurs, id)
  }
})

test('an engine that reads figures itself gets words in languages with tables only', () => {
  assert.equal(spelled('espeak-ng', 'am 3. Mai', 'de'), 'am dritten Mai')
  assert.equal(spelled('espeak-ng', '12 kusů', 'cs'), '12 kusů')
  assert.equal(spelled('piper', '12 kusů', 'cs'), 'dvanáct kusů')
  assert.equal(spelled('espeak-ng', 'am 3. Mai', null), 'am 3. Mai')
  assert.equal(spelled('voxcpm2', 'on 4/15', 'en'), 'on 4/15')
})
