// RTF documents. Pure.
import { type ReadBook, toTitle, UnreadableBook } from '../book.ts'
import type { Notes } from '../chapters/notes-setting.ts'
import { bookOf } from '../markup/chapters.ts'
import { element } from '../markup/markup.ts'
import { titleIn } from '../office/flow.ts'
import { createInterpreter } from './interpreter.ts'
import { readTokens } from './tokens.ts'

/** Throws UnreadableBook. */
export function readRtf(bytes: Uint8Array, notes: Notes = 'omit'): ReadBook {
  const interpreter = createInterpreter()
  readTokens(bytes, interpreter.events)
  const { nodes, title, author, language, picture, isText } = interpreter.end()
  if (!isText) throw new UnreadableBook('The file is not an RTF document. Open it in Word or LibreOffice and save it again.')
  const root = element('', [element('body', nodes)])
  return bookOf(root, { title: toTitle(title) || titleIn(root), author: toTitle(author) || null, language, cover: null, picture }, notes)
}
