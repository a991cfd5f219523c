import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { canonicalJson, type Json, keyOf } from '#control-plane/jobs/key.ts'

const parts = { kind: 'speak', version: 1, inputs: ['a'], params: { text: 'x' } }

test('the order of names does not matter, everything else does', () => {
  const shuffled = (value: Json): Json => {
    if (value === null || typeof value !== 'object') return value
    if (Array.isArray(value)) return value.map(shuffled)
    return Object.fromEntries(
      Object.entries(value as Record<string, Json>)
        .reverse()
        .map(([name, inner]) => [name, shuffled(inner)]),
    )
  }
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      assert.equal(canonicalJson(one as Json), canonicalJson(shuffled(one as Json)))
      assert.deepEqual(JSON.parse(canonicalJson(one as Json)), JSON.parse(JSON.stringify(one)))
      const equal = canonicalJson(one as Json) === canonicalJson(other as Json)
      assert.equal(
        equal,
        JSON.stringify(shuffled(JSON.parse(canonicalJson(one as Json)))) ===
          JSON.stringify(shuffled(JSON.parse(canonicalJson(other as Json)))),
      )
    }),
  )
})

test('the key covers kind, version, inputs in order and parameters', () => {
  const key = keyOf(parts)
  assert.match(key, /^[0-9a-f]{64}$/)
  assert.equal(keyOf({ ...parts, params: { text: 'x', seed: undefined } }), key)
  const others = [
    { ...parts, kind: 'fit' },
    { ...parts, version: 2 },
    { ...parts, inputs: ['b'] },
    { ...parts, inputs: ['a', 'a'] },
    { ...parts, params: { text: 'y' } },
    { ...parts, params: [] },
  ]
  assert.equal(new Set([key, ...others.map(keyOf)]).size, others.length + 1)
})

test('hostile values are keyed or refused, never confused', () => {
  assert.equal(canonicalJson(-0), '0')
  assert.equal(canonicalJson(JSON.parse('{"__proto__":{"a":1},"a":2}')), '{"__proto__":{"a":1},"a":2}')
  assert.equal(canonicalJson('\u2028\ud800"\\'), JSON.stringify('\u2028\ud800"\\'))
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY, 1n, () => {}, Symbol('x'), [Number.NaN]])
    assert.throws(() => canonicalJson(value as never), TypeError, String(value))
})
