// OpenDocument texts, as an archive and as one XML file. Pure.
import { type ReadBook, toTitle, UnreadableBook } from '../book.ts'
import type { Notes } from '../chapters/notes-setting.ts'
import { resolveHref } from '../epub/href.ts'
import type { BookFiles } from '../epub/package.ts'
import { bookOf } from '../markup/chapters.ts'
import { attributeOf, childOf, type MarkupElement, namedIn, parseXml, textIn } from '../markup/markup.ts'
import { packedPicture } from '../markup/picture.ts'
import { titleIn } from '../office/flow.ts'
import { decodeText } from '../text/decode.ts'
import { readTextBody } from './body.ts'
import { readTextStyles } from './styles.ts'

const PICTURE = /\.(jpe?g|png)$/
const DAMAGED = 'The OpenDocument text is damaged: a part of it is no XML. Open it in LibreOffice and save it again.'
const PROTECTED = 'The document is protected with a password. Save a copy without one in LibreOffice and import that.'

/** Throws UnreadableBook. */
export function readOdt(files: BookFiles, notes: Notes = 'omit'): ReadBook {
  const manifest = partAt(files, 'meta-inf/manifest.xml')
  if (manifest !== null && namedIn(manifest, 'encryption-data').length > 0) throw new UnreadableBook(PROTECTED)
  const content = partAt(files, 'content.xml')
  const [styles, meta] = [partAt(files, 'styles.xml'), partAt(files, 'meta.xml')]
  return bookIn(content, [styles, content], meta, notes)
}

/** `text`: of the file. Throws UnreadableBook. */
export const readFlatOdt = (text: string, notes: Notes = 'omit'): ReadBook => {
  const root = documentIn(text)
  return bookIn(root, [root], root, notes)
}

function bookIn(
  content: MarkupElement | null,
  styled: readonly (MarkupElement | null)[],
  meta: MarkupElement | null,
  notes: Notes,
): ReadBook {
  const body = content && childOf(childOf(content, 'body'), 'text')
  if (!body) throw new UnreadableBook('The file is not an OpenDocument text: it has no text. Save it again as .odt.')
  const text = readTextBody(body, readTextStyles(styled.filter((each) => each !== null)))
  const properties = childOf(meta ?? undefined, 'meta')
  const about = (name: string) => {
    const property = childOf(properties, name)
    return property ? toTitle(textIn(property)) || null : null
  }
  return bookOf(
    text.root,
    {
      title: about('title') ?? titleIn(text.root),
      author: about('initial-creator') ?? about('creator'),
      language: about('language')?.slice(0, 40) ?? text.language,
      ...coverOf(text.cover),
    },
    notes,
  )
}

/** A picture of an archive by its name, one of a single file by its content. */
function coverOf(image: MarkupElement | null): { cover: string | null; picture: string | null } {
  const path = resolveHref('', attributeOf(image ?? undefined, 'href') ?? '')?.path ?? ''
  const data = childOf(image ?? undefined, 'binary-data')
  return { cover: PICTURE.test(path) ? path : null, picture: data ? packedPicture(textIn(data)) : null }
}

/** The root element of a part; null for a missing one. */
function partAt(files: BookFiles, path: string): MarkupElement | null {
  const bytes = files.read(path)
  return bytes === null ? null : documentIn(decodeText(bytes).text)
}

function documentIn(text: string): MarkupElement {
  try {
    const [root] = parseXml(text).children.filter((child) => typeof child !== 'string')
    if (root !== undefined) return root
  } catch {
    throw new UnreadableBook(DAMAGED)
  }
  throw new UnreadableBook(DAMAGED)
}
