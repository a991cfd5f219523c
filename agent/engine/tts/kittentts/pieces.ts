// Cuts a text into pieces as upstream.
import { toTextPieces } from '#agent/engine/text/text-pieces.ts'
import { toSentences } from '#shared/text/sentences.ts'

export const MAX_KITTEN_CHARACTERS = 400

/** One sentence per piece, because the style of a voice depends on the length of the piece. */
export const toKittenPieces = (text: string): string[] =>
  toSentences(text, 'en').flatMap((sentence) => toTextPieces(sentence, MAX_KITTEN_CHARACTERS, 'en'))
