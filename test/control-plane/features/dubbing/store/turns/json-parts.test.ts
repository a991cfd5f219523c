import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linesOfJson, readJsonLines } from '#control-plane/features/dubbing/store/turns/json-parts.ts'

async function linesOf(value: Readonly<Record<string, unknown>>): Promise<string[]> {
  const lines: string[] = []
  for await (const line of linesOfJson(value)) lines.push(line)
  return lines
}

test('an object is the same after it was written and read in lines', async () => {
  const values = [
    {},
    { a: 1, b: [], c: {}, d: null, e: 'text\n', f: { g: { h: [[1, 2], []] } } },
    { many: Array.from({ length: 1001 }, (_, at) => ({ at, own: [at] })), 'a name': { many: [1] } },
    JSON.parse('{"__proto__": {"constructor": [1]}, "toString": [2], "constructor": {"prototype": 3}}'),
  ]
  for (const value of values) assert.equal(JSON.stringify(await readJsonLines(await linesOf(value))), JSON.stringify(value))
  assert.deepEqual(await readJsonLines(await linesOf({ a: undefined, b: 1 })), { b: 1 })
})

test('no line has more than a part of a list', async () => {
  const lines = await linesOf({ plan: { lines: Array.from({ length: 5000 }, () => 'x'.repeat(100)) } })
  assert.ok(lines.every((line) => line.length < 25_000))
})

test('lines of another form are refused', async () => {
  for (const line of [
    '{}',
    '[[], 1]',
    '[[1], 1]',
    '[["a", "b"], 1]',
    'no JSON',
    `[${JSON.stringify(Array.from({ length: 9 }, () => 'a'))}, 1]`,
  ])
    await assert.rejects(readJsonLines([line]), line)
})
