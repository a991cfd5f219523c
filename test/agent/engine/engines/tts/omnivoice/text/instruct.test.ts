import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { describeVoice, parseInstruct, toInstruct, vocabulary } from '#agent/engine/engines/tts/omnivoice/text/instruct.ts'
import { languageCode } from '#agent/engine/engines/tts/omnivoice/text/language.ts'
import { Failure } from '#shared/protocol/failure.ts'

const refusal = (text: string): string => {
  try {
    parseInstruct(text)
  } catch (error) {
    assert.ok(error instanceof Failure && error.code === 'INVALID_TASK_PARAMS')
    return error.message
  }
  assert.fail(`${text} was understood`)
}

test('free text becomes attributes in the order of the prompt', () => {
  assert.equal(
    parseInstruct('A young British woman with a very low pitch, whispering.'),
    'female, young adult, very low pitch, whisper, british accent',
  )
  assert.equal(parseInstruct('male'), 'male')
  assert.equal(parseInstruct('an old man, deep voice'), 'male, elderly, low pitch')
  assert.equal(parseInstruct('girl'), 'female, child')
  assert.equal(parseInstruct('女，青年，四川话'), 'female, young adult, 四川话')
  assert.equal(parseInstruct('Sichuan dialect, male'), 'male, 四川话')
  assert.equal(parseInstruct('  '), '')
})

test('every word of the vocabulary maps to itself', () => {
  for (const [category, values] of Object.entries(vocabulary())) {
    for (const value of values) assert.deepEqual(describeVoice(value).attributes, { [category]: value })
  }
})

test('unknown words are rejected with the vocabulary', () => {
  assert.match(refusal('male, cheerful'), /"cheerful".*gender: female, male/)
  assert.match(refusal('brittish'), /"brittish" \(did you mean british accent\?\)/)
  assert.match(refusal('x'.repeat(3_000)), /"x{32}"/)
})

test('attributes that exclude each other are rejected', () => {
  assert.match(refusal('male and female'), /Choose one gender/)
  assert.match(refusal('russian accent, henan dialect'), /accent and a Chinese dialect exclude/)
  assert.match(refusal('low pitch high pitch'), /Choose one pitch/)
})

test('any text gives a line of the vocabulary or a failure', () => {
  const known = new Set(Object.values(vocabulary()).flat())
  fc.assert(
    fc.property(fc.string({ maxLength: 200, unit: 'grapheme' }), (text) => {
      const { attributes, unknown, conflicts } = describeVoice(text)
      const line = toInstruct(attributes)
      assert.ok(line === '' || line.split(', ').every((word) => known.has(word)))
      assert.ok(Array.isArray(unknown) && Array.isArray(conflicts))
    }),
  )
})

test('languages by code and by name', () => {
  assert.equal(languageCode('EN-gb').code, 'en')
  assert.equal(languageCode('yue').code, 'yue')
  assert.equal(languageCode('German').code, 'de')
  assert.equal(languageCode('Auto').code, null)
  assert.equal(languageCode(null).code, null)
  const odd = languageCode('Martian dialect')
  assert.equal(odd.code, null)
  assert.match(odd.notice!, /martian/)
})
