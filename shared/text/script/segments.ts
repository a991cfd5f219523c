// Cuts the text of a span into segments: what is rendered, cached and resumed as one. No segment has text of two paragraphs, lines or cells, so
// that each has its pause, and an edit changes the segments of its paragraph only. Lengths are code points.
import { joinPieces } from '../join-pieces.ts'
import { endsSentence } from '../segmentation/borders.ts'
import type { SentenceRules } from '../segmentation/language.ts'
import { sentenceRulesOf } from '../segmentation/rules-of.ts'
import { toSentences } from '../sentences.ts'
import type { ParagraphKind } from './line.ts'
import { linesOfParagraph } from './prose-lines.ts'

export type TextSegment = {
  /** Empty for a scene break. */
  readonly text: string
  readonly kind: ParagraphKind
  /** Border after it. A line is an item of a list, a verse or a table row; a paragraph is the whole of them. */
  readonly end: 'sentence' | 'cell' | 'line' | 'paragraph'
}

/** A segment grows until it has this length. */
const SHORTEST = 120
/** Length up to which whole sentences are added beyond the shortest. */
const USUAL = 240
const LONGEST = 400
const FULL = /[。！？]/
const STOP = /[.!?…]/
const CLAUSE = /[,;:—–]/
const WIDE_CLAUSE = /[—，、；：]/
/** UTF-16 units after a stop in which the next word is seen. */
const SEEN = 64
/** Stops that are looked at, because a text may have nothing else. */
const MAX_STOPS = 500
/** UTF-16 units: some milliseconds of work. */
const MAX_PARAGRAPH = 20_000

const lengthOf = (text: string): number => {
  let length = 0
  for (const _ of text) length++
  return length
}

/**
 * One by one, because a book is too long for one turn of the event loop. `text`: paragraphs are separated by blank lines, cells of table rows by
 * tabs. `kinds`: of the paragraphs; one without is a `paragraph`. `language`: as for `toSentences`.
 */
export function* textSegments(text: string, kinds: readonly ParagraphKind[], language: string): Generator<TextSegment> {
  let at = 0
  for (const paragraph of paragraphsOf(text)) {
    if (paragraph.trim() === '') continue
    yield* paragraphSegments(paragraph.trim(), kinds[at++] ?? 'paragraph', language)
  }
}

function* paragraphSegments(paragraph: string, kind: ParagraphKind, language: string): Generator<TextSegment> {
  if (kind === 'sceneBreak') {
    yield { text: '', kind, end: 'paragraph' }
    return
  }
  const { lines, end } = linesIn(paragraph, kind)
  for (let next = lines.next(); !next.done; ) {
    const cells = kind === 'tableRow' ? next.value.split('\t').filter((cell) => cell.trim() !== '') : [next.value]
    next = lines.next()
    for (const [cell, words] of cells.entries()) {
      const pieces = shortened(words.trim(), language)
      for (let piece = pieces.next(); !piece.done; ) {
        const packed = packSentences(piece.value, language)
        piece = pieces.next()
        for (const [i, text] of packed.entries()) {
          const isWhole = piece.done === true && i === packed.length - 1
          yield { text, kind, end: !isWhole ? 'sentence' : cell < cells.length - 1 ? 'cell' : next.done ? 'paragraph' : end }
        }
      }
    }
  }
}

/** The lines of a paragraph that stand for themselves, or all of them as one. `end`: what the lines before the last one end. */
function linesIn(paragraph: string, kind: ParagraphKind): { readonly lines: Generator<string>; readonly end: 'line' | 'paragraph' } {
  if (kind === 'listItem' || kind === 'verse' || kind === 'tableRow') return { lines: linesOf(paragraph), end: 'line' }
  const layout = paragraph.includes('\n') ? linesOfParagraph(linesOf(paragraph)) : 'wrapped'
  if (layout === 'paragraphs') return { lines: linesOf(paragraph), end: 'paragraph' }
  // The parser has found no verse in other paragraphs, of which this may be a part.
  if (layout === 'verse' && kind === 'quotation') return { lines: linesOf(paragraph), end: 'line' }
  return { lines: whole(layout === 'wrapped' ? joinPieces([...linesOf(paragraph)]) : paragraph), end: 'paragraph' }
}

function* whole(paragraph: string): Generator<string> {
  yield paragraph
}

function* linesOf(paragraph: string): Generator<string> {
  for (let from = 0; from <= paragraph.length; ) {
    const end = paragraph.indexOf('\n', from)
    const line = paragraph.slice(from, end < 0 ? undefined : end)
    if (line.trim() !== '') yield line
    if (end < 0) return
    from = end + 1
  }
}

/** Between blank lines, one by one. */
function* paragraphsOf(text: string): Generator<string> {
  let from = 0
  // Without a repeated group, each repetition of which takes memory of the matcher: megabytes of blank lines exceed its limit.
  for (const { index, 0: border } of text.matchAll(/\n[^\S\n]*\n\s*/g)) {
    yield text.slice(from, index)
    from = index + border.length
  }
  yield text.slice(from)
}

/** A paragraph of usual length, or the pieces of a very long one, which end with a sentence, a clause or a word where there is one. */
function* shortened(paragraph: string, language: string): Generator<string> {
  let from = 0
  const rules = sentenceRulesOf(language)
  while (paragraph.length - from > MAX_PARAGRAPH) {
    const window = paragraph.slice(from, from + MAX_PARAGRAPH)
    const length = sentencesEnd(window, rules) || clauseEnd(window) || blankEnd(window) || MAX_PARAGRAPH - (isHighSurrogate(window) ? 1 : 0)
    yield window.slice(0, length)
    from += length
  }
  yield paragraph.slice(from)
}
/** Length of the text up to its last sentence end, of which the next word is seen; 0 without one. */
function sentencesEnd(text: string, rules: SentenceRules): number {
  for (let at = text.length - SEEN, stops = 0; at > 0 && stops < MAX_STOPS; at--) {
    const mark = text[at]!
    if (FULL.test(mark)) return at + 1
    if (STOP.test(mark) && ++stops && endsSentence(text, at, rules)) return at + 1
  }
  return 0
}
const clauseEnd = (text: string): number => 1 + lastWhere(text, 0, isClauseEnd)
const blankEnd = (text: string): number => 1 + lastWhere(text, 0, (characters, at) => /\s/.test(characters[at]!))
const isHighSurrogate = (text: string): boolean => /[\ud800-\udbff]$/.test(text)

function packSentences(paragraph: string, language: string): string[] {
  const packed: string[] = []
  let current = ''
  for (const sentence of toSentences(paragraph, language).flatMap(inPieces)) {
    const joined = current === '' ? sentence : `${current} ${sentence}`
    const length = lengthOf(joined)
    const fits = length <= (lengthOf(current) < SHORTEST ? LONGEST : USUAL)
    if (current !== '' && !fits) packed.push(current)
    current = current !== '' && !fits ? sentence : joined
  }
  return current === '' ? packed : [...packed, current]
}

/** A sentence that is too long, cut after clause marks, else at blanks, else anywhere. */
function inPieces(sentence: string): string[] {
  if (lengthOf(sentence) <= LONGEST) return [sentence]
  const pieces: string[] = []
  const characters = [...sentence]
  let from = 0
  while (characters.length - from > LONGEST) {
    // One more, because a mark ends a clause by what follows it.
    const head = characters.slice(from, from + LONGEST + 1)
    const clause = lastWhere(head, SHORTEST, isClauseEnd)
    const blank = lastWhere(head, SHORTEST, (all, at) => /\s/.test(all[at]!))
    const length = clause >= 0 ? clause + 1 : blank >= 0 ? blank + 1 : LONGEST
    pieces.push(head.slice(0, length).join('').trim())
    from += length
  }
  return [...pieces, characters.slice(from).join('').trim()].filter((piece) => piece !== '')
}

type Characters = { readonly length: number; readonly [at: number]: string }
/** A mark that ends a clause, but not the comma of a number. */
const isClauseEnd = (characters: Characters, at: number): boolean =>
  WIDE_CLAUSE.test(characters[at]!) || (CLAUSE.test(characters[at]!) && /\s/.test(characters[at + 1] ?? ''))

/** The last place from `least` on, before the last character; -1 without one. */
function lastWhere(characters: Characters, least: number, fits: (characters: Characters, at: number) => boolean): number {
  for (let at = characters.length - 2; at >= least; at--) if (fits(characters, at)) return at
  return -1
}
