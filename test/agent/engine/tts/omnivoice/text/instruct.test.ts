import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { describeVoice, parseInstruct, toInstruct, vocabulary } from '#agent/engine/tts/omnivoice/text/instruct.ts'
import { languageCode } from '#agent/engine/tts/omnivoice/text/language.ts'
import { OMNIVOICE_LANGUAGES } from '#agent/engine/tts/omnivoice/text/languages.ts'
import { Failure } from '#shared/protocol/failure.ts'

const refusal = (text: string): string => {
  try {
    parseInstruct(text, false)
  } catch (error) {
    assert.ok(error instanceof Failure && error.code === 'INVALID_TASK_PARAMS')
    return error.message
  }
  assert.fail(`${text} was understood`)
}

const english = (text: string) => parseInstruct(text, false)
const chinese = (text: string) => parseInstruct(text, true)

test('free text becomes attributes in the order of the prompt', () => {
  assert.equal(
    english('A young British woman with a very low pitch, whispering.'),
    'female, young adult, very low pitch, whisper, british accent',
  )
  assert.equal(english('male'), 'male')
  assert.equal(english('an old man, deep voice'), 'male, elderly, low pitch')
  assert.equal(english('girl'), 'female, child')
  assert.equal(english('  '), '')
})

test('the description is in one language: Chinese for Chinese text or a dialect, else English', () => {
  assert.equal(english('女，青年，耳语'), 'female, young adult, whisper')
  assert.equal(chinese('female, young adult, whisper'), '女，青年，耳语')
  assert.equal(chinese('elderly man, very high pitch'), '男，老年，极高音调')
  assert.equal(english('female, young adult, 四川话'), '女，青年，四川话')
  assert.equal(english('Sichuan dialect, male'), '男，四川话')
  assert.equal(chinese('男, indian accent'), 'male, indian accent')
  assert.equal(chinese(''), '')
})

test('every word of the vocabulary maps to itself', () => {
  for (const [category, values] of Object.entries(vocabulary())) {
    for (const value of values) assert.deepEqual(describeVoice(value).attributes, { [category]: value })
  }
})

test('unknown words are rejected with the vocabulary', () => {
  assert.match(refusal('male, cheerful'), /"cheerful".*gender: male, female/)
  assert.match(refusal('brittish'), /"brittish" \(did you mean british accent\?\)/)
  assert.match(refusal('x'.repeat(3_000)), /"x{32}"/)
  const many = Array.from({ length: 1_000 }, (_, at) => `w${at % 500}`).join(' ')
  assert.deepEqual(
    describeVoice(many).unknown.map(({ word }) => word),
    Array.from({ length: 20 }, (_, at) => `w${at}`),
  )
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
      const line = toInstruct(attributes, false)
      const isChinese = attributes.dialect !== undefined
      assert.ok(line === '' || isChinese || line.split(', ').every((word) => known.has(word)))
      assert.ok(!isChinese || !/[a-z]/.test(line), line)
      assert.ok(Array.isArray(unknown) && Array.isArray(conflicts))
    }),
  )
})

test('languages by code and by name, as in the table of the model', () => {
  assert.equal(OMNIVOICE_LANGUAGES.size, 646)
  for (const [code, name] of OMNIVOICE_LANGUAGES) {
    for (const each of [code, name, name.toUpperCase()]) assert.deepEqual(languageCode(each), { code, notice: null }, each)
  }
  assert.equal(languageCode('EN-gb').code, 'en')
  assert.equal(languageCode('zh-Hant-TW').code, 'zh')
  assert.equal(languageCode('Lao').code, 'lo')
  for (const none of [null, '', 'Auto', 'None']) assert.deepEqual(languageCode(none), { code: null, notice: null })
})

test('a language that the model does not have goes as none, with a notice', () => {
  const notices = { ar: /arb \(Standard Arabic\)/, ne: /npi \(Nepali\)/, eng: /en \(English\)/, iw: /he \(Hebrew\)/, xx: /such as "en"/ }
  for (const [code, hint] of Object.entries(notices)) {
    const { code: sent, notice } = languageCode(code)
    assert.equal(sent, null)
    assert.match(notice!, hint)
  }
  for (const odd of ['Martian dialect', 'constructor', '__proto__', '-', '_'.repeat(60), '🎉']) {
    assert.equal(languageCode(odd).code, null)
    assert.match(languageCode(odd).notice!, /speaks without one/)
  }
})
