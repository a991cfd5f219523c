// Collects what a manuscript says into chapters and spans. Pure.
import { composed } from '../unicode/compose.ts'
import type { ParagraphKind } from './line.ts'
import { LONGEST_PAUSE_MS } from './pause.ts'
import { createLineCounter } from './prose-lines.ts'
import type { Chapter, ScriptSpan } from './span.ts'
import type { TitleLine } from './title-line.ts'

/** Share of the usual speed. */
const SPEEDS: Readonly<Record<string, number>> = { slow: 0.85, fast: 1.15, emphasis: 0.93, spell: 1 }
/** Pieces that are joined at once: to join a million of them takes a tenth of a second. */
const PIECES_JOINED = 1_024
/** Kinds of several lines, by what they are together. A line after one of the same is in the same paragraph. */
const TOGETHER: Readonly<Partial<Record<ParagraphKind, string>>> = {
  listItem: 'list',
  tableRow: 'table',
  quotation: 'quotation',
  paragraph: 'text',
  dialogue: 'text',
}
/** They go on after an empty line. */
const LOOSE: ReadonlySet<string> = new Set(['list', 'table'])

type Written = { -readonly [K in keyof Omit<ScriptSpan, 'kinds'>]: ScriptSpan[K] } & { kinds: ParagraphKind[] }
type WrittenChapter = TitleLine & { pauseMsBefore: number; readonly spans: Written[] }

/** Long factory: a span ends at any of the marks, and all of them share its state. */
export function createScriptWriter() {
  const chapters: WrittenChapter[] = [{ title: '', included: true, pauseMsBefore: 0, spans: [] }]
  let voice: string | null = null
  let styles: string[] = []
  /** Number of the take; null for the first. */
  let take: number | null = null
  /** Speech since the last span: joined pieces, and pieces. */
  let parts: string[] = []
  let buffer: string[] = []
  let kinds: ParagraphKind[] = []
  let isBlank = true
  /** A paragraph has ended inside the buffer. */
  let isBroken = false
  /** The buffer ends with a line end. */
  let isAtLine = false
  /** The paragraph that is open, or that an empty line has ended; null at the start of a chapter. */
  let block: { readonly kind: ParagraphKind; readonly lines: ReturnType<typeof createLineCounter>; isOpen: boolean } | null = null
  /** Places of the open paragraph in the lists of its spans. */
  let places: { readonly kinds: ParagraphKind[]; readonly at: number }[] = []
  const chapter = () => chapters.at(-1)!
  const spans = () => chapter().spans

  function flush(endsParagraph = isBroken): void {
    if (!isBlank)
      spans().push({
        ...{ voice, text: [...parts, ...buffer].join('').trim(), pauseMsAfter: 0, speed: speedOf(styles) },
        ...{ endsParagraph, endsLine: endsParagraph || isAtLine, kinds },
        ...(take !== null && { take }),
      })
    else if (endsParagraph && spans().length > 0) Object.assign(spans().at(-1)!, { endsParagraph, endsLine: true })
    parts = []
    buffer = []
    kinds = []
    isBlank = true
    isBroken = false
    isAtLine = false
  }

  function border(): void {
    if (block?.isOpen && block.lines.count() > 1 && block.lines.lines() === 'verse') for (const { kinds, at } of places) kinds[at] = 'verse'
    if (block) block.isOpen = false
    places = []
    // A style or take that is still open ends with its paragraph.
    if (isBlank || styles.length > 0 || take !== null) flush(true)
    else isBroken = true
    styles = []
    take = null
  }

  function push(text: string): void {
    buffer.push(text)
    if (buffer.length < PIECES_JOINED) return
    parts.push(buffer.join(''))
    buffer = []
  }

  return {
    chapter({ title, included }: TitleLine): void {
      border()
      flush(true)
      const before = chapter()
      // The silence of a heading without text is that before the next words.
      const pauseMsBefore = before.spans.length === 0 ? before.pauseMsBefore : 0
      if (pauseMsBefore > 0) before.pauseMsBefore = 0
      if (isEmpty(before)) chapters.pop()
      chapters.push({ title: composed(title), included, pauseMsBefore, spans: [] })
      voice = null
      styles = []
      take = null
      block = null
    },
    /** Chapters with a title or words. */
    count: (): number => chapters.length - (isEmpty(chapter()) ? 1 : 0),
    border,
    /** Begins a line of this kind. `isIndented`: it goes on with a list item. */
    line(kind: ParagraphKind, line: string, isIndented: boolean): void {
      const together = TOGETHER[kind]
      const isText = together === 'text'
      if (block?.isOpen && block.kind === 'listItem' && isText && isIndented) return push(' ')
      if (block && together !== undefined && TOGETHER[block.kind] === together && (block.isOpen || LOOSE.has(together))) {
        block.isOpen = true
        isBroken = false
        const last = isBlank ? spans().at(-1) : null
        if (last) last.endsLine = true
        else if (!isAtLine) push('\n')
        isAtLine = !isBlank
        if (isText) block.lines.add(line)
        return
      }
      border()
      block = { kind, lines: createLineCounter(), isOpen: true }
      if (isText) block.lines.add(line)
    },
    say(text: string): void {
      const hasWords = text.trim() !== ''
      if (isBroken && !hasWords) return
      if (hasWords && (isBroken || isBlank)) {
        if (isBroken) push('\n\n')
        places.push({ kinds, at: kinds.length })
        kinds.push(block?.kind ?? 'paragraph')
        isBroken = false
        isBlank = false
      }
      if (hasWords) isAtLine = false
      push(styles.includes('spell') ? spelled(text) : text)
    },
    pause(ms: number): void {
      flush()
      const last = spans().at(-1)
      if (last) last.pauseMsAfter = Math.min(LONGEST_PAUSE_MS, last.pauseMsAfter + ms)
      else chapter().pauseMsBefore = Math.min(LONGEST_PAUSE_MS, chapter().pauseMsBefore + ms)
    },
    voice(name: string): void {
      flush()
      const wanted = name.trim()
      voice = wanted === '' || wanted.toLowerCase() === 'default' ? null : wanted
    },
    /** Null ends a take. */
    take(number: number | null): void {
      if (number === take) return
      flush()
      take = number
    },
    style(name: string, opens: boolean): void {
      const at = styles.lastIndexOf(name)
      if (!opens && at < 0) return
      flush()
      styles = opens ? [...styles, name].slice(-8) : styles.toSpliced(at, 1)
    },
    chapters(): Chapter[] {
      border()
      flush(true)
      const kept = chapters.filter((each) => !isEmpty(each))
      for (const { spans } of kept) for (const span of spans) if (span.kinds.every((kind) => kind === 'paragraph')) span.kinds = []
      return kept
    },
  }
}

const isEmpty = ({ title, spans }: WrittenChapter): boolean => title === '' && spans.length === 0

function speedOf(styles: readonly string[]): number | null {
  const speed = styles.reduce((product, style) => product * SPEEDS[style]!, 1)
  return speed === 1 ? null : Math.round(Math.min(4, Math.max(0.25, speed)) * 1000) / 1000
}

/** The text with a blank between its letters and digits. */
export const spelled = (text: string): string => text.replaceAll(/[\p{L}\p{N}](?=[\p{L}\p{N}\p{M}])\p{M}*/gu, '$& ')
