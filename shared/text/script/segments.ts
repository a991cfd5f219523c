// Cuts the text of a span into segments: what is rendered, cached and resumed as one. Packing restarts at every paragraph of some length, so
// an edit changes the segments of its paragraph only. Lengths are code points.
import { toSentences } from '../sentences.ts'

export type TextSegment = {
  readonly text: string /** Whether a paragraph ends here; otherwise a sentence does. */
  readonly endsParagraph: boolean
}

/** A segment grows until it has this length. */
const SHORTEST = 120
/** Beyond the shortest, whole sentences are added up to this length. */
const USUAL = 240
const LONGEST = 400
/** Consecutive shorter paragraphs are merged, because short texts make cloned voices unstable. */
const SHORT_PARAGRAPH = 60

const lengthOf = (text: string): number => {
  let length = 0
  for (const _ of text) length++
  return length
}

/** `text`: paragraphs are separated by blank lines. */
export function toTextSegments(text: string): TextSegment[] {
  const segments: TextSegment[] = []
  let short: string[] = []
  const pack = (paragraph: string) => {
    const packed = packSentences(paragraph)
    segments.push(...packed.map((text, at) => ({ text, endsParagraph: at === packed.length - 1 })))
  }
  const packShort = () => {
    if (short.length > 0) pack(short.join(' '))
    short = []
  }
  for (const paragraph of text.split(/\n[^\S\n]*(?:\n[^\S\n]*)+/)) {
    const trimmed = paragraph.trim()
    if (trimmed === '') continue
    if (lengthOf(trimmed) >= SHORT_PARAGRAPH) {
      packShort()
      pack(trimmed)
      continue
    }
    if (lengthOf([...short, trimmed].join(' ')) > SHORTEST) packShort()
    short.push(trimmed)
  }
  packShort()
  return segments
}

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
