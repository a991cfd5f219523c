// Office documents as other programs would write them: entries of a zip file, and RTF.
import type { RawEntry } from './raw-zip.ts'

const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships'
const TYPES = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'

type DocxParts = {
  /** Elements of `w:style`. */
  readonly styles?: string
  /** The inside of `w:numbering`. */
  readonly numbering?: string
  /** Elements of `w:footnote` and `w:endnote`. */
  readonly footnotes?: string
  readonly endnotes?: string
  /** Elements of the core properties. */
  readonly core?: string
  /** More relations of the document. */
  readonly relations?: string
  readonly others?: readonly RawEntry[]
}

const relation = (id: string, type: string, target: string) => `<Relationship Id="${id}" Type="${TYPES}/${type}" Target="${target}"/>`

/** `body`: the inside of `w:body`. */
export function docxEntries(
  body: string,
  { styles, numbering, footnotes, endnotes, core, relations = '', others = [] }: DocxParts = {},
): RawEntry[] {
  const parts = { styles, numbering, footnotes, endnotes }
  const root = (name: string, inside: string) =>
    `${XML}<w:${name} xmlns:w="${WORD}" xmlns:r="${TYPES}" xmlns:mc="mc" xmlns:wp="wp" xmlns:a="a" xmlns:m="m" xmlns:v="v">${inside}</w:${name}>`
  const present = Object.entries(parts).filter((part): part is [string, string] => part[1] !== undefined)
  return [
    { name: '[Content_Types].xml', content: `${XML}<Types/>`, isDeflated: true },
    {
      name: '_rels/.rels',
      content: `${XML}<Relationships xmlns="${RELATIONS}">${relation('a', 'officeDocument', 'word/document.xml')}<Relationship Id="b" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties" Target="docProps/core.xml"/></Relationships>`,
    },
    {
      name: 'docProps/core.xml',
      content: `${XML}<cp:coreProperties xmlns:cp="cp" xmlns:dc="http://purl.org/dc/elements/1.1/">${core ?? ''}</cp:coreProperties>`,
    },
    { name: 'word/document.xml', content: root('document', `<w:body>${body}<w:sectPr/></w:body>`), isDeflated: true },
    {
      name: 'word/_rels/document.xml.rels',
      content: `${XML}<Relationships xmlns="${RELATIONS}">${present.map(([name]) => relation(name, name, `${name}.xml`)).join('')}${relations}</Relationships>`,
    },
    ...present.map(([name, inside]) => ({ name: `word/${name}.xml`, content: root(name, inside), isDeflated: true as const })),
    ...others,
  ]
}

export const docxRun = (text: string, properties = '') =>
  `<w:r>${properties === '' ? '' : `<w:rPr>${properties}</w:rPr>`}<w:t xml:space="preserve">${text}</w:t></w:r>`
/** `inside`: text, or runs. */
export const docxParagraph = (inside: string, style = '', properties = '') =>
  `<w:p><w:pPr>${style === '' ? '' : `<w:pStyle w:val="${style}"/>`}${properties}</w:pPr>${inside.startsWith('<') ? inside : docxRun(inside)}</w:p>`

const OFFICE = 'urn:oasis:names:tc:opendocument:xmlns'
const ODT_NAMES = ['office', 'style', 'text', 'table', 'drawing', 'meta']
  .map((name) => `xmlns:${name === 'drawing' ? 'draw' : name}="${OFFICE}:${name}:1.0"`)
  .join(' ')
const ODT_ROOT = `${ODT_NAMES} xmlns:fo="fo" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xlink="xlink" xmlns:svg="svg"`

type OdtParts = { readonly automatic?: string; readonly styles?: string; readonly meta?: string; readonly others?: readonly RawEntry[] }

/** `text`: the inside of `office:text`. */
export const odtEntries = (text: string, { automatic = '', styles = '', meta = '', others = [] }: OdtParts = {}): RawEntry[] => [
  { name: 'mimetype', content: 'application/vnd.oasis.opendocument.text' },
  {
    name: 'content.xml',
    content: `${XML}<office:document-content ${ODT_ROOT}><office:automatic-styles>${automatic}</office:automatic-styles><office:body><office:text>${text}</office:text></office:body></office:document-content>`,
    isDeflated: true,
  },
  {
    name: 'styles.xml',
    content: `${XML}<office:document-styles ${ODT_ROOT}><office:styles>${styles}</office:styles></office:document-styles>`,
  },
  { name: 'meta.xml', content: `${XML}<office:document-meta ${ODT_ROOT}><office:meta>${meta}</office:meta></office:document-meta>` },
  ...others,
]

/** The same as one file. */
export const flatOdt = (text: string, { automatic = '', styles = '', meta = '' }: OdtParts = {}): string =>
  `${XML}<office:document ${ODT_ROOT} office:mimetype="application/vnd.oasis.opendocument.text"><office:meta>${meta}</office:meta><office:styles>${styles}</office:styles><office:automatic-styles>${automatic}</office:automatic-styles><office:body><office:text>${text}</office:text></office:body></office:document>`

/** The bytes of `text`, whose characters are one byte each. */
export const rtf = (text: string): Buffer => Buffer.from(`{\\rtf1\\ansi\\ansicpg1252\\deff0${text}}`, 'latin1')

/** `book`: the body of a FictionBook. `about`: elements of `title-info`. */
export const fb2 = (book: string, about = ''): string =>
  `<?xml version="1.0" encoding="utf-8"?><FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0" xmlns:l="http://www.w3.org/1999/xlink"><description><title-info>${about}</title-info></description>${book}</FictionBook>`
