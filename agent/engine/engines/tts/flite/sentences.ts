// Cuts clean text into pieces that are spoken one by one: sentences, and parts of sentences that are too long. The cut decides how soon
// the first sound is heard and how soon a cancellation is noticed, because a piece cannot be interrupted.

import { toSentences } from '#shared/text/sentences.ts'

/** In characters of ordinary text: about twenty seconds of speech, which take well under a second to make. */
export const MAX_PIECE_CHARACTERS = 300

/**
 * Non-empty pieces without line breaks, in order, none heavier than `longest` characters of ordinary text.
 * A blank line always ends a sentence, a line break never.
 */
export const toFlitePieces = (text: string, longest: number = MAX_PIECE_CHARACTERS): string[] =>
  toSentences(text)
    .flatMap((sentence) => cut(sentence, longest))
    .filter((piece) => piece !== '')

function cut(sentence: string, longest: number): string[] {
  const pieces: string[] = []
  let rest = sentence
  for (let fits = lengthWithin(rest, longest); fits < rest.length; fits = lengthWithin(rest, longest)) {
    const room = rest.slice(0, fits)
    // A clause mark in the last two thirds sounds best, then any blank; text without blanks is cut wherever it reaches the limit.
    const clause = Math.max(...[', ', '; ', ': '].map((mark) => room.lastIndexOf(mark) + 1))
    const blank = room.lastIndexOf(' ')
    const at = clause > fits / 3 ? clause : blank > 0 ? blank : fits
    pieces.push(rest.slice(0, at).trim())
    rest = rest.slice(at).trim()
  }
  return [...pieces, rest]
}

// A sign is spoken as a word or two, a digit as a word, and a very long "word" letter by letter; three hundred of them in one piece would
// block the host for many seconds. The weights are their spoken lengths over that of a letter in a word.
const SIGN_WEIGHT = 10
const DIGIT_WEIGHT = 5
const SPELLED_WEIGHT = 6
const LONGEST_WORD = 20

function lengthWithin(text: string, longest: number): number {
  let weight = 0
  let wordLength = 0
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!
    wordLength = /\s/.test(char) ? 0 : wordLength + 1
    if (/[0-9]/.test(char)) weight += DIGIT_WEIGHT
    else if (/[^A-Za-z\s.,;:!?'"()-]/.test(char)) weight += SIGN_WEIGHT
    else weight += wordLength > LONGEST_WORD ? SPELLED_WEIGHT : 1
    if (weight > longest) return Math.max(1, at)
  }
  return text.length
}
