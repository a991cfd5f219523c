// Joins pieces of running text, such as sentences or segments. Chinese and Japanese are written without blanks. Pure.

// The marks that Chinese shares with other writing count as that of the character beside them.
const STARTS_UNSPACED = /^[“”‘’…—·]{0,4}[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\u30fc\uff00-\uffef]/u
const ENDS_UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\u30fc\uff00-\uffef][“”‘’…—·]{0,4}$/u
/** UTF-16 units of four marks and a character. */
const LONGEST_END = 6

/** True if the text ends in Chinese or Japanese writing. */
export const endsUnspaced = (text: string): boolean => ENDS_UNSPACED.test(text.slice(-LONGEST_END))

/** Separator of two pieces of text: nothing if Chinese or Japanese writing touches the border, else a blank. */
export const blankBetween = (left: string, right: string): string =>
  left === '' || right === '' || STARTS_UNSPACED.test(right) || endsUnspaced(left) ? '' : ' '

/** The pieces, trimmed, with one blank between two of them unless Chinese or Japanese writing touches the border. Empty pieces are left out. */
export function joinPieces(pieces: readonly string[]): string {
  const parts: string[] = []
  for (const piece of pieces) {
    const part = piece.trim()
    if (part === '') continue
    parts.push(blankBetween(parts.at(-1) ?? '', part))
    parts.push(part)
  }
  return parts.join('')
}
