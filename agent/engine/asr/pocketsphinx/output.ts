// Parses the output of the pocketsphinx programs to words and seconds. Pure.

import type { AsrSegment } from '#shared/operations/asr.ts'
import type { Word } from '#shared/operations/limits.ts'
import { trimOf } from '#shared/text/trim.ts'

const WORD_LINE = /^(\S+) (\d+\.\d+) (\d+\.\d+) \d+(?:\.\d+)?(?:e[+-]?\d+)?$/
const FRAMES_PER_SECOND = 100

/** The word of a token; null for silence, noise and sentence marks. `read(2)` is a second pronunciation of `read`. */
const wordOf = (token: string): string | null => (/^[<[+]/.test(token) ? null : token.replace(/\(\d+\)$/, ''))

/** Parses the output of the recogniser line by line: a line of text, then one line per word. */
export function createRecognitionParser() {
  const segments: (AsrSegment & { readonly words: Word[] })[] = []
  let words: Word[] = []
  const close = () => {
    if (words.length > 0)
      segments.push({ start: words[0]!.start, end: words.at(-1)!.end, text: words.map(({ word }) => word).join(' '), words })
    words = []
  }
  return {
    /** Returns the seconds of the recording that are recognised so far. */
    push(line: string): number {
      const [, token = '', start = '', end = ''] = WORD_LINE.exec(line) ?? []
      if (token === '') close()
      const word = wordOf(token)
      if (token !== '' && word !== null) words.push({ start: Number(start), end: Number(end), word })
      return Number(end)
    },
    end(): readonly (AsrSegment & { readonly words: Word[] })[] {
      close()
      return segments
    },
  }
}

/** Format: `name S n T n A n L n`, then start frame, two scores and the word for each word, then the last frame. */
export function parseAlignment(line: string): Word[] {
  const fields = line.trim().split(/\s+/)
  const from = fields.indexOf('L') + 2
  const words: Word[] = []
  for (let at = from; from > 1 && at + 4 < fields.length; at += 4) {
    const word = wordOf(fields[at + 3]!)
    if (word !== null) words.push({ start: Number(fields[at]) / FRAMES_PER_SECOND, end: Number(fields[at + 4]) / FRAMES_PER_SECOND, word })
  }
  return words
}

/** The words of a text in the spelling of the dictionary: lower case, without punctuation. */
export const dictionaryWords = (text: string): string[] =>
  text
    .toLowerCase()
    .replaceAll(/[‘’]/g, "'")
    .split(/[^\p{L}\p{N}']+/u)
    .map((word) => trimOf(word, "'"))
    .filter(Boolean)

/** A grammar of exactly these words; the aligner adds silence between them. */
export const alignmentGrammar = (words: readonly string[]): string => `#JSGF V1.0;\ngrammar said;\npublic <said> = ${words.join(' ')};\n`
