// A second language of the pages, made of the English catalogue: each text in brackets, and the plural forms of Polish, each with its name before
// the text.
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync } from 'rolldown/utils'
import { ROOT } from '../world/process.ts'

const ENGLISH = join(ROOT, 'control-plane/web/messages/en')
/** The forms of whole numbers, and of the others. */
export const FORMS = ['one', 'few', 'many', 'other'] as const

const LANGUAGE = `// Polish.
import { languageOf } from '#control-plane/web/messages/language.ts'

export const { lang, name, direction, plural, grouped, decimal, list, day } = languageOf({
  lang: 'pl',
  name: 'Polski',
  forms: ${JSON.stringify(FORMS)},
  marks: { decimal: ',', list: ', ', groups: '\u00a0' },
  groupsFrom: 10_000,
})
`

type Node = { readonly type: string; readonly start: number; readonly end: number; readonly [field: string]: unknown }
type Edit = { readonly at: number; readonly end: number; readonly text: string }
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value
const nameOf = (node: unknown) => (isNode(node) && 'name' in node ? node['name'] : undefined)
const isText = (node: unknown): node is Node & { value: string } =>
  isNode(node) && node.type === 'Literal' && typeof node['value'] === 'string'
const quoted = (text: string) => JSON.stringify(text)

/** The texts among the values that an expression may have. */
function textsIn(node: unknown): (Node & { value: string })[] {
  if (isText(node)) return [node]
  if (!isNode(node)) return []
  if (node.type === 'ParenthesizedExpression') return textsIn(node['expression'])
  return node.type === 'ConditionalExpression' ? [...textsIn(node['consequent']), ...textsIn(node['alternate'])] : []
}

function translated(path: string, source: string): string {
  const edits: Edit[] = []
  const bracket = (node: unknown) => {
    for (const { start, end, value } of textsIn(node)) edits.push({ at: start, end, text: quoted(`[${value}]`) })
  }
  const visit = (node: Node): void => {
    if (node.type === 'CallExpression' && nameOf(node['callee']) === 'plural') {
      const forms = (node['arguments'] as Node[])[1]!
      const texts = new Map(
        (forms['properties'] as Node[]).map(({ key, value }) => [nameOf(key), (value as unknown as { value: string }).value]),
      )
      const rows = FORMS.map((form) => `${form}: ${quoted(`${form}: ${texts.get(form) ?? texts.get('other')}`)}`)
      edits.push({ at: forms.start, end: forms.end, text: `{ ${rows.join(', ')} }` })
      return
    }
    if (node.type === 'Property') bracket(node['value'])
    if (node.type === 'ArrowFunctionExpression') bracket(node['body'])
    if (node.type === 'TemplateLiteral')
      edits.push({ at: node.start + 1, end: node.start + 1, text: '[' }, { at: node.end - 1, end: node.end - 1, text: ']' })
    for (const child of Object.values(node).flat()) if (isNode(child)) visit(child)
  }
  visit(parseSync(path, source).program as unknown as Node)
  return edits.toSorted((a, b) => b.at - a.at).reduce((text, { at, end, text: own }) => text.slice(0, at) + own + text.slice(end), source)
}

/** Writes the catalogue into `folder`. */
export function makeSecondLanguage(folder: string): void {
  for (const path of globSync('**/*.ts', { cwd: ENGLISH })) {
    const to = join(folder, path)
    mkdirSync(dirname(to), { recursive: true })
    if (path === 'language.ts') writeFileSync(to, LANGUAGE)
    else if (path === 'catalogue.ts') writeFileSync(to, withType(readFileSync(join(ENGLISH, path), 'utf8')))
    else
      writeFileSync(
        to,
        translated(path, readFileSync(join(ENGLISH, path), 'utf8')).replace(
          /'\.\.\/(server|remarks)\.ts'/,
          "'#control-plane/web/messages/$1.ts'",
        ),
      )
  }
}

const withType = (catalogue: string) =>
  `import type { Messages } from '#control-plane/web/messages/messages.ts'\n${catalogue.replace('const catalogue =', 'const catalogue: Messages =')}`
