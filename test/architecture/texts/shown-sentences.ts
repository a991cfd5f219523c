// Finds the sentences that a module of the studio or of an engine writes for people, by the places into which they are put.
import { parseSync } from 'rolldown/utils'
import type { Source } from '../source.ts'

export type Written = { readonly path: string; readonly sentence: string }
type Node = { readonly type: string; readonly [field: string]: unknown }

/** Fields, variables and functions whose words a page shows. */
const PLACES = /^(?:\w*[nN]otices?|\w*[wW]arnings?|\w*[rR]emarks?|\w*[hH]int|detail|stage|reasons?|information|why|routing_reason|notes?)$/
/** Calls whose arguments a page shows. The first two of a check are its id and its name, which have tables of their own. */
const CALLS: Readonly<Record<string, number>> = { noticeOf: 0, checkRow: 2, warn: 0, note: 0 }
/** Fields of modules that write notices and warnings about the studio itself. */
const OWNER = /\/(?:notices\.rules|storage\.service)\.ts$/
const OWNER_PLACES = /^(?:title|message)$/

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value
const childrenOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode)

function nameOf(node: unknown): string {
  if (!isNode(node)) return ''
  if (node.type === 'Identifier') return String(node['name'])
  if (node.type === 'Literal') return String(node['value'])
  return node.type === 'MemberExpression' ? nameOf(node['property']) : ''
}

/** `{}` stands for each value. */
function textOf(node: Node): string | null {
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? node['value'] : null
  if (node.type !== 'TemplateLiteral') return null
  return (node['quasis'] as Node[]).map(({ value }) => (value as { cooked: string }).cooked).join('{}')
}

/** Two words or more: one alone is an id. */
const isSentence = (text: string) => /[A-Za-z]{2,} /.test(text) && /[a-z]/.test(text)

/** Names of values -> what they are declared as in the module. */
function declaredIn(program: Node): Map<string, Node> {
  const found = new Map<string, Node>()
  const visit = (node: Node): void => {
    if (node.type === 'VariableDeclarator' && isNode(node['init'])) found.set(nameOf(node['id']), node['init'])
    if (node.type === 'FunctionDeclaration' && isNode(node['body'])) found.set(nameOf(node['id']), node['body'])
    for (const child of childrenOf(node)) visit(child)
  }
  visit(program)
  return found
}

export function sentencesIn({ path, text }: Source): Written[] {
  const { program } = parseSync(path, text)
  const root = program as unknown as Node
  const declared = declaredIn(root)
  const followed = new Set<Node>()
  const found = new Set<string>()
  const isPlace = (name: string) => PLACES.test(name) || (OWNER.test(path) && OWNER_PLACES.test(name))
  const all = (nodes: unknown, isShown: boolean): void => {
    for (const node of [nodes].flat()) if (isNode(node)) visit(node, isShown)
  }

  function call(node: Node, isShown: boolean): void {
    const callee = node['callee'] as Node
    const name = nameOf(callee)
    // A failure has a code, and its texts are in the table of failures. The log is for the owner.
    if (node.type === 'NewExpression' && /(?:Failure|Error)$/.test(name)) return
    const object = callee.type === 'MemberExpression' ? nameOf(callee['object']) : ''
    if (/^(?:log|logger|console)$/.test(object)) return
    const from = Object.hasOwn(CALLS, name) ? CALLS[name]! : name === 'push' && isPlace(object) ? 0 : null
    all(callee, isShown && callee.type === 'Identifier')
    for (const [at, argument] of (node['arguments'] as Node[]).entries()) all(argument, from === null ? isShown : at >= from)
  }

  function visit(node: Node, isShown: boolean): void {
    if (node.type.startsWith('Import') || (node.type.startsWith('TS') && !/As|Satisfies|NonNull/.test(node.type))) return
    const own = textOf(node)
    if (own !== null && isShown && isSentence(own)) found.add(own)
    if (node.type === 'CallExpression' || node.type === 'NewExpression') return call(node, isShown)
    // A comparison.
    if (node.type === 'BinaryExpression' && node['operator'] !== '+') return
    const name = nameOf(node.type === 'MemberExpression' ? node['object'] : node)
    const target = isShown && /^(?:Identifier|MemberExpression)$/.test(node.type) ? declared.get(name) : undefined
    if (target && !followed.has(target)) {
      followed.add(target)
      return visit(target, true)
    }
    const [key, value] =
      node.type === 'Property' ? [node['key'], node['value']] : [node['id'] ?? node['left'], node['init'] ?? node['right']]
    if (node.type === 'Property') {
      const isFunction = isNode(value) && value.type === 'ArrowFunctionExpression'
      return all(value, isPlace(nameOf(key)) || (isShown && !isFunction))
    }
    if (node.type === 'VariableDeclarator' || node.type === 'AssignmentExpression') return all(value, isPlace(nameOf(key)))
    if (node.type === 'FunctionDeclaration') return all(node['body'], isPlace(nameOf(node['id'])))
    for (const child of childrenOf(node)) visit(child, isShown)
  }

  visit(root, false)
  return [...found].map((sentence) => ({ path, sentence }))
}
