// Markdown: as the page that it makes, without programs and pictures. Pure.
import { lexer, Marked, type Tokens } from 'marked'
import { type OmittedPart, type ReadBook, readChapter, toTitle, visibleText } from '../book.ts'
import type { Notes } from '../chapters/notes-setting.ts'
import { chaptersOfDocument } from '../markup/document.ts'
import { parseMarkup } from '../markup/markup.ts'
import { hasScriptTags, KEPT_TAGS } from './manuscript.ts'

const FRONT_MATTER = '---'
const FOOTNOTE = /^\[\^([^\]\n]{1,80})\]:[ \t]{0,9}/
const FOOTNOTE_MARK = /\[\^([^[\]\n]{1,80})\]/g
const LONGEST_FRONT_MATTER = 200
const CODE = 'A block of code is not read.'

/** A manuscript with tags of voices, pauses or styles is kept as it is. */
export function readMarkdown(written: string, notes: Notes = 'omit'): ReadBook {
  const { field, lines } = withoutFrontMatter(written.split(/\r\n|[\n\r\u2028\u2029]/))
  const about = { title: field('title'), author: field('author'), language: field('lang') ?? field('language'), cover: null }
  const text = lines.join('\n')
  if (hasScriptTags(text)) return { ...about, chapters: [readChapter('', visibleText(text).trim())], skipped: [], notices: [KEPT_TAGS] }
  const unread: OmittedPart[] = []
  const marked = new Marked({
    renderer: {
      image: () => '',
      code: ({ text: code }: Tokens.Code) => {
        unread.push({ title: toTitle(code.slice(0, 80)), why: CODE })
        return ''
      },
    },
  })
  const source = withFootnotes(lines)
  const depths = lexer(source).flatMap((token) => (token.type === 'heading' ? [(token as Tokens.Heading).depth] : []))
  const root = parseMarkup(`<!doctype html><body>${marked.parse(source, { async: false })}</body>`)
  // A file whose highest heading is the second level has its chapters there.
  const deepest = Math.max(1, Math.min(2, ...depths))
  return { ...about, ...chaptersOfDocument(root, { notes, deepest, unread }), notices: [] }
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

/** The text with marks of notes as links, and with the notes as parts at its end. A definition goes on in indented lines. */
function withFootnotes(lines: readonly string[]): string {
  const ids = new Map<string, number>()
  const notes: string[] = []
  const text: string[] = []
  let isInNote = false
  for (const line of lines) {
    const label = FOOTNOTE.exec(line)
    if (label) {
      const id = ids.get(label[1]!) ?? ids.size + 1
      ids.set(label[1]!, id)
      notes.push('', `<aside epub:type="footnote" id="note-${id}">`, '', line.slice(label[0].length))
    } else if (isInNote && /^[ \t]+\S/.test(line)) notes.push(line.trim())
    else text.push(line)
    if (isInNote && !label && !/^[ \t]+\S/.test(line)) notes.push('', '</aside>')
    else if (isInNote && label) notes.splice(-4, 0, '', '</aside>')
    isInNote = label !== null || (isInNote && /^[ \t]+\S/.test(line))
  }
  if (isInNote) notes.push('', '</aside>')
  const linked = (each: string) =>
    each.replaceAll(FOOTNOTE_MARK, (_, name: string) => (ids.has(name) ? `<sup><a href="#note-${ids.get(name)}">*</a></sup>` : ''))
  return [...text.map(linked), '', ...notes].join('\n')
}
