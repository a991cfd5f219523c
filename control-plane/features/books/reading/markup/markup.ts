// XML and XHTML as small trees. Pure. Entities that a file declares are not expanded, so they cannot grow.
import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parse } from 'parse5'
import { SaxesParser } from 'saxes'
import { entityNamed } from '../text/entities.ts'

export type MarkupElement = {
  /** Lower case, without prefix. */
  readonly name: string
  /** By lower-case name with prefix. */
  readonly attributes: ReadonlyMap<string, string>
  readonly children: readonly (MarkupElement | string)[]
}
type Growing = { name: string; attributes: ReadonlyMap<string, string>; children: (Growing | string)[] }
/** Office documents have hundreds of thousands of elements, and most of these have no attributes. */
const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map()

/** Elements that are deeper become siblings, so that walking a tree cannot overflow the stack. */
const DEEPEST = 300
const localName = (name: string): string => name.slice(name.indexOf(':') + 1).toLowerCase()
const newRoot = (): Growing => ({ name: '', attributes: NO_ATTRIBUTES, children: [] })

const ENTITY_NAME = /^[A-Za-z_][\w.:-]{0,60}$/
/**
 * Unknown names become nothing: only a declaration in the file could say what they mean. What is no name is the text from an ampersand that stands
 * for itself to some semicolon, which is a mistake.
 */
const ENTITIES = new Proxy<Record<string, string | undefined>>(
  {},
  { get: (_, name) => (typeof name === 'string' && ENTITY_NAME.test(name) ? (entityNamed(name) ?? '') : undefined) },
)

/** The tree of a well-formed document, else of what a browser would make of it. */
export function parseMarkup(text: string): MarkupElement {
  try {
    return parseXml(text)
  } catch {
    return parseHtml(text)
  }
}

/** The tree of an XML document. Throws at the first mistake. */
export function parseXml(text: string): MarkupElement {
  const open: Growing[] = [newRoot()]
  /** Elements that are open but deeper than the tree. */
  let beyond = 0
  const parser = new SaxesParser()
  parser.ENTITIES = ENTITIES as Record<string, string>
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }) => {
    const written = Object.entries(attributes)
    const element: Growing = {
      name: localName(name),
      attributes: written.length === 0 ? NO_ATTRIBUTES : new Map(written.map(([key, value]) => [key.toLowerCase(), value])),
      children: [],
    }
    open.at(-1)!.children.push(element)
    if (open.length < DEEPEST) open.push(element)
    else beyond++
  })
  parser.on('closetag', () => {
    if (beyond > 0) beyond--
    else open.pop()
  })
  const say = (words: string) => void open.at(-1)!.children.push(words)
  parser.on('text', say)
  parser.on('cdata', say)
  parser.write(text).close()
  return open[0]!
}

/** Names that HTML does not know, so that it has no rules for them. */
const UNKNOWN = 'x-'

/** The tree of XML with mistakes: as a browser would read elements that it does not know. */
export const parseDamagedXml = (text: string): MarkupElement =>
  parseHtml(text.replaceAll(/<(\/?)(?=[a-z_])/gi, `<$1${UNKNOWN}`), (name) =>
    name.startsWith(UNKNOWN) ? name.slice(UNKNOWN.length) : name,
  )

type HtmlParent = DefaultTreeAdapterTypes.ParentNode

function parseHtml(text: string, named = (name: string) => name): MarkupElement {
  const root = newRoot()
  const left: { from: HtmlParent; to: Growing; depth: number }[] = [{ from: parse(closed(text)), to: root, depth: 1 }]
  while (left.length > 0) {
    const { from, to, depth } = left.pop()!
    for (const node of from.childNodes) {
      if (defaultTreeAdapter.isTextNode(node)) to.children.push(node.value)
      if (!defaultTreeAdapter.isElementNode(node)) continue
      const attributes = new Map(node.attrs.map(({ name, value, prefix }) => [prefix ? `${prefix}:${name}` : name, value]))
      const element: Growing = { name: named(localName(node.tagName)), attributes, children: [] }
      to.children.push(element)
      if (depth < DEEPEST) left.push({ from: node, to: element, depth: depth + 1 })
      else for (const words of textsOf(node)) element.children.push(words)
    }
  }
  return root
}

/** The texts below a node, however deep. */
function textsOf(node: HtmlParent): string[] {
  const texts: string[] = []
  const left = [...node.childNodes].reverse()
  while (left.length > 0) {
    const next = left.pop()!
    if (defaultTreeAdapter.isTextNode(next)) texts.push(next.value)
    else if (defaultTreeAdapter.isElementNode(next)) for (const child of next.childNodes.toReversed()) left.push(child)
  }
  return texts
}

const VOID: ReadonlySet<string> = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '))
/** In HTML, `<title/>` would be an open tag that swallows the document. */
const closed = (text: string): string =>
  text
    .replace(/^\ufeff?\s{0,100}<\?xml[^>]{0,500}\?>/, '')
    .replaceAll(/<([a-zA-Z][^<>\s/]{0,40})((?:\s[^<>]{0,2000})?)\/>/g, (written, name: string, rest: string) =>
      VOID.has(name.toLowerCase()) ? written : `<${name}${rest}></${name}>`,
    )

/** The elements below `element`, in the order of the document. */
export function* elementsIn(element: MarkupElement): Generator<MarkupElement> {
  // A stack, because a generator in each level of a deep tree would pass on every element once a level.
  const left = [element.children.values()]
  while (left.length > 0) {
    const { done, value } = left.at(-1)!.next()
    if (done) left.pop()
    else if (typeof value !== 'string') {
      yield value
      left.push(value.children.values())
    }
  }
}

export const namedIn = (element: MarkupElement, name: string): MarkupElement[] =>
  [...elementsIn(element)].filter((each) => each.name === name)

export const childrenOf = (element: MarkupElement): MarkupElement[] => element.children.filter((child) => typeof child !== 'string')

/** The first child with a name; undefined without one. */
export const childOf = (element: MarkupElement | undefined, name: string): MarkupElement | undefined =>
  element?.children.find((child): child is MarkupElement => typeof child !== 'string' && child.name === name)

/** The value of an attribute with any prefix; undefined without it. */
export function attributeOf(element: MarkupElement | undefined, name: string): string | undefined {
  if (element === undefined) return undefined
  for (const [key, value] of element.attributes) if (localName(key) === name) return value
  return undefined
}

/** A new element, as a reader of another format makes it. */
export const element = (
  name: string,
  children: readonly (MarkupElement | string)[],
  attributes: Readonly<Record<string, string>> = {},
): MarkupElement => ({ name, attributes: new Map(Object.entries(attributes)), children })

export const textIn = (element: MarkupElement): string =>
  element.children.map((child) => (typeof child === 'string' ? child : textIn(child))).join('')
