// First letters of paragraphs that are blocks of their own. Pure.
import type { Block } from './block.ts'

const LETTER = /^["“„‘«»¿¡]?\p{Lu}\p{M}?$/u
const GOES_ON = /^['’]?\p{Ll}/u

/** The blocks with each letter that stands alone joined to the rest of its word. */
export function joinedLetters(blocks: readonly Block[]): Block[] {
  const joined: Block[] = []
  for (const block of blocks) {
    const last = joined.at(-1)
    if (last?.kind === 'paragraph' && LETTER.test(last.text) && block.kind === 'paragraph' && goesOn(last.text, block.text))
      joined[joined.length - 1] = { ...block, text: `${last.text}${isWord(last.text, block.text) ? ' ' : ''}${block.text}` }
    else joined.push(block)
  }
  return joined
}

/** False for the entries of a glossary below their letter: a word rarely begins with a letter twice. */
const goesOn = (letter: string, text: string): boolean =>
  GOES_ON.test(text) && text.replace(/^['’]/, '')[0] !== letter.at(-1)!.toLowerCase()

/** Words that follow the English words of one letter. */
const AFTER: Readonly<Record<string, RegExp>> = {
  I: /^(?:am|was|had|have|do|did|will|would|could|can|think|thought|saw|know|knew|went|never|should|must|remember|wish|said|felt|met|came|left)(?!\p{L})/u,
  A: /^(?:man|woman|few|great|small|little|long|young|large|new|good|day|year|week|certain|single|boy|girl|cold|dark|strange)(?!\p{L})/u,
}
const isWord = (letter: string, rest: string): boolean => AFTER[letter.at(-1)!]?.test(rest) ?? false
