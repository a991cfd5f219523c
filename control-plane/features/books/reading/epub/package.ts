// The package document of an EPUB: what the book is called, and in which order its documents are read. Pure.
import { toTitle, UnreadableBook } from '../book.ts'
import { declaredEncoding } from '../markup/encoding.ts'
import { elementsIn, type MarkupElement, namedIn as named, parseMarkup, textIn } from '../markup/markup.ts'
import { decodeText } from '../text/decode.ts'
import { type Href, resolveHref } from './href.ts'

/** The files of a book by their names in NFC and lower case. Null for a missing one. */
export type BookFiles = { readonly names: readonly string[]; readonly read: (name: string) => Uint8Array | null }
export type SpineItem = { readonly path: string; readonly isLinear: boolean }
export type EpubPackage = {
  readonly title: string | null
  readonly author: string | null
  readonly language: string | null
  readonly cover: string | null
  /** Each document once. */
  readonly spine: readonly SpineItem[]
  /** Path of the navigation document of EPUB 3; null without one. */
  readonly nav: string | null
  /** Path of the table of contents of EPUB 2; null without one. */
  readonly ncx: string | null
  /** Roles of documents from the guide of EPUB 2, by path. */
  readonly guide: ReadonlyMap<string, string>
}

const CONTAINER = 'meta-inf/container.xml'
const ENCRYPTION = 'meta-inf/encryption.xml'
const FONT_OBFUSCATION: ReadonlySet<string> = new Set(['http://www.idpf.org/2008/embedding', 'http://ns.adobe.com/pdf/enc#RC'])
const PICTURE = /\.(jpe?g|png)$/

/** A document as a tree; null if it is missing. */
export function readMarkup(files: BookFiles, path: string): MarkupElement | null {
  const bytes = files.read(path)
  if (bytes === null) return null
  return parseMarkup(decodeText(bytes, declaredEncoding(bytes)).text)
}

/** Pictures, archives, PDF: their first bytes say so, or have zeros that are not those of UTF-16. */
export function isBinary(files: BookFiles, path: string): boolean {
  const head = Buffer.from(files.read(path)?.subarray(0, 512) ?? [])
  const text = head.toString('latin1')
  if (/^(?:PK\x03\x04|%PDF-|\x89PNG|\xff\xd8\xff|GIF8|RIFF|OggS|ID3|\x1f\x8b|\x7fELF)/.test(text)) return true
  return text.includes('\0') && !text.includes('<\0') && !text.includes('\0<')
}

/** Throws UnreadableBook for an archive that is no book, or a protected one. */
export function readPackage(files: BookFiles): EpubPackage {
  const path = packagePath(files)
  const root = path === null ? null : readMarkup(files, path)
  if (path === null || root === null) throw new UnreadableBook('The file is not an EPUB book: it has no package document.')
  const item = new Map<string, { readonly path: string; readonly type: string; readonly properties: readonly string[] }>()
  const at = (element: MarkupElement, name = 'href'): Href | null => resolveHref(path, element.attributes.get(name) ?? '')
  for (const element of named(root, 'item')) {
    const href = at(element)
    const type = element.attributes.get('media-type') ?? ''
    const properties = (element.attributes.get('properties') ?? '').split(/\s+/)
    if (href) item.set(element.attributes.get('id') ?? '', { path: href.path, type, properties })
  }
  const spine = new Map<string, SpineItem>()
  for (const element of named(root, 'itemref')) {
    const found = item.get(element.attributes.get('idref') ?? '')
    const isLinear = element.attributes.get('linear') !== 'no'
    if (found && !spine.has(found.path)) spine.set(found.path, { path: found.path, isLinear })
  }
  requireOpen(files, spine)
  const items = [...item.values()]
  const coverId = named(root, 'meta')
    .find((meta) => meta.attributes.get('name') === 'cover')
    ?.attributes.get('content')
  const cover = items.find(({ properties }) => properties.includes('cover-image')) ?? item.get(coverId ?? '')
  const spineElement = named(root, 'spine')[0]
  const ncx = item.get(spineElement?.attributes.get('toc') ?? '') ?? items.find(({ type }) => type === 'application/x-dtbncx+xml')
  const about = (name: string) =>
    named(root, 'metadata')
      .flatMap((metadata) => named(metadata, name).map((element) => toTitle(textIn(element))))
      .filter(Boolean)
  return {
    title: about('title')[0] ?? null,
    author: toTitle([...new Set(about('creator'))].join(', ')) || null,
    language: about('language')[0] ?? null,
    cover: cover && PICTURE.test(cover.path) ? cover.path : null,
    spine: [...spine.values()],
    nav: items.find(({ properties }) => properties.includes('nav'))?.path ?? null,
    ncx: ncx?.path ?? null,
    guide: new Map(
      named(root, 'reference').flatMap((element) => {
        const href = at(element)
        return href ? [[href.path, element.attributes.get('type')?.toLowerCase() ?? '']] : []
      }),
    ),
  }
}

function packagePath(files: BookFiles): string | null {
  const container = readMarkup(files, CONTAINER)
  const named = container && [...elementsIn(container)].find(({ name }) => name === 'rootfile')?.attributes.get('full-path')
  const path = named ? resolveHref('', named)?.path : undefined
  if (path !== undefined && files.names.includes(path)) return path
  return files.names.find((name) => name.endsWith('.opf')) ?? null
}

/** Obfuscated fonts are no protection, and neither is a list of rights alone. */
function requireOpen(files: BookFiles, spine: ReadonlyMap<string, unknown>): void {
  const root = readMarkup(files, ENCRYPTION)
  for (const entry of root ? named(root, 'encrypteddata') : []) {
    const method = named(entry, 'encryptionmethod')[0]?.attributes.get('algorithm') ?? ''
    const path = resolveHref('', named(entry, 'cipherreference')[0]?.attributes.get('uri') ?? '')?.path
    if (!FONT_OBFUSCATION.has(method) && path !== undefined && spine.has(path))
      throw new UnreadableBook('The book is protected (DRM): its text is encrypted. Use a copy without protection.')
  }
}
