// The paragraphs of an XHTML document, and of every format that becomes such a tree. Pure.
import { toTitle, visibleText } from '../book.ts'
import {
  type Block,
  type BlockKind,
  blockOf,
  CELL_END,
  isSceneBreak,
  type MarkCounts,
  type UnreadPart,
  withoutWrittenMarks,
} from '../chapters/block.ts'
import { HEADING_SEAM, joinSeams } from './heading.ts'
import { formulaOf, pictureOf, rubyOf } from './inline.ts'
import { BLOCKS, holdsLines, isPlainRow } from './layout.ts'
import { silentMarkOf } from './marks.ts'
import { elementsIn, type MarkupElement, textIn } from './markup.ts'
import { classOf, isInvisible, isNoteOmission, omissionIn, unreadIn } from './roles.ts'

export type DocumentBlocks = {
  readonly blocks: readonly Block[]
  /** Text that is seen and in no block: its first words, and why. */
  readonly unread: readonly { readonly words: string; readonly why: string }[]
  /** Marks of notes and pages that are in no block. */
  readonly marks: MarkCounts
}
type Options = {
  /** Name of the document in ids; empty for a book of one document. */
  readonly path?: string
  /** `path#id` of a link; null for one to somewhere else. */
  readonly resolve?: (href: string) => string | null
}

/** Elements whose id names all text in them. */
const NAMED: ReadonlySet<string> = new Set('li p dd aside div td blockquote'.split(' '))
const BREAK_CLASS = /(?:^|[\s_-])(?:scene[-_]?break|section[-_]?break|text[-_]?break|asterism|transition|tb)(?:$|[\s_-])/i
const CODE: ReadonlySet<string> = new Set('code kbd samp tt var pre'.split(' '))
/** A bracket that is no mark of a note. No text of a book contains it. */
const CODE_BRACKET = '\u0005'
const CHARS_BEFORE = 30
/** Level of a paragraph in a group of headings. */
const SUBTITLE = 6

type Context = {
  readonly level: number
  readonly part: UnreadPart | null
  readonly isQuoted: boolean
  readonly isPreformatted: boolean
  /** Brackets are no marks here. */
  readonly isCode: boolean
  readonly inside: readonly string[]
  /** Mark of the next item of a list, which its first block takes. */
  readonly item: { marker: string } | null
  /** Blocks end lines or cells here, not paragraphs. */
  readonly isFlat: '' | 'lines' | 'cells'
  readonly isLink: boolean
}
const OUTERMOST: Context = {
  level: 0,
  part: null,
  isQuoted: false,
  isPreformatted: false,
  isCode: false,
  inside: [],
  item: null,
  isFlat: '',
  isLink: false,
}

/** The part of a paragraph that is read so far. `length`: of its text, 0 until something is said. */
const emptyRun = () => ({
  ...{ pieces: [] as string[], length: 0, ids: [] as string[], starts: [] as string[], notes: [] as string[] },
  ...{ isLabelled: false, linked: 0, descriptions: [] as string[], hasOrnament: false },
})

/**
 * `root`: the tree of the document.
 * Long factory: the walk through the tree and the paragraph that it collects have one lifetime.
 */
export function readBlocks(root: MarkupElement, { path = '', resolve = (href) => href }: Options = {}): DocumentBlocks {
  const blocks: Block[] = []
  /** Parts inside of a sentence, which follow its paragraph. */
  let later: Block[] | null = null
  let waiting: Block[] = []
  const unread: { words: string; why: string }[] = []
  const marks: MarkCounts = { notes: 0, pages: 0 }
  let { pieces, length, ids, starts, notes, isLabelled, linked, descriptions, hasOrnament } = emptyRun()

  function say(text: string, context: Context): void {
    if (text === '') return
    pieces.push(text)
    if (text.trim() === '') return
    length += text.length
    if (context.isLink) linked += text.length
  }
  const lastSaid = (): string => {
    let said = ''
    for (let at = pieces.length - 1; at >= 0 && said.length < CHARS_BEFORE; at--) said = pieces[at]!.slice(-CHARS_BEFORE) + said
    return said.replaceAll(HEADING_SEAM, '')
  }

  function end(context: Context, kind: BlockKind | null = null): void {
    const joined = pieces.join('')
    const said = context.isPreformatted ? joined : withoutWrittenMarks(joined, marks).replaceAll(/[^\S\n]+/g, ' ')
    // Two line breaks are the end of a paragraph.
    const paragraphs = joinSeams(said)
      .replaceAll(CODE_BRACKET, '[')
      .split(/\n[^\S\n]*\n/)
      .map(withTrimmedLines)
      .filter(Boolean)
    // A picture speaks only when it is alone in its paragraph.
    const described = descriptions.join(' ').trim()
    if (paragraphs.length === 0 && described !== '') paragraphs.push(described)
    const target = later ?? blocks
    if (paragraphs.length === 0 && hasOrnament) target.push(blockOf('break', '', { part: context.part }))
    for (const text of paragraphs) {
      const own = kind ?? kindOf(text, context)
      const marker = own === 'item' ? (context.item?.marker ?? '- ') : ''
      if (context.item !== null) context.item.marker = ''
      target.push({
        ...{ kind: own, text: own === 'break' ? '' : text, level: own === 'heading' ? context.level : 0, marker },
        ...{ ids, inside: [...context.inside, ...starts], notes, isLabelled, linked, part: context.part },
      })
      ids = []
      starts = []
      notes = []
      isLabelled = false
      linked = 0
    }
    pieces = []
    length = 0
    descriptions = []
    hasOrnament = false
    if (later !== null) return
    for (const block of waiting) blocks.push(block)
    waiting = []
  }

  /** A note inside of a sentence: its paragraph goes on behind it. */
  function apart(element: MarkupElement, context: Context): void {
    const run = { pieces, length, ids, starts, notes, isLabelled, linked, descriptions, hasOrnament }
    ;({ pieces, length, ids, starts, notes, isLabelled, linked, descriptions, hasOrnament } = emptyRun())
    later = waiting
    readChildren(element, context)
    end(context)
    later = null
    ;({ pieces, length, ids, starts, notes, isLabelled, linked, descriptions, hasOrnament } = run)
  }

  function kindOf(text: string, { level, item, isQuoted }: Context): BlockKind {
    if (isSceneBreak(text)) return 'break'
    if (level > 0) return 'heading'
    if (item !== null && item.marker !== '') return 'item'
    if (isQuoted) return 'quotation'
    return text.includes('\n') ? 'verse' : 'paragraph'
  }

  function visit(element: MarkupElement, outer: Context): void {
    const { name, attributes } = element
    const isBlock = BLOCKS.has(name)
    if (isBlock && outer.isFlat === '') end(outer)
    else if (isBlock) pieces.push(outer.isFlat === 'lines' && length > 0 ? '\n' : ' ')
    const id = attributes.get('id') ?? (name === 'a' ? attributes.get('name') : undefined)
    if (id !== undefined) {
      ids.push(id)
      if (length === 0) starts.push(`${path}#${id}`)
    }
    if (isInvisible(element)) return
    const mark = silentMarkOf(element, { isHeading: outer.level > 0, isAtStart: length === 0, before: lastSaid() })
    if (mark !== null) {
      if (mark.kind === 'page') marks.pages++
      else marks.notes++
      if (mark.kind === 'label') isLabelled = true
      for (const each of elementsIn(element)) {
        const inner = each.attributes.get('id')
        if (inner !== undefined) ids.push(inner)
      }
      const note = mark.kind === 'note' && mark.href !== null ? resolve(mark.href) : null
      if (note !== null) notes.push(note)
      return
    }
    const hidden = unreadIn(element)
    if (hidden !== null) {
      if (/[\p{L}\p{N}]/u.test(hidden.words)) unread.push(hidden)
      return
    }
    switch (name) {
      case 'br':
        return void pieces.push(outer.isFlat === 'cells' ? ' ' : '\n')
      case 'hr':
        return void (later ?? blocks).push(blockOf('break', '', { part: outer.part }))
      case 'img':
        return picture(element, outer)
      case 'math':
        return say(formulaOf(element), outer)
      case 'ruby':
        return say(rubyOf(element), outer)
    }
    const context = contextOf(element, outer, id)
    const isApart = context.part !== outer.part && (!isBlock || outer.isFlat !== '')
    if (isApart && later === null) return apart(element, context)
    const count = blocks.length
    if (name === 'q') say('“', context)
    readChildren(element, context)
    if (name === 'q') say('”', context)
    if (!isBlock) return
    if (outer.isFlat !== '') pieces.push(' ')
    else if (name === 'tr' && context.isFlat === 'cells') end(context, rowKind())
    else {
      if (blocks.length === count && BREAK_CLASS.test(classOf(element))) hasOrnament = true
      end(context)
    }
  }

  /** A row with one cell is a paragraph. */
  function rowKind(): BlockKind | null {
    const cells = pieces
      .join('')
      .split(CELL_END)
      .map((cell) => cell.replaceAll(/\s+/g, ' ').trim())
      .filter(Boolean)
    pieces = [cells.join(CELL_END)]
    return cells.length > 1 ? 'row' : null
  }

  function picture(element: MarkupElement, context: Context): void {
    const found = pictureOf(element)
    if (found.kind === 'letter') say(found.text, context)
    else if (found.kind === 'ornament') hasOrnament = true
    else descriptions.push(found.text)
  }

  function contextOf(element: MarkupElement, outer: Context, id: string | undefined): Context {
    const { name } = element
    const heading = /^h([1-6])$/.exec(name)?.[1]
    const why = outer.part === null ? omissionIn(element) : null
    return {
      level: heading !== undefined ? Number(heading) : name === 'hgroup' ? SUBTITLE : outer.level,
      part: why === null ? outer.part : { why, title: headingIn(element), isNote: isNoteOmission(why) },
      isQuoted: outer.isQuoted || name === 'blockquote',
      isPreformatted: outer.isPreformatted || name === 'pre',
      isCode: outer.isCode || CODE.has(name),
      inside: id !== undefined && NAMED.has(name) ? [...outer.inside.slice(-8), `${path}#${id}`] : outer.inside,
      item: outer.item,
      isFlat: outer.isFlat !== '' ? outer.isFlat : name === 'tr' && isPlainRow(element) ? 'cells' : holdsLines(element) ? 'lines' : '',
      isLink: outer.isLink || (name === 'a' && element.attributes.has('href')),
    }
  }

  function readChildren(element: MarkupElement, context: Context): void {
    const { name, attributes } = element
    const isList = name === 'ol' || name === 'ul'
    let number = Number(attributes.get('start') ?? '1')
    if (!Number.isSafeInteger(number)) number = 1
    for (const [at, child] of element.children.entries()) {
      if (typeof child === 'string') {
        const visible = visibleText(child)
        const text = context.isCode ? visible.replaceAll('[', CODE_BRACKET) : visible
        say(context.isPreformatted ? text.replaceAll(/\r\n?/g, '\n') : text.replaceAll(/\s+/g, ' '), context)
        continue
      }
      const isItem = isList && child.name === 'li'
      visit(child, isItem ? { ...context, item: { marker: name === 'ol' ? `${number++}. ` : '- ' } } : context)
      if (context.isFlat === 'cells' && (child.name === 'td' || child.name === 'th')) pieces.push(CELL_END)
      else if ((child.name === 'td' || child.name === 'th') && context.isFlat === '') pieces.push(' ')
      if (context.level > 0 && typeof element.children[at + 1] === 'object') pieces.push(HEADING_SEAM)
    }
  }

  for (const child of root.children) if (typeof child !== 'string') visit(child, OUTERMOST)
  end(OUTERMOST)
  return { blocks, unread, marks }
}

const withTrimmedLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .trim()

function headingIn(element: MarkupElement): string {
  for (const each of elementsIn(element)) if (/^h[1-6]$/.test(each.name)) return toTitle(textIn(each))
  return toTitle(element.attributes.get('title') ?? element.attributes.get('aria-label') ?? '')
}
