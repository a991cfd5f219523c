// A foreign file as its reader returns it. Texts of chapters are in the grammar of manuscripts, with everything of the book escaped.

import { escapeScript } from '#shared/text/script/script.ts'
import { composed } from '#shared/text/unicode/compose.ts'

export type ReadChapter = {
  /** One line; empty for text before the first heading. */
  readonly title: string
  readonly text: string
  /** False for a chapter that is not read unless a user switches it on, such as an index. */
  readonly included: boolean
  /** Reason not to read it, as a sentence for users; null for a chapter that is read. */
  readonly why: string | null
}
/** A part of the file that is not read aloud. `place`: its document and first words; absent where the title says enough. */
export type OmittedPart = { readonly title: string; readonly why: string; readonly place?: string }
export type ReadBook = {
  readonly title: string | null
  readonly author: string | null
  readonly language: string | null
  /** Name of the cover in the archive, in NFC and lower case; null without one. */
  readonly cover: string | null
  /** The cover in base64, of a file that is no archive and contains it. */
  readonly picture?: string | null
  readonly chapters: readonly ReadChapter[]
  readonly skipped: readonly OmittedPart[]
  readonly notices: readonly string[]
}

/** A chapter that is read. */
export const readChapter = (title: string, text: string): ReadChapter => ({ title, text, included: true, why: null })

/** The file cannot be read. The message is a full sentence for users. */
export class UnreadableBook extends Error {}

const INVISIBLE = /[\u00ad\u200b\u2060\ufeff\ufffe\uffff\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f]/g
const TITLE_CHARS = 200

/** Text without invisible characters. Joiners stay: Persian and Indic scripts need them. Unpaired surrogates are replaced. */
export const visibleText = (text: string): string => composed(text.replaceAll(INVISIBLE, '').toWellFormed())

export const toScript = (text: string): string => escapeScript(visibleText(text))

/** UTF-16 units that are looked at for a title: a heading can be as long as a book. */
const TITLE_SOURCE = 20 * TITLE_CHARS

/** A title of one line. */
export const toTitle = (text: string): string => {
  const line = visibleText(text.trimStart().slice(0, TITLE_SOURCE)).replaceAll(/\s+/g, ' ').trim()
  return [...line].slice(0, TITLE_CHARS).join('')
}
