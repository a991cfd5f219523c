import assert from 'node:assert/strict'
import { test } from 'node:test'
import { annotated, mapAnnotated, withoutAnnotations, withoutMarks } from '#shared/text/pronunciation/annotation.ts'
import { ipaOfCmu } from '#shared/text/pronunciation/cmu-ipa.ts'
import { phoneObjection } from '#shared/text/pronunciation/phones.ts'

const shown = (text: string) =>
  mapAnnotated(
    text,
    (plain) => plain,
    (word, ipa) => `<${word}/${ipa}>`,
  )

test('annotations are read back with their blanks, without dots between syllables', () => {
  const text = `In ${annotated('New York', 'njuː ˈjɔːk')}, ${annotated('basis', 'ˈbeɪ.sɪs')}.`
  assert.equal(shown(text), 'In <New York/njuː ˈjɔːk>, <basis/ˈbeɪsɪs>.')
  assert.equal(withoutAnnotations(text), 'In New York, basis.')
  assert.equal(text.split(/\s/).length, 3, 'an annotation has no blank')
})

test('a text that is cut anywhere has no marks left, and whole annotations stay', () => {
  const text = `a ${annotated('b', 'c')} d ${annotated('e', 'f')}`
  for (let at = 0; at <= text.length; at++)
    for (const part of [text.slice(0, at), text.slice(at)]) assert.equal(withoutMarks(shown(part)), shown(part))
  assert.match(shown(text.slice(0, 9)), /<b\/c>/)
})

test('marks in a word or its pronunciation are removed', () => {
  assert.equal(shown(annotated('a\uFFFBb', 'c\uFFF9d')), '<ab/cd>')
})

test('every CMU symbol has a pronunciation', () => {
  const symbols = 'AA AE AH AO AW AY EH ER EY IH IY OW OY UH UW'
    .split(' ')
    .flatMap((vowel) => [vowel, `${vowel}0`, `${vowel}1`, `${vowel}2`])
  for (const symbol of [...symbols, ...'B CH D DH F G HH JH K L M N NG P R S SH T TH V W Y Z ZH'.split(' ')]) {
    assert.equal(phoneObjection('cmu', symbol), null)
    assert.match(ipaOfCmu(symbol), /\p{L}/u, symbol)
  }
  assert.equal(ipaOfCmu('b ey1  s'), 'bˈeɪs')
  assert.equal(ipaOfCmu('AH0 B AH1 T ER0'), 'əbˈʌtɚ')
})
