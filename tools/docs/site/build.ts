// The site of documents: static files that work from a folder, below any path of a server, and without a network.
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { layout } from './layout.ts'
import { siteGroups } from './pages.ts'
import { type RenderedPage, renderPage } from './render.ts'

const ASSETS = join(import.meta.dirname, 'assets')
/** Marks a folder as one that this command has made and may replace. */
const MARKER = '.voice-studio-documents'

export type BuiltSite = { readonly pages: number; readonly broken: readonly string[] }

/**
 * Writes the site of the documents below `root` into `out`, which is replaced. `broken`: links, anchors and pictures that lead nowhere; the site
 * is written all the same, but for them. Throws if `out` has files of another kind.
 */
export function buildSite(root: string, out: string): BuiltSite {
  if (existsSync(out) && !existsSync(join(out, MARKER))) throw new Error(`${out} is not a site of documents. Name a new folder.`)
  rmSync(out, { recursive: true, force: true })
  const groups = siteGroups(root)
  const pages = groups.flatMap((group) => group.pages)
  const addresses = new Map(pages.map(({ source, address }) => [source, address]))
  // A folder is its README, and the folder of the decisions is the first of them.
  const addressOf = (source: string) =>
    addresses.get(source) ?? addresses.get(`${source}/README.md`) ?? pages.find((page) => page.source.startsWith(`${source}/`))?.address
  const rendered = new Map(pages.map(({ source }) => [source, renderPage(source, readFileSync(join(root, source), 'utf8'), { addressOf })]))
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(out, path)), { recursive: true })
    writeFileSync(join(out, path), text)
  }
  write(MARKER, '')
  for (const { source, address } of pages)
    write(address, layout({ page: rendered.get(source)!, address, groups, titleOf: (path) => rendered.get(path)!.title }))
  for (const name of ['site.css', 'search.js']) write(`assets/${name}`, readFileSync(join(ASSETS, name), 'utf8'))
  write('assets/icon.svg', readFileSync(join(root, 'control-plane/web/icon.svg'), 'utf8'))
  const entries = pages.flatMap(({ source, address }) => {
    const { title, sections } = rendered.get(source)!
    return sections.map(({ id, title: heading, text }, at) => [
      at === 0 ? address : `${address}#${id}`,
      title,
      at === 0 ? '' : heading,
      text,
    ])
  })
  // A script, because pages that were opened from a folder may not fetch.
  write('assets/index.js', `globalThis.documents = ${JSON.stringify(entries)}\n`)
  const pictures = new Set([...rendered.values()].flatMap((page) => page.pictures).filter((path) => existsSync(join(root, path))))
  for (const path of pictures) {
    mkdirSync(dirname(join(out, path)), { recursive: true })
    copyFileSync(join(root, path), join(out, path))
  }
  return { pages: pages.length, broken: brokenLinks(root, rendered) }
}

/** Links to files that do not exist, to headings that a document does not have, and pictures that are missing or are not described. */
function brokenLinks(root: string, rendered: ReadonlyMap<string, RenderedPage>): string[] {
  return [...rendered].flatMap(([source, { links, pictures, html }]) => [
    ...links.flatMap((link) => {
      const [path = '', anchor] = link.split('#')
      if (!existsSync(join(root, path))) return [`${source}: ${path} does not exist.`]
      const target = rendered.get(path) ?? rendered.get(`${path}/README.md`)
      return anchor === undefined || target?.headings.some(({ id }) => id === anchor)
        ? []
        : [`${source}: ${path} has no heading #${anchor}.`]
    }),
    ...pictures.filter((path) => !existsSync(join(root, path))).map((path) => `${source}: the picture ${path} does not exist.`),
    ...(/<img [^>]*alt=""/.test(html) ? [`${source}: a picture has no description.`] : []),
  ])
}
