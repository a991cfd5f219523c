// Texts of other programs without the characters that command a terminal or reorder a line. Every text of a peer passes through here when
// it is parsed: it reaches terminals, pages, logs and clients of the API.
import { z } from 'zod'

// Zero-width joiners stay: words of several scripts and many emoji need them.
const NOT_IN_A_LINE = /(?:(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}])+/gu
// Right-to-left marks and the like stay: they are part of texts in some languages, and they reorder nothing beyond their neighbours.
const NOT_IN_A_TEXT = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u206f]+/g

/** A name or a sentence: one line without control or formatting characters. */
export const cleanLine = (text: string): string => text.toWellFormed().replace(NOT_IN_A_LINE, ' ')

/** Cleans spoken or written text, such as a transcript: same as `cleanLine`, but line breaks, tabs and right-to-left marks stay. */
export const cleanLines = (text: string): string => text.toWellFormed().replace(/\r\n?/g, '\n').replace(NOT_IN_A_TEXT, ' ')

/**
 * Text for a terminal: the characters that `cleanLines` removes are escaped as in JSON. JSON keeps its meaning, and in another text they
 * become visible.
 */
export const escapeControls = (text: string): string =>
  text.replace(NOT_IN_A_TEXT, (found) => [...found].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''))

/** A line of at most `most` UTF-16 units. */
export const lineField = (most: number) => z.string().max(most).overwrite(cleanLine)

/** A JSON value whose strings, names of fields included, are cleaned. Its depth is the caller's limit. */
export function cleanJson(value: unknown, clean: (text: string) => string): unknown {
  if (typeof value === 'string') return clean(value)
  if (Array.isArray(value)) return value.map((each) => cleanJson(each, clean))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [clean(name), cleanJson(each, clean)]))
}
