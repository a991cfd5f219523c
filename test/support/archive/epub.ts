// EPUB books as other programs would write them: entries of a zip file.
import type { RawEntry } from './raw-zip.ts'

export type EpubDocument = {
  readonly name: string
  /** The inside of `<body>`, or a whole document. */
  readonly body: string | Uint8Array
  readonly linear?: 'no'
}
type Options = {
  readonly metadata?: string
  /** Elements of the manifest, the guide and others, besides the documents. */
  readonly manifest?: string
  readonly guide?: string
  /** The list of the navigation document of EPUB 3. */
  readonly nav?: string
  /** The points of the NCX of EPUB 2. */
  readonly ncx?: string
  /** More references in the spine. */
  readonly spine?: string
  readonly others?: readonly RawEntry[]
}

const XHTML = 'xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"'
export const xhtml = (body: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE html>\n<html ${XHTML}><head><title>Not spoken</title></head><body>${body}</body></html>`
const isWhole = (body: string) => /^\s*<(\?xml|!DOCTYPE|html)/.test(body)
const contentOf = (body: string | Uint8Array) => (typeof body === 'string' && !isWhole(body) ? xhtml(body) : body)

/** `documents`: in the order of the spine, at `OPS/<name>`. */
export function epubEntries(
  documents: readonly EpubDocument[],
  { metadata = '<dc:title>A Book</dc:title>', manifest = '', guide = '', nav, ncx, spine = '', others = [] }: Options = {},
): RawEntry[] {
  const items = documents.map(({ name }, at) => `<item id="d${at}" href="${encodeURI(name)}" media-type="application/xhtml+xml"/>`)
  const references = documents.map(({ linear }, at) => `<itemref idref="d${at}"${linear ? ` linear="${linear}"` : ''}/>`)
  const own = [
    nav === undefined ? '' : '<item id="nav" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/>',
    ncx === undefined ? '' : '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>',
  ].join('')
  const deflated = (name: string, content: string | Uint8Array): RawEntry => ({ name, content, isDeflated: true })
  return [
    { name: 'mimetype', content: 'application/epub+zip' },
    deflated(
      'META-INF/container.xml',
      '<?xml version="1.0"?><container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>',
    ),
    deflated(
      'OPS/book.opf',
      `<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">${metadata}</metadata><manifest>${items.join('')}${own}${manifest}</manifest><spine${ncx === undefined ? '' : ' toc="ncx"'}>${references.join('')}${spine}</spine>${guide}</package>`,
    ),
    ...(nav === undefined ? [] : [deflated('OPS/nav.xhtml', xhtml(`<nav epub:type="toc"><ol>${nav}</ol></nav>`))]),
    ...(ncx === undefined
      ? []
      : [deflated('OPS/toc.ncx', `<?xml version="1.0"?><ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap>${ncx}</navMap></ncx>`)]),
    ...documents.map(({ name, body }) => deflated(`OPS/${name}`, contentOf(body))),
    ...others,
  ]
}

export const navPoint = (title: string, href: string, inner = '') =>
  `<navPoint><navLabel><text>${title}</text></navLabel><content src="${href}"/>${inner}</navPoint>`
export const navItem = (title: string, href: string, inner = '') => `<li><a href="${href}">${title}</a>${inner}</li>`
