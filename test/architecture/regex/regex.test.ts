// Every regular expression of the programs takes linear time, because all of them may meet foreign text.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allSources, type Source } from '../source.ts'
import { regexUses } from './literals.ts'
import { superLinear } from './super-linear.ts'

const PROGRAMS = /^(?:control-plane|shared|agent|cli)\/.*\.(?:ts|js)$/
const VENDORED = /\/vendor\//
/** Files that build expressions at run time, with the number of places and the reason why those are linear. */
const BUILT: Readonly<Record<string, { readonly places: number; readonly reason: string }>> = {
  'control-plane/http/describe/examples.ts': { places: 1, reason: 'patterns of our own contracts, each a literal that is checked there' },
  'agent/engine/text/sentencepiece.ts': { places: 1, reason: 'a choice between escaped words, without a loop' },
}

const ours = (sources: readonly Source[]) => sources.filter(({ path }) => PROGRAMS.test(path) && !VENDORED.test(path))

function objections(sources: readonly Source[]): string[] {
  return ours(sources).flatMap(({ path, text }) => {
    const { literals, built } = regexUses(text)
    const slow = literals.flatMap(({ line, source, flags }) => {
      const why = superLinear(source, flags)
      return why === null ? [] : [`${path}:${line}: /${source}/${flags}: ${why}`]
    })
    const unknown = built.length > (BUILT[path]?.places ?? 0) ? [`${path}:${built.join()}: builds an expression at run time`] : []
    return [...slow, ...unknown]
  })
}

test('every regular expression of the programs is linear', (t) => {
  const sources = allSources()
  assert.deepEqual(objections(sources), [])
  const count = ours(sources).reduce((sum, { text }) => sum + regexUses(text).literals.length, 0)
  t.diagnostic(`${count} expressions`)
  assert.ok(count > 200, `only ${count} expressions were found`)
})

test('a super-linear expression is reported, and one that is built at run time', () => {
  const planted = (text: string) => objections([{ path: 'shared/x.ts', text }]).length
  assert.equal(planted('const a = /x+y/'), 1)
  assert.equal(planted('const a = text.replace(/\\s+$/, "") // /x+y/'), 1)
  assert.equal(planted('const a = new RegExp(`^${b}*$`)'), 1)
  assert.equal(planted("const a = b / c / d; const e = '/x+y/'; const f = `${g / h} /x+y/`"), 0)
  assert.equal(planted('const a = `${b.replace(/x+y/g, "")}`'), 1)
})

const linear = (...expressions: RegExp[]) => {
  for (const { source, flags } of expressions) assert.equal(superLinear(source, flags), null, source)
}
const slow = (...expressions: RegExp[]) => {
  for (const { source, flags } of expressions) assert.notEqual(superLinear(source, flags), null, source)
}

test('two loops that can read the same text are quadratic', () => {
  slow(/^\s*\s*$/, /^\d+\.?\d*$/, /^(?:a|b)*(?:b|c)*d/, /^.*=.*$/, /^(\w+)\s?\1+$/)
  linear(/^\s*\S+\s*$/, /^\d+(?:\.\d*)?$/, /^a*b*$/, /^[^=]*=[^=]*$/, /^a*a*/)
})

test('a search that starts in the middle of a loop is quadratic', () => {
  slow(/\s+$/, /x+y/, /a[^b]*b/, /[;:]+(?=\s)/, /(?=.*x)/, /(?<=x*)y/, /\d{65,}z/, /a(?:[^b]*b)?/g)
  linear(/^\s+/, /\s+/g, /\[\[([^[\]|]{1,256})\]\]/g, /<([^<>]*)>/, /\d{1,9} s/, / +(?:([.,])(?=\s|$))?/g, /x+y/y)
})

test('two ways around one loop are exponential', () => {
  slow(/^(?:a*)*$/, /^(?:a|a)*$/, /^(?:a|aa)*$/, /^(?:\d+,?)+$/, /^(?:a{1,3}){2,}$/, /^(?:(?:a|b)|b)+c/i)
  linear(/^(?:ab?)*$/, /^(?:\d+,)*\d+$/, /^(?:a|b)*$/, /^(?:a*b)*$/)
})
