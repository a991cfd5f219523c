import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FAILURES } from '#shared/protocol/failure.ts'
import { commentsWithoutSubject, forbiddenNames, forbiddenPhrases, hintsThatAreNoSentences } from './language.ts'
import { allSources, typescript } from './source.ts'

const sources = allSources()

test('no declared name has a word that says nothing or personifies a program', () => {
  assert.deepEqual(forbiddenNames(typescript(sources)), [])
})

test('a forbidden name is reported, in a declaration, a property and a path', () => {
  const text = 'const heard = 1\nexport function retryHelper() {}\ntype Told = { readonly wishList: string }\nconst data = 1'
  assert.deepEqual(forbiddenNames([{ path: 'shared/utils/x.ts', text }]), [
    'shared/utils/x.ts',
    'shared/utils/x.ts: retryHelper',
    'shared/utils/x.ts: heard',
    'shared/utils/x.ts: Told',
    'shared/utils/x.ts: wishList',
  ])
})

test('no text has a phrase that technical English does not use', () => {
  assert.deepEqual(forbiddenPhrases(sources), [])
})

test('a forbidden phrase is reported with its line', () => {
  const text = '// A comment.\n// Whoever asks is told.\n'
  assert.deepEqual(forbiddenPhrases([{ path: 'agent/x.ts', text }]), ['agent/x.ts:2: Whoever'])
  assert.deepEqual(forbiddenPhrases([{ path: 'agent/x.ts', text: '// The marshaller' }]), [])
})

test('a doc comment and the header of a file name their subject', () => {
  assert.deepEqual(commentsWithoutSubject(typescript(sources)), [])
})

test('a comment that begins with What, Whether, Of, As or How is reported with its line', () => {
  const doc = (words: string) => `/** ${words} */`
  const text = [
    doc('What a row has.'),
    `  ${doc('of the file')}`,
    '/**',
    ` * ${'Whether'} it works.`,
    ' */',
    `type T = { ${doc('As `T`.')} a: 1 }`,
  ]
  assert.deepEqual(commentsWithoutSubject([{ path: 'agent/x.ts', text: text.join('\n') }]), [
    'agent/x.ts:1: What',
    'agent/x.ts:2: of',
    'agent/x.ts:4: Whether',
    'agent/x.ts:6: As',
  ])
  assert.deepEqual(commentsWithoutSubject([{ path: 'agent/x.ts', text: '// How it works.\n// What else.\n' }]), ['agent/x.ts:1: How'])
  const named = [doc('Offset of the file. What follows is text.'), doc('Offline only.'), doc('Asks once.'), "'test/**/of.ts'"]
  assert.deepEqual(commentsWithoutSubject([{ path: 'agent/x.ts', text: named.join('\n') }]), [])
})

test('every failure hint is a full sentence', () => {
  assert.deepEqual(hintsThatAreNoSentences(FAILURES), [])
  const planted = { SOME_CODE: { class: 'terminal', http: 400, hint: 'try again' } } as const
  assert.deepEqual(hintsThatAreNoSentences(planted), ['SOME_CODE: try again'])
})
