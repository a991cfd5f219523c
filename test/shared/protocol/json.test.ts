import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { exceededBy, parseJson, scanJson } from '#shared/protocol/json.ts'

const bytesOf = (text: string) => Buffer.from(text)
const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0

test('a text within the limits is parsed as JSON.parse does', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6, noUnicodeString: false }), (value) => {
      const text = JSON.stringify(value)
      assert.deepEqual(parseJson(bytesOf(text), { bytes: 1e6 }), JSON.parse(text))
    }),
  )
})

const countOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? Object.values(value).reduce((sum: number, one) => sum + 1 + countOf(one), 0) : 0

test('the measured depth and number of values ignore brackets and commas in strings', () => {
  const bracketed = fc.string({ unit: fc.constantFrom('[', '{', ']', '}', ',', '"', '\\', 'a') })
  const value = fc.letrec((tie) => ({
    any: fc.oneof({ depthSize: 'large' }, bracketed, tie('list'), tie('object')),
    list: fc.array(tie('any'), { maxLength: 3 }),
    object: fc.dictionary(bracketed, tie('any'), { maxKeys: 3 }),
  })).any
  fc.assert(
    fc.property(value, (one) => {
      const [depth, values] = [depthOf(one), countOf(one)]
      for (const indent of [0, 2]) {
        const bytes = bytesOf(JSON.stringify(one, null, indent))
        assert.equal(exceededBy(bytes, { depth, values }), null)
        if (depth > 0) assert.equal(exceededBy(bytes, { depth: depth - 1, values }), 'depth')
        if (values > 0) assert.equal(exceededBy(bytes, { depth, values: values - 1 }), 'values')
        const scan = scanJson({ depth, values: values - 1 })
        const found = Array.from(bytes, (_, at) => scan(bytes.subarray(at, at + 1)))
        assert.equal(found.find((limit) => limit !== null) ?? null, values > 0 ? 'values' : null, 'in pieces of one byte')
      }
    }),
  )
})

test('a text beyond the limits is refused before it is parsed', () => {
  assert.throws(() => parseJson(bytesOf('[1,2]'), { bytes: 4 }), RangeError)
  assert.throws(() => parseJson(bytesOf('[[1]]'), { bytes: 100, depth: 1 }), RangeError)
  const deep = bytesOf('['.repeat(400_000) + ']'.repeat(400_000))
  assert.throws(() => parseJson(deep, { bytes: 1e6 }), /nested deeper than 32/)
  assert.throws(() => parseJson(bytesOf('['.repeat(400_000)), { bytes: 1e6 }), /nested deeper than 32/)
})

test('bytes that are not the UTF-8 of a JSON text are refused', () => {
  for (const text of ['', '{', '{"a":1,}', '\ufeff{}', 'NaN', "{'a':1}"])
    assert.throws(() => parseJson(bytesOf(text), { bytes: 100 }), SyntaxError, text)
  assert.throws(() => parseJson(Buffer.from([0x22, 0xff, 0x22]), { bytes: 100 }), TypeError)
})
