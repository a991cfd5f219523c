// One document as HTML: headings with ids, links to pages of the site, and code with its language. The ids are those that forges give.
import { posix } from 'node:path'
import { Marked, type Token, type Tokens } from 'marked'

/** A part of a page under one heading; the search lists these. */
export type SiteSection = { readonly id: string; readonly title: string; readonly text: string }
export type RenderedPage = {
  readonly title: string
  readonly html: string
  readonly headings: readonly { readonly depth: number; readonly id: string; readonly title: string }[]
  readonly sections: readonly SiteSection[]
  /** Paths from the root of the repository that the document names, with the anchor after `#`. */
  readonly links: readonly string[]
  readonly pictures: readonly string[]
  /** Addresses on other hosts, which a browser opens on a click only. */
  readonly elsewhere: readonly string[]
}

/** `addressOf`: the address of a document on the site; undefined for a file that is not on it. */
type Site = { readonly addressOf: (source: string) => string | undefined }

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (letter) => `&${{ '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot' }[letter] ?? '#39'};`)

/** The anchor of a heading, as GitHub and GitLab make it, without its number. */
const slug = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-')

/** Text of tokens without their marks. */
const plain = (tokens: readonly Token[] = []): string =>
  tokens.map((token) => ('tokens' in token && token.tokens ? plain(token.tokens) : 'text' in token ? String(token.text) : '')).join('')

/** Texts of a block, of all its cells and items. */
function words(token: Token): string {
  if (token.type === 'table')
    return [...(token as Tokens.Table).header, ...(token as Tokens.Table).rows.flat()].map(({ tokens }) => plain(tokens)).join(' ')
  if (token.type === 'list') return (token as Tokens.List).items.map(({ tokens }) => tokens.map(words).join(' ')).join(' ')
  if (token.type === 'blockquote') return (token.tokens ?? []).map(words).join(' ')
  return token.type === 'html' || token.type === 'space' ? '' : plain('tokens' in token && token.tokens ? token.tokens : [token])
}

/** The page of a document. Throws for HTML other than comments, and for a document that does not begin with its title. */
export function renderPage(source: string, markdown: string, site: Site): RenderedPage {
  const [links, pictures, elsewhere]: [string[], string[], string[]] = [[], [], []]
  const ids = new Map<string, number>()
  const idOf = (title: string) => {
    const id = slug(title)
    const count = ids.get(id) ?? 0
    ids.set(id, count + 1)
    return count === 0 ? id : `${id}-${count}`
  }
  const from = posix.dirname(addressOr(site, source))
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const id = idOf(plain(tokens))
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}${depth === 1 ? '' : ` <a class="anchor" href="#${id}" aria-label="Link to this section">#</a>`}</h${depth}>\n`
      },
      code: ({ text, lang }) =>
        `<pre tabindex="0"><code${lang ? ` data-language="${escapeHtml(lang)}"` : ''}>${escapeHtml(text)}</code></pre>\n`,
      table(token) {
        const cells = (row: Tokens.Table['header'], tag: string) =>
          row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')
        const body = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n')
        return `<div class="wide" tabindex="0"><table><thead><tr>${cells(token.header, 'th')}</tr></thead><tbody>${body}</tbody></table></div>\n`
      },
      html({ text }) {
        if (!/^\s*<!--[\s\S]*-->\s*$/.test(text)) throw new Error(`${source}: HTML in a document: ${text.trim().slice(0, 60)}`)
        return ''
      },
      image({ href, text }) {
        const path = posix.join(posix.dirname(source), href)
        pictures.push(path)
        return `<img src="${escapeHtml(posix.relative(from, path))}" alt="${escapeHtml(text)}" loading="lazy">`
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens)
        if (/^[a-z]+:/.test(href)) {
          elsewhere.push(href)
          return `<a href="${escapeHtml(href)}" rel="noreferrer">${inner}</a>`
        }
        const [path = '', anchor = ''] = href.split('#')
        const target = path === '' ? source : posix.join(posix.dirname(source), path).replace(/\/$/, '')
        links.push(anchor ? `${target}#${anchor}` : target)
        const address = site.addressOf(target)
        // A file of the repository that is not on the site.
        if (address === undefined) return `<span title="${escapeHtml(target)}">${inner}</span>`
        return `<a href="${escapeHtml((path === '' ? '' : posix.relative(from, address)) + (anchor ? `#${anchor}` : ''))}">${inner}</a>`
      },
    },
  })
  const tokens = marked.lexer(markdown)
  const first = tokens.find(({ type }) => type !== 'space' && type !== 'html')
  if (first?.type !== 'heading' || (first as Tokens.Heading).depth !== 1) throw new Error(`${source}: the first line is not a title.`)
  const html = marked.parser(tokens)
  ids.clear()
  const headings = tokens
    .filter((token): token is Tokens.Heading => token.type === 'heading')
    .map(({ depth, tokens: inner }) => ({ depth, title: plain(inner), id: idOf(plain(inner)) }))
  return { title: headings[0]!.title, html, headings, sections: sectionsOf(tokens, headings), links, pictures, elsewhere }
}

const addressOr = (site: Site, source: string): string => site.addressOf(source) ?? source

function sectionsOf(tokens: readonly Token[], headings: RenderedPage['headings']): SiteSection[] {
  const sections: SiteSection[] = []
  let at = 0
  let text: string[] = []
  const close = () => {
    const heading = headings[at - 1]
    if (heading) sections.push({ id: heading.id, title: heading.title, text: text.join(' ').replace(/\s+/g, ' ').trim() })
    text = []
  }
  for (const token of tokens)
    if (token.type === 'heading') {
      close()
      at++
    } else text.push(words(token))
  close()
  return sections
}
