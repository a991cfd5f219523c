// The words of the web pages: all of them in the strings modules, and none of the old wording.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseSync } from 'rolldown/utils'

const FOLDER = join(import.meta.dirname, '../../../control-plane/web')
const files = readdirSync(FOLDER, { withFileTypes: true, recursive: true })
  .filter((entry) => entry.isFile() && /\.(tsx?|html)$/.test(entry.name))
  .map((entry) => join(entry.parentPath, entry.name))
  .map((path) => ({ path: path.slice(FOLDER.length + 1), text: readFileSync(path, 'utf8') }))
const code = files.filter(({ path }) => /\.tsx?$/.test(path) && !path.endsWith('strings.ts'))

/** Wording that was replaced. It must not come back. */
const OLD = [
  'First run',
  'stand-in',
  'stood in for',
  'what is to be said',
  'Chosen:',
  'cannot speak here yet',
  'Heard while it is being made',
  'Made in',
  'Stop making it',
  'Stop the sound',
  "'Hear'",
  'It failed',
  'It can be tried again as it is',
  'Nothing was spoken yet',
  'The panel is loading',
  'Looking.',
  'Reading…',
  'Other machines are',
  'other machines are',
  'Seen for',
  'whichever machine is done first',
  'as chosen',
  'nothing that is known',
  'Preference',
  'rather not',
  'now and never again',
  'Accept connections on this machine',
  'Attached now',
  'being fetched',
  'not here',
  'look at it',
  'Telling a voice from music',
  'Nothing stands in the way',
  'Load the voice now',
  'Go and speak',
  'arrived damaged',
  'begun ',
  'of at most',
]
/** Words of the style guide that no sentence of a page may have. */
const AVOIDED = /\b(please|successfully|oops|the panel)\b|[a-z]!['"`]/i

const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '')

/** Attributes that a person reads or hears, and properties of components that become text. */
const VISIBLE = new Set(['aria-label', 'aria-valuetext', 'title', 'alt', 'placeholder', 'label', 'hint', 'action', 'send', 'keep', 'name'])
/** Placeholders that show a format. */
const FORMATS = new Set(['svcnode://…', 'svcj_…'])
/** Reads like a sentence or a label. */
const SENTENCE = /^[A-Z][a-z]+ [a-z]|^[a-z]+ [a-z]+.*[.…]$|[A-Za-z]+[.…]$/

type Node = { readonly type: string; readonly [field: string]: unknown }
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value
const nameIn = (node: unknown): string => (isNode(node) && typeof node['name'] === 'string' ? node['name'] : '')

/** The text for people of a module: in its markup, in attributes that are read or heard, and in strings that read like a sentence. */
function textsOf(path: string, text: string): string[] {
  const found: string[] = []
  const visit = (node: Node): void => {
    if (node.type.startsWith('Import') || node.type.startsWith('TS')) return
    if (node.type === 'JSXElement' && nameIn((node['openingElement'] as Node)['name']) === 'code') return
    const value = node['value']
    if (node.type === 'JSXText' && /[A-Za-z]{2}/.test(String(value))) found.push(String(value).trim())
    if (node.type === 'JSXAttribute' && isNode(value) && value.type === 'Literal') {
      const own = String(value['value'])
      if (VISIBLE.has(nameIn(node['name'])) && /[A-Za-z]/.test(own) && !FORMATS.has(own)) found.push(own)
      return
    }
    if (node.type === 'Literal' && typeof value === 'string' && SENTENCE.test(value)) found.push(value)
    for (const child of Object.values(node).flat()) if (isNode(child)) visit(child)
  }
  const { program, errors } = parseSync(path, text)
  assert.deepEqual(errors, [], path)
  visit(program as unknown as Node)
  return found
}

test('the text of the pages is in their strings modules', () => {
  const found = code.flatMap(({ path, text }) => textsOf(path, text).map((literal) => `${path}: ${literal}`))
  assert.deepEqual(found, [])
})

test('a literal in markup, an attribute or a notice is found', () => {
  const source =
    'const a = <p class="a b" title="Old text">{x && <b>Some words</b>} more <code>npm i</code></p>; notify("It is done."); f(`${y} x`)'
  assert.deepEqual(textsOf('a.tsx', source), ['Old text', 'Some words', 'more', 'It is done.'])
})

/** Not in the middle of a word. */
const says = (text: string, old: string) =>
  text
    .split(old)
    .slice(0, -1)
    .some((before) => !/[A-Za-z]$/.test(before))

test('no page has the old wording', () => {
  const found = files.flatMap(({ path, text }) => OLD.filter((old) => says(withoutComments(text), old)).map((old) => `${path}: ${old}`))
  assert.deepEqual(found, [])
})

test('the words follow the style guide', () => {
  const found = files
    .filter(({ path }) => path.endsWith('strings.ts'))
    .flatMap(({ path, text }) =>
      withoutComments(text)
        .split('\n')
        .filter((line) => AVOIDED.test(line))
        .map((line) => `${path}: ${line.trim()}`),
    )
  assert.deepEqual(found, [])
})
