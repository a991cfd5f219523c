// The words of the web pages: all of them in the strings modules, and none of the old wording.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const FOLDER = join(import.meta.dirname, '../../../control-plane/web')
const files = readdirSync(FOLDER, { withFileTypes: true, recursive: true })
  .filter((entry) => entry.isFile() && /\.(js|html)$/.test(entry.name))
  .map((entry) => join(entry.parentPath, entry.name))
  .map((path) => ({ path: path.slice(FOLDER.length + 1), text: readFileSync(path, 'utf8') }))
const code = files.filter(({ path }) => path.endsWith('.js') && !path.endsWith('strings.js'))

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

type Template = { readonly text: string; readonly code: string }
/** The html`…` templates of a module, nested ones too: their markup with `$` for each expression, and what remains of the code. */
function templatesOf(text: string): { readonly markup: string[]; readonly rest: string } {
  const markup: string[] = []
  function readCode(from: number, isNested: boolean): Template & { readonly end: number } {
    let code = ''
    let depth = 0
    let at = from
    while (at < text.length) {
      if (text.startsWith('html`', at)) {
        at = readTemplate(at + 5, true)
        code += 'html'
      } else if (text[at] === '`') {
        const end = readTemplate(at + 1, false)
        code += text.slice(at, end)
        at = end
      } else {
        if (isNested && text[at] === '}' && depth === 0) break
        if (text[at] === '{') depth++
        if (text[at] === '}') depth--
        code += text[at++]
      }
    }
    return { text: '', code, end: at }
  }
  let nestedCode = ''
  function readTemplate(from: number, isMarkup: boolean): number {
    let own = ''
    let at = from
    while (at < text.length && text[at] !== '`') {
      if (text.startsWith('${', at)) {
        const nested = readCode(at + 2, true)
        nestedCode += `${nested.code}\n`
        own += '$'
        at = nested.end + 1
      } else own += text[at++]
    }
    if (isMarkup) markup.push(own)
    return at + 1
  }
  const { code } = readCode(0, false)
  return { markup, rest: code + nestedCode }
}
const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '')

/** Attributes that a person reads or hears, and properties of components that become text. */
const VISIBLE = /\b(?:aria-label|aria-valuetext|title|alt|placeholder|label|hint|action|send|keep|name)="([^"]*[A-Za-z][^"]*)"/g
/** Placeholders that show a format, and commands in <code>. */
const FORMATS = new Set(['svcnode://…', 'svcj_…'])

function literalsOf(markup: string): string[] {
  const visible = [...markup.matchAll(VISIBLE)].map(([, text = '']) => text).filter((text) => !FORMATS.has(text))
  const texts = markup.replace(/<code[^>]*>[^<]*<\/code>/g, '').replace(/<[^>]*>/g, '\n')
  return [...visible, ...texts.split('\n').filter((text) => /[A-Za-z]{2}/.test(text))]
}
/** String literals that read like a sentence or a label. */
const sentencesOf = (text: string) =>
  [...text.matchAll(/'([^'\n]*)'|"([^"\n]*)"/g)]
    .map(([, single, double]) => single ?? double ?? '')
    .filter((one) => /^[A-Z][a-z]+ [a-z]|^[a-z]+ [a-z]+.*[.…]$|[A-Za-z]+[.…]$/.test(one))

test('the text of the pages is in their strings modules', () => {
  const found = code.flatMap(({ path, text }) => {
    const { markup, rest } = templatesOf(withoutComments(text))
    return [...markup.flatMap(literalsOf), ...sentencesOf(rest)].map((literal) => `${path}: ${literal.trim()}`)
  })
  assert.deepEqual(found, [])
})

test('a literal in a template or a notice is found', () => {
  const source = 'html`<p class="a b" title="Old text">@{x && html`<b>Some words</b>`} more</p>`; notify("It is done."); f(`@{y} x`)'
  const { markup, rest } = templatesOf(source.replaceAll('@', '$'))
  assert.deepEqual(markup.flatMap(literalsOf), ['Some words', 'Old text', '$ more'])
  assert.deepEqual(sentencesOf(rest), ['It is done.'])
})

test('no page has the old wording', () => {
  const found = files.flatMap(({ path, text }) => OLD.filter((old) => withoutComments(text).includes(old)).map((old) => `${path}: ${old}`))
  assert.deepEqual(found, [])
})

test('the words follow the style guide', () => {
  const found = files
    .filter(({ path }) => path.endsWith('strings.js'))
    .flatMap(({ path, text }) =>
      withoutComments(text)
        .split('\n')
        .filter((line) => AVOIDED.test(line))
        .map((line) => `${path}: ${line.trim()}`),
    )
  assert.deepEqual(found, [])
})
