// Cuts clean text into pieces: sentences, or parts of long sentences. A piece cannot be interrupted, so its length determines the time to
// the first audio and the delay of a cancellation.

import { toSentences } from '#shared/text/sentences.ts'

/** In characters of ordinary text: about twenty seconds of speech, synthesised in well under a second. */
export const MAX_PIECE_CHARACTERS = 300

/**
 * Non-empty pieces of English without line breaks, in order, of at most `maxCharacters` characters of ordinary text.
 */
export const toFlitePieces = (text: string, maxCharacters: number = MAX_PIECE_CHARACTERS): string[] =>
  toSentences(text, 'en')
    .flatMap((sentence) => cut(sentence, maxCharacters))
    .filter((piece) => piece !== '')

function cut(sentence: string, maxCharacters: number): string[] {
  const pieces: string[] = []
  let rest = sentence
  for (let fits = lengthWithin(rest, maxCharacters); fits < rest.length; fits = lengthWithin(rest, maxCharacters)) {
    const room = rest.slice(0, fits)
    // Prefers a clause mark in the last two thirds, then a blank, then the limit.
    const clause = Math.max(...[', ', '; ', ': '].map((mark) => room.lastIndexOf(mark) + 1))
    const blank = room.lastIndexOf(' ')
    const at = clause > fits / 3 ? clause : blank > 0 ? blank : fits
    pieces.push(rest.slice(0, at).trim())
    rest = rest.slice(at).trim()
  }
  return [...pieces, rest]
}

// A symbol is spoken as a word or two, a digit as a word, and a very long "word" letter by letter: three hundred of them in one piece would
// block the host for many seconds. Weights are spoken durations relative to a letter of a word.
const SIGN_WEIGHT = 10
const DIGIT_WEIGHT = 5
const SPELLED_WEIGHT = 6
const MAX_WORD_LETTERS = 20

function lengthWithin(text: string, maxCharacters: number): number {
  let weight = 0
  let wordLength = 0
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!
    wordLength = /\s/.test(char) ? 0 : wordLength + 1
    if (/[0-9]/.test(char)) weight += DIGIT_WEIGHT
    else if (/[^A-Za-z\s.,;:!?'"()-]/.test(char)) weight += SIGN_WEIGHT
    else weight += wordLength > MAX_WORD_LETTERS ? SPELLED_WEIGHT : 1
    if (weight > maxCharacters) return Math.max(1, at)
  }
  return text.length
}
