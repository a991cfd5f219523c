// Plain text: chapters by their headings, without tables of contents and without the frame of Project Gutenberg. Pure.
import { type OmittedPart, type ReadBook, type ReadChapter, toScript, toTitle, visibleText } from '../book.ts'
import { chapterLineOf, isHeading } from './chapter-line.ts'
import { isManuscript, KEPT_TAGS } from './manuscript.ts'

const START = /^\*{3} ?START OF TH(?:E|IS) PROJECT GUTENBERG/i
const END = /^\*{3} ?END OF TH(?:E|IS) PROJECT GUTENBERG/i
const CONTENTS = /^(?:table of )?contents\.?$|^inhalt(?:sverzeichnis)?$|^table des matières$|^índice$|^indice$|^оглавление$/i
/** Fewer headings in a row can be a part and its first chapter. */
const MIN_CONTENTS = 3

/** The text of a manuscript is kept as it is. */
export function readPlainText(written: string): ReadBook {
  const lines = written.split(/\r\n|[\n\r\u2028\u2029]/)
  const { body, header } = withoutFrame(lines)
  const about = { title: header('Title'), author: header('Author'), language: header('Language'), cover: null }
  const framed: OmittedPart[] =
    body.length < lines.length ? [{ title: 'Project Gutenberg', why: 'The licence around the book is not read.' }] : []
  const text = body.join('\n')
  if (isManuscript(text))
    return { ...about, chapters: [{ title: '', text: visibleText(text).trim() }], skipped: framed, notices: [KEPT_TAGS] }
  const contents = contentsOf(body)
  const skipped = contents.size === 0 ? framed : [...framed, { title: 'Contents', why: 'A table of contents is not read.' }]
  return { ...about, chapters: chaptersIn(body, contents), skipped, notices: [] }
}

function withoutFrame(lines: readonly string[]) {
  const start = lines.findIndex((line) => START.test(line))
  const end = lines.findIndex((line, at) => at > start && END.test(line))
  const before = lines.slice(0, Math.max(0, start))
  /** A field of the header, such as `Title: Walden`. */
  const header = (name: string): string | null => {
    const field = before.find((line) => line.startsWith(`${name}: `))
    return field === undefined ? null : toTitle(field.slice(name.length + 2)) || null
  }
  return { body: lines.slice(start + 1, end < 0 ? lines.length : end), header }
}

const isBlank = (line: string | undefined): boolean => line === undefined || line.trim() === ''

/** Indices of the lines of a table of contents: at least three in a row that name chapters which come again later. */
export function contentsOf(lines: readonly string[]): ReadonlySet<number> {
  const keys = new Map<number, string>()
  const last = new Map<string, number>()
  for (const [at, line] of lines.entries()) {
    const key = chapterLineOf(line)?.key
    if (key === undefined) continue
    keys.set(at, key)
    last.set(key, at)
  }
  const dropped = new Set<number>()
  let run: number[] = []
  let title = -1
  const endRun = () => {
    const earlier = new Set<string>()
    for (const [place, at] of run.length < MIN_CONTENTS ? [] : run.entries()) {
      const key = keys.get(at)!
      // If the last line of a run repeats an earlier line, it is the heading of the first chapter.
      const isFirstChapter = place === run.length - 1 && earlier.has(key)
      if (last.get(key)! > at && !isFirstChapter) dropped.add(at)
      earlier.add(key)
    }
    if (title >= 0 && run.some((at) => dropped.has(at))) dropped.add(title)
    title = -1
    run = []
  }
  for (const [at, line] of lines.entries()) {
    if (keys.has(at)) run.push(at)
    else if (!isBlank(line)) {
      endRun()
      if (CONTENTS.test(line.trim())) title = at
    }
  }
  endRun()
  return dropped
}

function chaptersIn(lines: readonly string[], contents: ReadonlySet<number>): ReadChapter[] {
  const chapters: ReadChapter[] = []
  let title = ''
  let body: string[] = []
  const end = () => {
    const text = toScript(
      body
        .join('\n')
        .replaceAll(/\n{3,}/g, '\n\n')
        .trim(),
    )
    if (title !== '' || text !== '') chapters.push({ title, text })
    body = []
  }
  for (const [at, line] of lines.entries()) {
    if (contents.has(at)) continue
    if (isHeading(line, !isBlank(lines[at - 1]), !isBlank(lines[at + 1]))) {
      end()
      title = toTitle(line)
    } else body.push(line.trimEnd())
  }
  end()
  return chapters
}
