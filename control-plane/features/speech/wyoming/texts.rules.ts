// Cuts a text into what is spoken at once. Pure.
import { toSentences } from '#shared/text/sentences.ts'

/** UTF-16 units that are spoken at once; POST /v1/audio/speech takes 4,096 characters. */
const PIECE_CHARS = 4_000
/** A sentence without an end is spoken in parts of this length while its text arrives. */
const SENTENCE_CHARS = 1_000

/** False for a text without a letter or a figure, which makes no sound. */
export const hasSound = (text: string): boolean => /[\p{L}\p{N}]/u.test(text)

/** A text as one piece, or as whole sentences where it is longer. `language`: '' if it is not known. */
export function textPieces(text: string, language: string): string[] {
  if (text.length <= PIECE_CHARS) return hasSound(text) ? [text] : []
  const pieces: string[] = []
  let piece = ''
  for (const sentence of toSentences(text, language).flatMap((one) => partsOf(one, PIECE_CHARS))) {
    if (piece !== '' && piece.length + sentence.length >= PIECE_CHARS) {
      pieces.push(piece)
      piece = ''
    }
    piece = piece === '' ? sentence : `${piece} ${sentence}`
  }
  return [...pieces, piece].filter(hasSound)
}

/** Cuts after blanks, or anywhere in a text without any. */
function partsOf(text: string, most: number): string[] {
  const parts: string[] = []
  let rest = text
  while (rest.length > most) {
    const blank = rest.lastIndexOf(' ', most)
    // Not between the halves of a surrogate pair.
    const within = /[\uD800-\uDBFF]/.test(rest[most - 1]!) ? most - 1 : most
    const at = blank > 0 ? blank : within
    parts.push(rest.slice(0, at))
    rest = rest.slice(at).trimStart()
  }
  return [...parts, rest]
}

/** Sentences of a text that arrives in chunks. A sentence is complete when the next one has begun. */
export function createSentenceCutter(language: string) {
  let rest = ''
  return {
    add(chunk: string): string[] {
      rest += chunk
      const sentences = toSentences(rest, language)
      const last = sentences.pop() ?? ''
      // Blanks at the end belong to the text: the next chunk may begin with a word.
      const blanks = rest.slice(rest.trimEnd().length)
      const [unfinished, ...begun] = partsOf(last, SENTENCE_CHARS).reverse()
      rest = sentences.length > 0 || begun.length > 0 ? `${unfinished}${blanks}` : rest
      return [...sentences, ...begun.reverse()].filter(hasSound)
    },
    end(): string[] {
      const last = toSentences(rest, language)
      rest = ''
      return last.filter(hasSound)
    },
  }
}
