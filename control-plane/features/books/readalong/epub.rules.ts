// The documents of an EPUB 3 whose text is highlighted while its sound plays (media overlays). Pure.

export type ReadalongSegment = {
  /** Printed text. */
  readonly text: string
  readonly endsParagraph: boolean
  /** Milliseconds in the sound of the chapter. */
  readonly from: number
  readonly to: number
}
export type ReadalongChapter = { readonly title: string; readonly segments: readonly ReadalongSegment[] }
export type ReadalongBook = {
  /** Unique, without blanks. */
  readonly id: string
  readonly title: string
  readonly author: string | null
  readonly narrator: string | null
  readonly description: string | null
  /** A language tag; `und` if it is unknown. */
  readonly language: string
  /** ISO 8601 in UTC with seconds. */
  readonly modified: string
  readonly audio: 'mp3' | 'm4a'
  readonly cover: 'jpeg' | 'png' | null
  readonly chapters: readonly ReadalongChapter[]
}
export type ReadalongDocument = { readonly name: string; readonly content: string }

const ACTIVE = 'is-spoken'
const STYLE = `.${ACTIVE} { background: #ffe08a; color: #000; }\n`
const CONTAINER =
  '<?xml version="1.0" encoding="UTF-8"?>\n<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="EPUB/package.opf" media-type="application/oebps-package+xml"/></rootfiles></container>\n'
const AUDIO_TYPES = { mp3: 'audio/mpeg', m4a: 'audio/mp4' } as const

/** Text for XML. Characters that XML 1.0 does not have become blanks. */
const xml = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
const clock = (ms: number): string => `${(ms / 1000).toFixed(3)}s`
const lengthOf = ({ segments }: ReadalongChapter): number => segments.reduce((sum, { from, to }) => sum + to - from, 0)
const titleOf = ({ title }: ReadalongChapter, at: number): string => title.trim() || `Chapter ${at + 1}`

const page = (book: ReadalongBook, title: string, body: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE html>\n<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" xml:lang="${xml(book.language)}" lang="${xml(book.language)}"><head><meta charset="utf-8"/><title>${xml(title)}</title><link rel="stylesheet" type="text/css" href="style.css"/></head><body>${body}</body></html>\n`

function chapterPage(book: ReadalongBook, chapter: ReadalongChapter, at: number): string {
  const title = titleOf(chapter, at)
  const spans = chapter.segments.map(({ text }, n) => `<span id="s${n + 1}">${xml(text)}</span>`)
  // A spoken title is the heading, not a paragraph after it.
  const isSpoken = chapter.segments[0]?.text.trim() === chapter.title.trim()
  const heading = `<h1>${isSpoken ? spans[0] : xml(title)}</h1>`
  const paragraphs: string[] = []
  let open: string[] = []
  for (const [n, span] of spans.entries()) {
    if (isSpoken && n === 0) continue
    open.push(span)
    if (!chapter.segments[n]!.endsParagraph && n < spans.length - 1) continue
    paragraphs.push(`<p>${open.join(' ')}</p>`)
    open = []
  }
  return page(book, title, `<section epub:type="chapter">${heading}\n${paragraphs.join('\n')}</section>`)
}

function overlay({ audio }: ReadalongBook, { segments }: ReadalongChapter, at: number): string {
  const sound = `audio/chapter-${at + 1}.${audio}`
  const pars = segments.map(
    ({ from, to }, n) =>
      `<par id="p${n + 1}"><text src="chapter-${at + 1}.xhtml#s${n + 1}"/><audio src="${sound}" clipBegin="${clock(from)}" clipEnd="${clock(to)}"/></par>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n<smil xmlns="http://www.w3.org/ns/SMIL" version="3.0"><body>${pars.join('\n')}</body></smil>\n`
}

function packageFile(book: ReadalongBook): string {
  const { chapters, audio, cover } = book
  const optional = (name: string, text: string | null) => (text?.trim() ? [`<${name}>${xml(text.trim())}</${name}>`] : [])
  const narrator = book.narrator?.trim() ? [`<meta property="media:narrator">${xml(book.narrator.trim())}</meta>`] : []
  const total = chapters.reduce((sum, chapter) => sum + lengthOf(chapter), 0)
  const metadata = [
    `<dc:identifier id="id">${xml(book.id)}</dc:identifier>`,
    `<dc:title>${xml(book.title)}</dc:title>`,
    `<dc:language>${xml(book.language)}</dc:language>`,
    ...optional('dc:creator', book.author),
    ...optional('dc:description', book.description),
    `<meta property="dcterms:modified">${book.modified}</meta>`,
    ...chapters.map((chapter, at) => `<meta property="media:duration" refines="#o${at + 1}">${clock(lengthOf(chapter))}</meta>`),
    `<meta property="media:duration">${clock(total)}</meta>`,
    ...narrator,
    `<meta property="media:active-class">${ACTIVE}</meta>`,
    ...(cover ? ['<meta name="cover" content="cover"/>'] : []),
  ]
  const item = (id: string, href: string, type: string, more = '') => `<item id="${id}" href="${href}" media-type="${type}"${more}/>`
  const manifest = [
    item('nav', 'nav.xhtml', 'application/xhtml+xml', ' properties="nav"'),
    item('style', 'style.css', 'text/css'),
    ...(cover ? [item('cover', coverName(cover), `image/${cover}`, ' properties="cover-image"')] : []),
    ...chapters.flatMap((_, at) => [
      item(`c${at + 1}`, `chapter-${at + 1}.xhtml`, 'application/xhtml+xml', ` media-overlay="o${at + 1}"`),
      item(`o${at + 1}`, `chapter-${at + 1}.smil`, 'application/smil+xml'),
      item(`a${at + 1}`, audioName(at, audio), AUDIO_TYPES[audio]),
    ]),
  ]
  const spine = chapters.map((_, at) => `<itemref idref="c${at + 1}"/>`)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">\n${metadata.join('\n')}\n</metadata><manifest>\n${manifest.join('\n')}\n</manifest><spine>${spine.join('')}</spine></package>\n`
}

/** Names inside of the folder `EPUB`. */
export const audioName = (at: number, audio: ReadalongBook['audio']): string => `audio/chapter-${at + 1}.${audio}`
export const coverName = (type: 'jpeg' | 'png'): string => `cover.${type === 'png' ? 'png' : 'jpg'}`

/** Every document of the book, with its place in the archive: not the mimetype, not the sound and not the cover. */
export function* readalongDocuments(book: ReadalongBook): Generator<ReadalongDocument> {
  const links = book.chapters.map((chapter, at) => `<li><a href="chapter-${at + 1}.xhtml">${xml(titleOf(chapter, at))}</a></li>`)
  yield { name: 'META-INF/container.xml', content: CONTAINER }
  yield { name: 'EPUB/package.opf', content: packageFile(book) }
  yield {
    name: 'EPUB/nav.xhtml',
    content: page(book, book.title, `<nav epub:type="toc" id="toc"><h1>${xml(book.title)}</h1><ol>${links.join('\n')}</ol></nav>`),
  }
  yield { name: 'EPUB/style.css', content: STYLE }
  for (const [at, chapter] of book.chapters.entries()) {
    yield { name: `EPUB/chapter-${at + 1}.xhtml`, content: chapterPage(book, chapter, at) }
    yield { name: `EPUB/chapter-${at + 1}.smil`, content: overlay(book, chapter, at) }
  }
}
