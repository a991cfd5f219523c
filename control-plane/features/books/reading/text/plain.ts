// Plain text: chapters by their headings, without tables of contents and without the frame of Project Gutenberg. Pure.
import { type ReadBook, readChapter, toTitle, visibleText } from '../book.ts'
import type { Block, ChapterDraft, MarkCounts } from '../chapters/block.ts'
import { finishedBook } from '../chapters/finish.ts'
import { FRAME_END, FRAME_START } from '../chapters/gutenberg.ts'
import type { Notes } from '../chapters/notes-setting.ts'
import { isLabel } from '../chapters/titles.ts'
import { WHY } from '../chapters/why.ts'
import { chapterLineOf, isHeading } from './chapter-line.ts'
import { blocksOfLines, proseWidthOf } from './lines.ts'
import { isManuscript, KEPT_TAGS } from './manuscript.ts'

const CONTENTS = /^(?:table of )?contents\.?$|^inhalt(?:sverzeichnis)?$|^table des matières$|^índice$|^indice$|^оглавление$/i
/** Fewer headings in a row can be a part and its first chapter. */
const MIN_CONTENTS = 3
/** UTF-16 units. */
const LONGEST_NAME = 120

const FRAME = 'Project Gutenberg'

/** The text of a manuscript is kept as it is. */
export function readPlainText(written: string, notes: Notes = 'omit'): ReadBook {
  const lines = written.split(/\r\n|[\n\r\u2028\u2029]/)
  const { before, body, after } = withoutFrame(lines)
  /** A field of the header, such as `Title: Walden`. */
  const header = (name: string): string | null => {
    const field = before.find((line) => line.startsWith(`${name}: `))
    return field === undefined ? null : toTitle(field.slice(name.length + 2)) || null
  }
  const about = { title: header('Title'), author: header('Author'), language: header('Language'), cover: null }
  const marks: MarkCounts = { notes: 0, pages: 0 }
  const frame = (part: readonly string[]): ChapterDraft[] => {
    const blocks = blocksOfLines(part, proseWidthOf(part), marks)
    return blocks.length === 0 ? [] : [{ title: FRAME, place: '', isListed: false, blocks, why: WHY.gutenberg }]
  }
  const text = body.join('\n')
  if (isManuscript(text)) {
    const { chapters, skipped } = finishedBook([...frame(before), ...frame(after)], { notes })
    return { ...about, chapters: [readChapter('', visibleText(text).trim()), ...chapters], skipped, notices: [KEPT_TAGS] }
  }
  const drafts = [...frame(before), ...draftsIn(body, contentsOf(body), marks), ...frame(after)]
  return { ...about, ...finishedBook(drafts, { notes, marks }), notices: [] }
}

/** `before`, `after`: the header and the licence of Project Gutenberg with the lines of their borders. */
function withoutFrame(lines: readonly string[]) {
  const start = lines.findIndex((line) => FRAME_START.test(line))
  const end = lines.findIndex((line, at) => at > start && FRAME_END.test(line))
  const from = start + 1
  const to = end < 0 ? lines.length : end
  return { before: lines.slice(0, from), body: lines.slice(from, to), after: lines.slice(to) }
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

/** The name of a chapter in capitals below its number is a heading. */
function withNameAsHeading(title: string, blocks: readonly Block[]): readonly Block[] {
  const [first, ...rest] = blocks
  const isName = first?.kind === 'paragraph' && isLabel(title) && /\p{Lu}/u.test(first.text) && first.text === first.text.toUpperCase()
  return isName && first.text.length <= LONGEST_NAME ? [{ ...first, kind: 'heading', level: 2 }, ...rest] : blocks
}

/** A chapter for each heading, and one that is not read for the contents. */
function draftsIn(lines: readonly string[], contents: ReadonlySet<number>, marks: MarkCounts): ChapterDraft[] {
  const drafts: ChapterDraft[] = []
  const width = proseWidthOf(lines)
  let title = ''
  let body: string[] = []
  let listed: string[] = []
  const add = (own: string, text: readonly string[], why: string | null) => {
    const blocks = withNameAsHeading(own, blocksOfLines(text, width, marks))
    if (own !== '' || blocks.length > 0) drafts.push({ title: own, place: '', isListed: false, blocks, why })
  }
  const end = () => {
    add(title, body, null)
    if (listed.length > 0)
      add(
        'Contents',
        listed.flatMap((line) => [line, '']),
        WHY.contents,
      )
    body = []
    listed = []
  }
  for (const [at, line] of lines.entries()) {
    if (contents.has(at)) {
      if (!CONTENTS.test(line.trim())) listed.push(line)
    } else if (isHeading(line, !isBlank(lines[at - 1]), !isBlank(lines[at + 1]))) {
      end()
      title = toTitle(line)
    } else body.push(line)
  }
  end()
  return drafts
}
