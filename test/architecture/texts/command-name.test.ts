// Texts for users name the command line by COMMAND, because a package has another command than a checkout.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { COMMAND } from '#shared/protocol/version.ts'
import { allSources, type Source } from '../source.ts'

const PLACES = ['shared/protocol/version.ts', 'control-plane/web/lib/names.ts']
const PRODUCT = /^(?:shared|control-plane|agent|cli)\/.*\.(?:tsx?|html)$/
/** Not the path of a module: ./studio.ts, ./studio/api.ts. */
const NAME = /\.\/studio(?![\w/-]|\.[jt]s\b)/
const COMMENT = /^\s*(?:\/\/|\/?\*)|\s\/\/ .*$/

/** Lines of code with the command as a literal. */
const literals = (sources: readonly Source[]): string[] =>
  sources
    .filter(({ path }) => PRODUCT.test(path) && !PLACES.includes(path))
    .flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, at) => (NAME.test(line) && !COMMENT.test(line) ? [`${path}:${at + 1}: ${line.trim()}`] : [])),
    )

test('texts for users name the command line by its constant', () => {
  const sources = allSources()
  assert.deepEqual(literals(sources), [])
  for (const path of PLACES)
    assert.ok(sources.find((source) => source.path === path)!.text.includes(`export const COMMAND = '${COMMAND}'`), path)
})

test('a literal is reported, a comment and the path of a module are not', () => {
  const found = (path: string, text: string) => literals([{ path, text }]).length
  for (const text of [
    "const a = 'Start it with ./studio.'",
    '  hint: `Run ./studio workers.`,',
    "const b = './studio'",
    '<code>./studio agent</code>',
  ])
    assert.equal(found('cli/x.ts', text), 1, text)
  for (const text of [
    '// ./studio start',
    ' * Run ./studio docs.',
    "import { a } from './studio.ts'",
    "import { b } from './studio/api.ts'",
  ])
    assert.equal(found('cli/x.ts', text), 0, text)
  assert.equal(found('control-plane/web/pages/x.tsx', "const a = './studio setup'"), 1)
  assert.equal(found('tools/docs/documents.ts', "const a = './studio docs'"), 0)
})
