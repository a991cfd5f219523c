// The result of JSON.parse is parsed by a schema before its type is trusted.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allSources, type Source, typescript } from './source.ts'

const CALL = 'JSON.parse('
/** Benches measure programs of this repository that they start themselves. The pages read what their own studio sends, typed by its contracts. */
const EXEMPT = /^(test|bench|control-plane\/web)\//

/** The index after the parenthesis that closes the one before `from`. */
function closing(text: string, from: number): number {
  let depth = 1
  for (let at = from; at < text.length; at++) {
    if (text[at] === '(') depth++
    else if (text[at] === ')' && --depth === 0) return at + 1
  }
  return text.length
}

function trustsUnparsed(text: string): boolean {
  for (let at = text.indexOf(CALL); at >= 0; at = text.indexOf(CALL, at + 1)) {
    const line = text.slice(text.lastIndexOf('\n', at) + 1, at)
    if (/^\s*\)*\s*as\s/.test(text.slice(closing(text, at + CALL.length)))) return true
    if (/(?:const|let) \w+: (?!unknown\b)[^=]+ = $/.test(line)) return true
  }
  return false
}

const casts = (sources: readonly Source[]): string[] =>
  sources.flatMap(({ path, text }) => (!EXEMPT.test(path) && trustsUnparsed(text) ? [path] : []))

test('what JSON.parse returns is given no type by assertion', () => {
  assert.deepEqual(casts(typescript(allSources())), [])
})

test('an asserted type is reported, in whatever form; a parsed value is not', () => {
  const count = (text: string, path = 'control-plane/tasks/row.ts') => casts([{ path, text }]).length
  assert.equal(count('const a = JSON.parse(row.ids) as string[]'), 1)
  assert.equal(count('const a = (JSON.parse(read(text)) as { n?: number }).n'), 1)
  assert.equal(count('const a = JSON.parse(\n  text,\n) as A'), 1)
  assert.equal(count('const a: A = JSON.parse(text)'), 1)
  assert.equal(count('const a: unknown = JSON.parse(text)\nconst b = A.parse(JSON.parse(text))\nreturn JSON.parse(text)'), 0)
  assert.equal(count('const a = JSON.parse(text) as A', 'test/agent/x.test.ts'), 0)
})
