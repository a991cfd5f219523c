// Cuts the text of a span into segments: what is rendered, cached and resumed as one. Packing restarts at every paragraph of some length, so
// an edit changes the segments of its paragraph only. Lengths are code points.
import { toSentences } from '../sentences.ts'

export type TextSegment = {
  readonly text: string /** True if a paragraph ends here; otherwise a sentence does. */
  readonly endsParagraph: boolean
}

/** A segment grows until it has this length. */
const SHORTEST = 120
/** Length up to which whole sentences are added beyond the shortest. */
const USUAL = 240
const LONGEST = 400
/** Consecutive shorter paragraphs are merged, because short texts make cloned voices unstable. */
const SHORT_PARAGRAPH = 60
/** UTF-16 units: some milliseconds of work. */
const MAX_PARAGRAPH = 20_000

const lengthOf = (text: string): number => {
  let length = 0
  for (const _ of text) length++
  return length
}

/** True if the text has so many code points. A paragraph of megabytes is not counted. */
const isAtLeast = (text: string, length: number): boolean => text.length >= 2 * length || lengthOf(text) >= length

/** One by one, because a book is too long for one turn of the event loop. `text`: paragraphs are separated by blank lines. */
export function* textSegments(text: string): Generator<TextSegment> {
  let short: string[] = []
  function* pack(paragraph: string): Generator<TextSegment> {
    const pieces = shortened(paragraph)
    for (let next = pieces.next(); !next.done; ) {
      const packed = packSentences(next.value)
      next = pieces.next()
      for (const [i, text] of packed.entries()) yield { text, endsParagraph: next.done === true && i === packed.length - 1 }
    }
  }
  function* packShort(): Generator<TextSegment> {
    if (short.length > 0) yield* pack(short.join(' '))
    short = []
  }
  for (const paragraph of paragraphsOf(text)) {
    const trimmed = paragraph.trim()
    if (trimmed === '') continue
    if (isAtLeast(trimmed, SHORT_PARAGRAPH)) {
      yield* packShort()
      yield* pack(trimmed)
      continue
    }
    if (lengthOf([...short, trimmed].join(' ')) > SHORTEST) yield* packShort()
    short.push(trimmed)
  }
  yield* packShort()
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

/** A paragraph of usual length, or the pieces of a very long one, which end with a sentence or a word where there is one. */
function* shortened(paragraph: string): Generator<string> {
  let from = 0
  while (paragraph.length - from > MAX_PARAGRAPH) {
    const window = paragraph.slice(from, from + MAX_PARAGRAPH)
    const sentence = Math.max(window.lastIndexOf('. '), window.lastIndexOf('.\n'), window.lastIndexOf('。'))
    const end = sentence > 0 ? sentence : Math.max(window.lastIndexOf(' '), window.lastIndexOf('\n'))
    const length = end > 0 ? end + 1 : MAX_PARAGRAPH - (isHighSurrogate(window) ? 1 : 0)
    yield window.slice(0, length)
    from += length
  }
  yield paragraph.slice(from)
}
const isHighSurrogate = (text: string): boolean => /[\ud800-\udbff]$/.test(text)

function packSentences(paragraph: string): string[] {
  const packed: string[] = []
  let current = ''
  for (const sentence of toSentences(paragraph).flatMap(inPieces)) {
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
    const head = characters.slice(from, from + LONGEST)
    const clause = head.findLastIndex((character) => /[,;:—–，、；：]/.test(character))
    const blank = head.findLastIndex((character) => /\s/.test(character))
    const length = clause >= SHORTEST ? clause + 1 : blank >= SHORTEST ? blank + 1 : LONGEST
    pieces.push(head.slice(0, length).join('').trim())
    from += length
  }
  return [...pieces, characters.slice(from).join('').trim()].filter((piece) => piece !== '')
}
