// Word documents (Office Open XML): their parts and what they say about the book. Pure.
import { type ReadBook, toTitle, UnreadableBook } from '../book.ts'
import type { Notes } from '../chapters/notes-setting.ts'
import { resolveHref } from '../epub/href.ts'
import type { BookFiles } from '../epub/package.ts'
import { bookOf } from '../markup/chapters.ts'
import { declaredEncoding } from '../markup/encoding.ts'
import { attributeOf, childrenOf, type MarkupElement, namedIn, parseXml, textIn } from '../markup/markup.ts'
import { titleIn } from '../office/flow.ts'
import { decodeText } from '../text/decode.ts'
import { readWordBody } from './body.ts'
import { createNumbering } from './numbering.ts'
import { readWordStyles } from './styles.ts'

type Relation = { readonly type: string; readonly path: string | null; readonly target: string }
const PICTURE = /\.(jpe?g|png)$/
const DAMAGED = 'The Word document is damaged: a part of it is no XML. Open it in Word or LibreOffice and save it again.'

/** Throws UnreadableBook. */
export function readDocx(files: BookFiles, how: Notes = 'omit'): ReadBook {
  const whole = relationsOf(files, '')
  const main = partOf(whole, 'officeDocument') ?? 'word/document.xml'
  const document = xmlAt(files, main)
  const body = document && namedIn(document, 'body')[0]
  if (!body) throw new UnreadableBook('The file is not a Word document: it has no text. Save it again as .docx.')
  const relations = relationsOf(files, main)
  const part = (type: string) => {
    const path = partOf(relations, type)
    return path === null ? null : xmlAt(files, path)
  }
  const notes = new Map((['footnote', 'endnote'] as const).map((kind) => [kind, notesOf(part(`${kind}s`), kind)]))
  const text = readWordBody(body, {
    styles: readWordStyles(part('styles')),
    count: createNumbering(part('numbering')),
    note: (kind, id) => notes.get(kind)!.get(id),
    link: (id) => relations.get(id)?.target ?? null,
  })
  const core = partOf(whole, 'core-properties')
  const properties = core === null ? null : xmlAt(files, core)
  const about = (name: string) => toTitle(properties ? (namedIn(properties, name).map(textIn)[0] ?? '') : '') || null
  const picture = relations.get(text.cover ?? '')?.path ?? null
  return bookOf(
    text.root,
    {
      title: about('title') ?? titleIn(text.root),
      author: about('creator'),
      language: about('language')?.slice(0, 40) ?? text.language?.slice(0, 40) ?? null,
      cover: picture !== null && PICTURE.test(picture) ? picture : null,
    },
    how,
  )
}

/** Null for a part that is missing. Throws UnreadableBook for one that is no XML. */
function xmlAt(files: BookFiles, path: string): MarkupElement | null {
  const bytes = files.read(path)
  if (bytes === null) return null
  try {
    return parseXml(decodeText(bytes, declaredEncoding(bytes)).text)
  } catch {
    throw new UnreadableBook(DAMAGED)
  }
}

/** The relations of a part, by id; with an empty path those of the whole document. */
function relationsOf(files: BookFiles, path: string): ReadonlyMap<string, Relation> {
  const slash = path.lastIndexOf('/') + 1
  const root = xmlAt(files, `${path.slice(0, slash)}_rels/${path.slice(slash)}.rels`)
  const elements = root ? namedIn(root, 'relationship') : []
  return new Map(
    elements.map((each) => {
      const target = attributeOf(each, 'target') ?? ''
      const isExternal = attributeOf(each, 'targetmode') === 'External'
      const type = (attributeOf(each, 'type') ?? '').replace(/^.*\//, '')
      return [attributeOf(each, 'id') ?? '', { type, target, path: isExternal ? null : (resolveHref(path, target)?.path ?? null) }]
    }),
  )
}

const partOf = (relations: ReadonlyMap<string, Relation>, type: string): string | null =>
  [...relations.values()].find((relation) => relation.type === type)?.path ?? null

/** Without the lines that separate notes from the text. */
const notesOf = (root: MarkupElement | null, kind: string): ReadonlyMap<string, MarkupElement> =>
  new Map(
    (root ? childrenOf(root) : [])
      .flatMap(childrenOf)
      .filter((each) => each.name === kind && (attributeOf(each, 'type') ?? 'normal') === 'normal')
      .map((each) => [attributeOf(each, 'id') ?? '', each]),
  )
