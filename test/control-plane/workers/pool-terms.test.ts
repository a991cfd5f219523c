import assert from 'node:assert/strict'
import { test } from 'node:test'
import { machineChange, NAMES_IN_ENTRY } from '#control-plane/workers/pool-machines.ts'
import {
  changesOf,
  declaredPool,
  NAMES_KEPT,
  readConsentTerms,
  readDeclared,
  stored,
  termsDigest,
} from '#control-plane/workers/pool-terms.ts'
import { wirePool, wirePoolMachine } from '#test/support/builders/wire.ts'

const pool = declaredPool(wirePool())
const terms = { operator: 'Lab', places: ['DE', 'FR'], readsInputs: true }

test('the digest covers operator, places in any order and whether inputs are read, and nothing else', () => {
  const digest = termsDigest(terms)
  assert.equal(termsDigest({ ...terms, places: ['FR', 'DE', 'DE', ' '] }), digest)
  const others = [{ ...terms, operator: 'Lab 2' }, { ...terms, places: ['DE'] }, { ...terms, readsInputs: false }, null]
  assert.equal(new Set([digest, ...others.map(termsDigest)]).size, others.length + 1)
  assert.equal(termsDigest(null), '')
  assert.equal(termsDigest(declaredPool(wirePool({ contact: 'x', keeps: 'logs', name: 'y', machines: [] }))), termsDigest(pool))
  // Two lists that differ only in where a name ends are not the same.
  assert.notEqual(termsDigest({ ...terms, places: ['D', 'EFR'] }), termsDigest({ ...terms, places: ['DE', 'FR'] }))
})

test('the changes of terms are named', () => {
  assert.deepEqual(changesOf(terms, { operator: 'Other', places: ['FR'], readsInputs: false }), ['operator', 'places', 'reads_inputs'])
  assert.deepEqual(changesOf(terms, { ...terms, places: ['FR', 'DE'] }), [])
  assert.deepEqual([changesOf(terms, null), changesOf(null, terms), changesOf(null, null)], [['kind'], ['kind'], []])
})

test('a declaration has a count, a range of versions and names of its machines, and survives its column', () => {
  const machines = ['0.6.1', 'dev', '0.5.9', '0.6.1', '0.10.0'].map((version, at) => wirePoolMachine({ name: `m${4 - at}`, version }))
  const declared = declaredPool(wirePool({ machines, places: ['FR', '', 'DE', 'FR'] }))
  assert.deepEqual(
    [declared.machines, declared.newest, declared.oldest, declared.older, declared.names, declared.places],
    [5, '0.10.0', 'dev', 4, ['m0', 'm1', 'm2', 'm3', 'm4'], ['DE', 'FR']],
  )
  assert.deepEqual(readDeclared(stored(declared)), declared)
  assert.deepEqual([readDeclared(''), stored(null), readConsentTerms('').digest], [null, '', ''])
  assert.notEqual(readConsentTerms('{}').digest, '', 'a consent that cannot be read is not one to a single machine')
  const many = declaredPool(wirePool({ machines: Array.from({ length: NAMES_KEPT + 1 }, (_, at) => wirePoolMachine({ name: `m${at}` })) }))
  assert.deepEqual([many.names, many.machines], [null, NAMES_KEPT + 1])
})

test('an entry of the log names a limited number of machines', () => {
  const names = (from: number, count: number) => Array.from({ length: count }, (_, at) => `m${from + at}`)
  assert.equal(machineChange(['a', 'b'], ['b', 'a']), null)
  assert.deepEqual(machineChange(['a', 'b'], ['b', 'c']), { added: ['c'], removed: ['a'], more: 0 })
  for (const [was, now, added, removed] of [
    [[], names(0, 50), NAMES_IN_ENTRY, 0],
    [names(0, 50), [], 0, NAMES_IN_ENTRY],
    [names(0, 50), names(100, 50), NAMES_IN_ENTRY / 2, NAMES_IN_ENTRY / 2],
    [names(0, 3), names(100, 50), NAMES_IN_ENTRY - 3, 3],
  ] as const) {
    const change = machineChange(was, now)!
    assert.deepEqual([change.added.length, change.removed.length], [added, removed])
    assert.equal(change.more, was.length + now.length - added - removed)
  }
  assert.equal(machineChange(null, ['a']), null)
})
