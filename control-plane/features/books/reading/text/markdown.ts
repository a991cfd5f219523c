// Markdown: only what a reader would read aloud. Pure.
import { lexer, type Token, type Tokens } from 'marked'
import { type ReadBook, type ReadChapter, toScript, toTitle, visibleText } from '../book.ts'
import { decodeEntities } from './entities.ts'
import { hasScriptTags, KEPT_TAGS } from './manuscript.ts'

const FRONT_MATTER = '---'
const FOOTNOTE = /^\[\^[^\]\n]{1,80}\]:/
const FOOTNOTE_MARK = /\[\^[^[\]\n]{1,80}\]/g
const LONGEST_FRONT_MATTER = 200

/** A manuscript with tags of voices, pauses or styles is kept as it is. */
export function readMarkdown(written: string): ReadBook {
  const { field, lines } = withoutFrontMatter(written.split(/\r\n|[\n\r\u2028\u2029]/))
  const about = { title: field('title'), author: field('author'), language: field('lang') ?? field('language'), cover: null, skipped: [] }
  const text = lines.join('\n')
  if (hasScriptTags(text)) return { ...about, chapters: [{ title: '', text: visibleText(text).trim() }], notices: [KEPT_TAGS] }
  const tokens = lexer(withoutFootnotes(lines).join('\n'))
  const depths = tokens.flatMap((token) => (token.type === 'heading' ? [(token as Tokens.Heading).depth] : []))
  // A file whose highest heading is the second level has its chapters there.
  const chapterDepth = Math.max(1, Math.min(2, ...depths))
  return { ...about, chapters: chaptersIn(tokens, chapterDepth), notices: [] }
}

function withoutFrontMatter(lines: readonly string[]) {
  const isFenced = lines[0]?.replace('\ufeff', '').trimEnd() === FRONT_MATTER
  const end = isFenced ? lines.slice(0, LONGEST_FRONT_MATTER).findIndex((line, at) => at > 0 && line.trimEnd() === FRONT_MATTER) : -1
  const fields = lines.slice(1, Math.max(1, end))
  const field = (name: string): string | null => {
    const value = fields.find((line) => line.toLowerCase().startsWith(`${name}:`))?.slice(name.length + 1)
    return value === undefined ? null : toTitle(value.trim().replaceAll(/^["']|["']$/g, '')) || null
  }
  return { field, lines: lines.slice(end + 1) }
}

/** A definition goes on in indented lines. */
function withoutFootnotes(lines: readonly string[]): string[] {
  let isInNote = false
  return lines.filter((line) => {
    isInNote = FOOTNOTE.test(line) || (isInNote && /^[ \t]+\S/.test(line))
    return !isInNote
  })
}

function chaptersIn(tokens: readonly Token[], chapterDepth: number): ReadChapter[] {
  const chapters: { title: string; paragraphs: string[] }[] = [{ title: '', paragraphs: [] }]
  for (const token of tokens) {
    const heading = token.type === 'heading' ? (token as Tokens.Heading) : null
    if (heading && heading.depth <= chapterDepth) chapters.push({ title: toTitle(inline(heading.tokens)), paragraphs: [] })
    else chapters.at(-1)!.paragraphs.push(...paragraphsOf(token))
  }
  return chapters
    .map(({ title, paragraphs }) => ({ title, text: toScript(paragraphs.filter((each) => each !== '').join('\n\n')) }))
    .filter(({ title, text }) => title !== '' || text !== '')
}

function paragraphsOf(token: Token): string[] {
  switch (token.type) {
    case 'heading':
    case 'paragraph':
      return [inline(token.tokens ?? [])]
    case 'text':
      return [inline(token.tokens ?? [token])]
    case 'blockquote':
      return (token.tokens ?? []).flatMap(paragraphsOf)
    case 'list':
      return (token as Tokens.List).items.flatMap((item) => item.tokens.flatMap(paragraphsOf))
    case 'table': {
      const { header, rows } = token as Tokens.Table
      return [header, ...rows].map((row) => {
        const cells = row.map((cell) => inline(cell.tokens)).filter((cell) => cell !== '')
        return cells.length === 0 ? '' : `${cells.join(', ')}.`
      })
    }
    default: // code, HTML, rules, link definitions
      return []
  }
}

const inline = (tokens: readonly Token[]): string => decodeEntities(tokens.map(textOf).join('')).replaceAll(FOOTNOTE_MARK, '').trim()

function textOf(token: Token): string {
  switch (token.type) {
    case 'image':
    case 'html':
    case 'checkbox':
      return ''
    case 'br':
      return '\n'
    case 'text':
    case 'strong':
    case 'em':
    case 'del':
    case 'link':
      return 'tokens' in token && token.tokens ? token.tokens.map(textOf).join('') : (token as Tokens.Text).text
    default:
      return 'text' in token ? (token as Tokens.Text).text : ''
  }
}
