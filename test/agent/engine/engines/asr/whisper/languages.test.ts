import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isoLanguage, whisperCode } from '#agent/engine/engines/asr/whisper/languages.ts'

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
