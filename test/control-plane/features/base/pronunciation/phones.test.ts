import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPronunciation } from '#control-plane/features/base/pronunciation/pronunciation.service.ts'
import type { Entry } from '#control-plane/features/base/pronunciation/pronunciation.store.ts'
import { annotated } from '#shared/text/pronunciation/annotation.ts'

const entry = (term: string, type: string, replacement: string): Entry => ({
  id: term,
  term,
  type,
  replacement,
  language: '*',
  enabled: 1,
  created_at: 0,
})
const ENTRIES = [
  entry('bass', 'cmu', 'b  ey1 s'),
  entry('Caen', 'ipa', 'kɑ̃'),
  entry('Nguyen', 'respelling', 'win'),
  entry('Nguyen', 'ipa', 'ŋ'),
]
const pronunciation = (isEnabled = true, entries = ENTRIES) =>
  createPronunciation({
    store: { list: () => entries } as never,
    isEnabled: () => isEnabled,
    clock: { now: () => 0 },
    random: { hex: () => '' },
  })
const TEXT = 'Nguyen plays bass in Caen, and [[bass|base]] again.'

test('an engine that takes CMU symbols receives them in brackets; a respelling wins over symbols', () => {
  const { spoken, unused } = pronunciation().speaker('en', {}, 'cmu')
  assert.equal(spoken(TEXT), 'win plays [B EY1 S] in Caen, and base again.')
  assert.deepEqual(unused(TEXT), ['Caen'])
  assert.equal(pronunciation().speaker('en', { bass: 'base' }, 'cmu').spoken('A bass.'), 'A base.')
})

test('other engines speak the written word, and the terms are named', () => {
  const { spoken, unused } = pronunciation().speaker('en', {})
  assert.equal(spoken(TEXT), 'win plays bass in Caen, and base again.')
  assert.deepEqual([...unused(TEXT)].sort(), ['Caen', 'bass'])
  const off = pronunciation(false).speaker('en', {}, 'cmu')
  assert.deepEqual([off.spoken('A bass.'), off.unused('A bass.')], ['A bass.', []])
})

test('a respelling counts for its word in every form of its signs', () => {
  const both = [entry('O’Brien', 'respelling', 'oh bryan'), entry("O'Brien", 'ipa', 'oʊ')]
  const { spoken, unused } = pronunciation(true, both).speaker('en', {})
  assert.deepEqual([spoken("O'Brien"), unused("O'Brien")], ['oh bryan', []])
})

test('an engine that takes IPA receives all symbols as annotations, and inline pronunciations stay respellings', () => {
  const { spoken, unused } = pronunciation().speaker('en', {}, 'ipa')
  assert.equal(spoken(TEXT), `win plays ${annotated('bass', 'bˈeɪs')} in ${annotated('Caen', 'kɑ̃')}, and base again.`)
  assert.deepEqual(unused(TEXT), [])
})

test('the engine of one text is asked for only if a phonetic entry may apply; what it does not take is said', () => {
  const { pronounced } = pronunciation()
  const flite = () => ({ engine: 'svc-engine', alphabet: null })
  const { text, notices } = pronounced(TEXT, null, flite)
  assert.equal(text, 'win plays bass in Caen, and base again.')
  assert.equal(notices.length, 1)
  assert.match(notices[0]!, /^svc-engine does not take these pronunciations in a phonetic alphabet: .*Caen.*Add respellings/)
  assert.deepEqual(pronounced('No term.', null, flite), { text: 'No term.', notices: [] })
  const never = () => assert.fail('the engine is not needed')
  assert.deepEqual(pronunciation(false).pronounced('A bass.', null, never), { text: 'A bass.', notices: [] })
  assert.deepEqual(pronounced('A bass, [[bass|base]].', null, never, false), { text: 'A bass, base.', notices: [] })
})

test('a text cannot contain annotations of its own', () => {
  assert.equal(
    pronunciation()
      .speaker('en', {}, 'ipa')
      .spoken(`one ${annotated('two', 'x')}`),
    'one twox',
  )
})

test('inline IPA asks for the engine without any entry, and a word that stays as it is written is named', () => {
  const { pronounced } = pronunciation(false, [])
  const text = 'A [[tomato|/təˈmɑːtəʊ/]].'
  const heart = () => ({ engine: 'heart', alphabet: 'ipa' as const })
  assert.deepEqual(pronounced(text, 'en', heart), { text: `A ${annotated('tomato', 'təˈmɑːtəʊ')}.`, notices: [] })
  const other = pronounced(text, 'en', () => ({ engine: 'flite', alphabet: null }))
  assert.equal(other.text, 'A tomato.')
  assert.match(other.notices.join(), /flite does not take these pronunciations in a phonetic alphabet: tomato\./)
})
