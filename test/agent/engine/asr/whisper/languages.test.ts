import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isoLanguage, languageAfter, whisperCode } from '#agent/engine/asr/whisper/languages.ts'

test('a tag finds the code of Whisper for the same language', () => {
  const codes = ['en', 'zh', 'jw', 'he', 'no', 'nn', 'tl', 'yue']
  for (const [tag, code] of [
    ['jv', 'jw'],
    ['jw', 'jw'],
    ['iw-IL', 'he'],
    ['nb_NO', 'no'],
    ['nn', 'nn'],
    ['fil', 'tl'],
    ['tl', 'tl'],
    ['cmn-Hans', 'zh'],
    ['yue', 'yue'],
    ['EN-us', 'en'],
    ['eng', 'en'],
    ['xx', null],
  ] as const)
    assert.equal(whisperCode(tag, codes), code, tag)
  assert.deepEqual(['jw', 'en', 'tl', 'yue'].map(isoLanguage), ['jv', 'en', 'tl', 'yue'])
})

test('a window keeps the language of the one before unless the network is sure of another one', () => {
  assert.equal(languageAfter(null, { language: 'fr', confidence: 0.3 }), 'fr')
  assert.equal(languageAfter('fr', { language: 'en', confidence: 0.6 }), 'fr')
  assert.equal(languageAfter('fr', { language: 'en', confidence: 0.97 }), 'en')
  assert.equal(languageAfter(null, { language: null, confidence: 0 }), 'en')
})
