import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPronunciation } from '#control-plane/areas/pronunciation/pronunciation.service.ts'
import type { Entry } from '#control-plane/areas/pronunciation/pronunciation.store.ts'

const entry = (term: string, type: string, replacement: string): Entry => ({
  id: term,
  term,
  type,
  replacement,
  language: '*',
  enabled: 1,
  created_at: 0,
})
const pronunciation = (isEnabled = true) =>
  createPronunciation({
    store: {
      list: () => [
        entry('bass', 'cmu', 'b  ey1 s'),
        entry('Caen', 'ipa', 'kɑ̃'),
        entry('Nguyen', 'respelling', 'win'),
        entry('Nguyen', 'ipa', 'ŋ'),
      ],
    } as never,
    isEnabled: () => isEnabled,
    clock: { now: () => 0 },
    random: { hex: () => '' },
  })
const TEXT = 'Nguyen plays bass in Caen, and [[bass|base]] again.'

test('an engine that takes CMU symbols receives them in brackets; a respelling wins over symbols', () => {
  const { spoken, unused } = pronunciation().speaker('en', {}, true)
  assert.equal(spoken(TEXT), 'win plays [B EY1 S] in Caen, and base again.')
  assert.deepEqual(unused(TEXT), ['Caen'])
  assert.equal(pronunciation().speaker('en', { bass: 'base' }, true).spoken('A bass.'), 'A base.')
})

test('other engines speak the written word, and the terms are named', () => {
  const { spoken, unused } = pronunciation().speaker('en', {})
  assert.equal(spoken(TEXT), 'win plays bass in Caen, and base again.')
  assert.deepEqual([...unused(TEXT)].sort(), ['Caen', 'bass'])
  const off = pronunciation(false).speaker('en', {}, true)
  assert.deepEqual([off.spoken('A bass.'), off.unused('A bass.')], ['A bass.', []])
})
