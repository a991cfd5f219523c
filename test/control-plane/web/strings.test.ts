// The words of the web pages: all of them in the catalogue of messages, and none of the old wording.
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
const isMessages = (path: string) => path.startsWith('messages/')
const code = files.filter(({ path }) => /\.tsx?$/.test(path) && !isMessages(path))

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
/** The name of a field is for programs. */
const isVisible = (tag: string, attribute: string) => VISIBLE.has(attribute) && !(attribute === 'name' && /^[a-z]/.test(tag))
/** Placeholders that show a format, and parts of addresses and ids. */
const FORMATS = new Set(['svcnode://…', 'svcj_…', 'http://', 'env.'])
/** Reads like a sentence or a label. */
const SENTENCE = /^[A-Z][a-z]+ [a-z]|^[a-z]+ [a-z]+.*[.…]$|[A-Za-z]+[.…]$/

type Node = { readonly type: string; readonly [field: string]: unknown }
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value
const nameIn = (node: unknown): string => (isNode(node) && typeof node['name'] === 'string' ? node['name'] : '')

const childrenOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode)
const hasLetters = (text: string) => /[A-Za-z]{2}/.test(text)
function parsed(path: string, text: string): Node {
  const { program, errors } = parseSync(path, text)
  assert.deepEqual(errors, [], path)
  return program as unknown as Node
}

/** The literals that an expression may have as its value: those of its branches and of the parts that it joins. */
function valuesOf(node: Node): string[] {
  const parts = (...names: string[]) => names.flatMap((name) => valuesOf(node[name] as Node))
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? [node['value']] : []
  if (node.type === 'TemplateLiteral') return (node['quasis'] as Node[]).map(({ value }) => (value as { cooked: string }).cooked)
  if (node.type === 'ConditionalExpression') return parts('consequent', 'alternate')
  if (node.type === 'LogicalExpression') return node['operator'] === '&&' ? parts('right') : parts('left', 'right')
  if (node.type === 'BinaryExpression' && node['operator'] === '+') return parts('left', 'right')
  return /^(?:JSXExpressionContainer|ParenthesizedExpression)$/.test(node.type) ? parts('expression') : []
}

/** The text for people of a module: in its markup, in attributes that are read or heard, and in strings that read like a sentence. */
function textsOf(path: string, text: string): string[] {
  const found: string[] = []
  const visit = (node: Node): void => {
    if (node.type.startsWith('Import') || node.type.startsWith('TS')) return
    if (node.type === 'JSXElement' && nameIn((node['openingElement'] as Node)['name']) === 'code') return
    const value = node['value']
    if (node.type === 'JSXText' && hasLetters(String(value))) found.push(String(value).trim())
    if (node.type === 'JSXElement' || node.type === 'JSXFragment')
      for (const child of node['children'] as Node[])
        if (child.type === 'JSXExpressionContainer') found.push(...valuesOf(child).filter((own) => hasLetters(own) && !FORMATS.has(own)))
    if (node.type === 'JSXOpeningElement')
      for (const { name, value: own } of node['attributes'] as Node[])
        if (isNode(own) && isVisible(nameIn(node['name']), nameIn(name)))
          found.push(...valuesOf(own).filter((one) => /[A-Za-z]/.test(one) && !FORMATS.has(one)))
    if (node.type === 'JSXAttribute' && isNode(value) && value.type === 'Literal') return
    if (node.type === 'Literal' && typeof value === 'string' && SENTENCE.test(value) && !FORMATS.has(value)) found.push(value)
    for (const child of childrenOf(node)) visit(child)
  }
  visit(parsed(path, text))
  return found
}

test('the text of the pages is in the catalogue', () => {
  const found = code.flatMap(({ path, text }) => textsOf(path, text).map((literal) => `${path}: ${literal}`))
  assert.deepEqual(found, [])
})

test('a literal in markup, an attribute or a notice is found', () => {
  const source =
    'const a = <p class="a b" title="Old text">{x && <b>Some words</b>} more <code>npm i</code></p>; notify("It is done."); f(`${y} x`)'
  assert.deepEqual(textsOf('a.tsx', source), ['Old text', 'Some words', 'more', 'It is done.'])
  const computed = 'const a = <p title={x ? "Off" : y} class={x ? "old" : "new"}>{x && "Done"}{`${y} lines`}{y === "done"}{f("done")}</p>'
  assert.deepEqual(textsOf('a.tsx', computed), ['Done', ' lines', 'Off'])
})

/** The texts of plural forms that have more in them than the number. */
function mixedForms(path: string, text: string): string[] {
  const found: string[] = []
  const visit = (node: Node): void => {
    const [, forms] = node.type === 'CallExpression' && nameIn(node['callee']) === 'plural' ? (node['arguments'] as Node[]) : []
    if (
      forms &&
      !(forms.type === 'ObjectExpression' && (forms['properties'] as Node[]).every(({ value }) => (value as Node).type === 'Literal'))
    )
      found.push(`${path}: ${text.slice(node['start'] as number, node['end'] as number)}`)
    for (const child of childrenOf(node)) visit(child)
  }
  visit(parsed(path, text))
  return found
}

test('the texts of plural forms are constant: a name in one could have the sign of the number', () => {
  assert.deepEqual(
    files.filter(({ path }) => isMessages(path)).flatMap(({ path, text }) => mixedForms(path, text)),
    [],
  )
  assert.equal(mixedForms('a.ts', "plural(n, { one: `# line of ${film}`, other: '# lines' })").length, 1)
  assert.equal(mixedForms('a.ts', "plural(n, { one: '# line', other: '# lines' })").length, 0)
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
    .filter(({ path }) => isMessages(path))
    .flatMap(({ path, text }) =>
      withoutComments(text)
        .split('\n')
        .filter((line) => AVOIDED.test(line))
        .map((line) => `${path}: ${line.trim()}`),
    )
  assert.deepEqual(found, [])
})
