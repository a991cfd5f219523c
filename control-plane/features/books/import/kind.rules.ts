// Recognises what kind of book a file is, by its first bytes, the names in its archive and its own name. Pure.
import { Failure } from '#shared/protocol/failure.ts'
import { BOOK_FORMATS, type BookKind } from '../reading/kind.ts'

/** Bytes of the start of a file that `bookKindOf` looks at. */
export const HEAD_BYTES = 8192
const KINDS: Readonly<Record<string, BookKind | 'archive'>> = {
  ...{ md: 'markdown', markdown: 'markdown', pdf: 'pdf', html: 'html', htm: 'html', xhtml: 'html', fb2: 'fb2', fodt: 'fodt' },
  ...{ epub: 'archive', docx: 'archive', docm: 'archive', dotx: 'archive', odt: 'archive', ott: 'archive', zip: 'archive', fbz: 'archive' },
}
const CALIBRE = 'Convert it to EPUB with Calibre and import that; a copy with protection (DRM) cannot be converted.'
const WORD = 'Open it in Word or LibreOffice, save it as .docx and import that.'
const KINDLE = `Books for Kindle are not read. ${CALIBRE}`
const OTHER_BOOK = `Books of this kind are not read. ${CALIBRE}`
const OLD_WORD = `Word documents of the old format (.doc) and documents with a password are not read. ${WORD}`
const OTHER_DOCUMENT = `Documents of this kind are not read. ${WORD}`
const PAGES = 'Documents of Pages are not read. Export it from Pages as EPUB or Word and import that.'
const DJVU = 'DjVu files are not read. Recognize the text of the scan (OCR), save it as PDF or text and import that.'
const COMIC = 'Comic books are pictures, which cannot be read aloud.'
const SLIDES = 'Presentations are not read. Save the text as .docx, .odt or a text file and import that.'
const SHEETS = 'Spreadsheets are not read. Save the text as .docx, .odt or a text file and import that.'
const SUBTITLES = 'Subtitles are not a book. Open them in a dub or on the page Tools.'
const MARKED = 'This markup is not read. Convert it to Markdown or HTML, for example with pandoc, and import that.'
const OTHER_XML = 'XML of this kind is not read. Convert it to EPUB or HTML, for example with pandoc, and import that.'
const SAVED_PAGE = 'Web archives (.mht) are not read. Open it in a browser, save it as a web page (.html) and import that.'
const PACKED = 'Archives of this kind are not read. Unpack it and import the book that is in it.'
const SOUND =
  'This is sound, a film or a picture. Recordings are transcribed on the page Transcribe; a scan needs its text recognized (OCR) first.'

/** Kinds that are not read, by the extensions of their names. */
const UNREAD: ReadonlyMap<string, string> = new Map(
  (
    [
      ['mobi azw azw3 azw4 kfx kpf prc', KINDLE],
      ['pdb lit lrf chm snb tcr ibooks xps oxps', OTHER_BOOK],
      ['doc dot', OLD_WORD],
      ['wps wpd sxw hwp hwpx', OTHER_DOCUMENT],
      ['pages', PAGES],
      ['djvu djv', DJVU],
      ['cbz cbr cb7 cbt', COMIC],
      ['ppt pptx odp key', SLIDES],
      ['xls xlsx ods numbers', SHEETS],
      ['srt vtt ass ssa sbv ttml lrc', SUBTITLES],
      ['tex latex rst adoc asciidoc org typ textile wiki', MARKED],
      ['xml', OTHER_XML],
      ['mht mhtml', SAVED_PAGE],
      ['rar 7z gz tgz tar bz2 xz zst', PACKED],
    ] as const
  ).flatMap(([names, why]) => names.split(' ').map((name) => [name, why] as const)),
)
/** The same, by their first bytes. */
const STARTS: readonly (readonly [RegExp, string])[] = [
  [/^\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1/, OLD_WORD],
  [/^[\s\S]{60}(?:BOOKMOBI|TEXtREAd)|^TPZ0|^\xeaDRMION\xee|^CONT\x02\0/, KINDLE],
  [/^AT&TFORM/, DJVU],
  [/^ITSF\x03|^ITOLITLS|^L\0R\0F\0/, OTHER_BOOK],
  [/^Rar!\x1a|^7z\xbc\xaf|^\x1f\x8b|^BZh\d1AY|^\xfd7zXZ|^\x28\xb5\x2f\xfd/, PACKED],
  [
    /^ID3[\x02-\x04]|^\xff\xd8\xff|^\x89PNG|^GIF8[79]a|^RIFF[\s\S]{4}(?:WAVE|AVI |WEBP)|^OggS\0|^fLaC\0|^[\s\S]{4}ftyp|^\x1aE\xdf\xa3/,
    SOUND,
  ],
  [/^(?:From|MIME-Version|Subject|Content-Type|Snapshot-Content-Location):[\s\S]{0,2000}multipart\/related/i, SAVED_PAGE],
]
/** Parts of markup before its first element. */
const BEFORE_ROOT: readonly (readonly [open: string, close: string])[] = [
  ['<?', '?>'],
  ['<!--', '-->'],
  ['<!', '>'],
]
const MOST_BEFORE_ROOT = 20

const refused = (why: string) => new Failure('BAD_REQUEST', why)
/** In lower case; empty without one. */
const extensionOf = (filename: string): string => /\.([a-z0-9]{2,8})$/i.exec(filename.trim())?.[1]?.toLowerCase() ?? ''
/**
 * `head`: the first bytes of the file. What they say counts more than the name. An unknown file is plain text; `archive` needs `archiveKindOf`.
 * Throws BAD_REQUEST with the way out for a kind that is not read.
 */
export function bookKindOf(filename: string, head: Uint8Array): BookKind | 'archive' {
  const start = Buffer.from(head.subarray(0, HEAD_BYTES)).toString('latin1')
  const extension = extensionOf(filename)
  if (/^PK(?:\x03\x04|\x05\x06)/.test(start)) return 'archive'
  if (start.slice(0, 1024).includes('%PDF-') && /^[\s\xef\xbb\xbf]{0,16}%PDF-/.test(start)) return 'pdf'
  if (/^(?:\xef\xbb\xbf)?\s{0,16}\{\\rtf/.test(start)) return 'rtf'
  for (const [pattern, why] of STARTS) if (pattern.test(start)) throw refused(UNREAD.get(extension) ?? why)
  // UTF-16 has a zero beside each letter of markup.
  const markup = start.replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '').replaceAll('\0', '')
  const root = rootOf(markup)
  if (root === 'html' || root === 'fb2' || root === 'fodt') return root
  const why = UNREAD.get(extension)
  if (why !== undefined) throw refused(why)
  if (root === 'xml' && extension !== 'html' && extension !== 'xhtml' && extension !== 'htm') throw refused(OTHER_XML)
  return Object.hasOwn(KINDS, extension) ? KINDS[extension]! : 'text'
}

/** The kind of markup by its first element; `xml` for any other document that says that it is XML, null for text. */
function rootOf(markup: string): 'html' | 'fb2' | 'fodt' | 'xml' | null {
  let left = markup.trimStart()
  const isXml = left.startsWith('<?xml')
  for (let part = 0; part < MOST_BEFORE_ROOT; part++) {
    if (/^<!doctype\s{1,20}html/i.test(left)) return 'html'
    const frame = BEFORE_ROOT.find(([open]) => left.startsWith(open))
    if (frame === undefined) break
    const end = left.indexOf(frame[1])
    left = end < 0 ? '' : left.slice(end + frame[1].length).trimStart()
  }
  const name = /^<([a-z_][\w.:-]{0,60})/i.exec(left)?.[1]?.toLowerCase() ?? ''
  if (name === 'html' || name.endsWith(':html') || name === 'head' || name === 'body') return 'html'
  if (name.replace(/^.{0,20}:/, '') === 'fictionbook') return 'fb2'
  if (name === 'office:document') return 'fodt'
  return isXml && name !== 'speak' ? 'xml' : null
}

/** The book in an archive. `member`: its name in the archive; null for a book that is the archive as a whole. */
export type ArchivedBook = { readonly kind: BookKind; readonly member: string | null }

/** Formats of one file that may be packed. */
const MEMBER = /\.(fb2|rtf|html?|xhtml|txt|md|fodt)$/

/**
 * `names`: those of the archive in lower case, with those that were not unpacked. `mimetype`: the content of the member with that name; empty
 * without one. Throws BAD_REQUEST with the way out for an archive without a book.
 */
export function archiveKindOf(filename: string, names: readonly string[], mimetype: string): ArchivedBook {
  const whole = (kind: BookKind): ArchivedBook => ({ kind, member: null })
  const has = (name: string) => names.includes(name)
  const hasFolder = (folder: string) => names.some((name) => name.startsWith(`${folder}/`))
  const type = mimetype.trim()
  const extension = extensionOf(filename)
  if (type === 'application/epub+zip' || has('meta-inf/container.xml') || names.some((name) => name.endsWith('.opf'))) return whole('epub')
  if (/^application\/vnd\.oasis\.opendocument\.text/.test(type) || (type === '' && has('content.xml'))) return whole('odt')
  if (type.startsWith('application/vnd.oasis.opendocument.')) throw refused(/spreadsheet/.test(type) ? SHEETS : SLIDES)
  if (type.startsWith('application/vnd.sun.xml.')) throw refused(OTHER_DOCUMENT)
  if (has('[content_types].xml')) {
    if (hasFolder('ppt')) throw refused(SLIDES)
    if (hasFolder('xl')) throw refused(SHEETS)
    if (hasFolder('word') || extension === 'docx') return whole('docx')
  }
  if (has('index/document.iwa') || has('index.zip')) throw refused(UNREAD.get(extension) ?? PAGES)
  if (extension === 'epub') return whole('epub')
  const books = names.filter((name) => MEMBER.test(name) && !name.startsWith('__macosx/'))
  const [only] = books
  if (books.length === 1 && only !== undefined) return { kind: memberKind(only), member: only }
  const why = UNREAD.get(extension)
  if (why !== undefined) throw refused(why)
  if (books.length > 1) throw refused('The archive contains several texts. Unpack it and import one of them.')
  throw refused(`The archive contains no book. Unpack it and import ${BOOK_FORMATS}.`)
}

function memberKind(name: string): BookKind {
  const kind = KINDS[extensionOf(name)]
  return name.endsWith('.rtf') ? 'rtf' : kind === undefined || kind === 'archive' ? 'text' : kind
}
