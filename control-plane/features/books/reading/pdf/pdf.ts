// PDF: text runs with their positions from pdf.js, and the chapters of the outline.
import { getDocumentProxy } from 'unpdf'
import { type ReadBook, toTitle, UnreadableBook } from '../book.ts'
import { type OutlineEntry, type Page, readPages } from './pages.ts'

type Proxy = Awaited<ReturnType<typeof getDocumentProxy>>

const MAX_PAGES = 10_000
const MAX_ENTRIES = 10_000
const DEEPEST = 2
/** Half of the pages have fewer characters: a scan. */
const MIN_CHARS = 20

/** Throws UnreadableBook for a damaged or protected file and for a scan. */
export async function readPdf(bytes: Uint8Array): Promise<ReadBook> {
  const document = await opened(bytes)
  if (document.numPages > MAX_PAGES) throw new UnreadableBook(`The PDF has more than ${MAX_PAGES} pages. Split it and import the parts.`)
  if (document.numPages < 1) throw new UnreadableBook('The PDF cannot be read: it says that it has no pages.')
  const pages: Page[] = []
  let damaged = 0
  for (let number = 1; number <= document.numPages; number++) {
    const page = await pageOf(document, number)
    if (page === null) damaged++
    pages.push(page ?? { height: 1, runs: [] })
  }
  const counts = pages.map(({ runs }) => runs.reduce((sum, { text }) => sum + text.trim().length, 0)).sort((a, b) => a - b)
  if ((counts[counts.length >> 1] ?? 0) < MIN_CHARS)
    throw new UnreadableBook('The PDF has no text: its pages are pictures (a scan). Run it through text recognition first.')
  const outline = await outlineOf(document).catch(() => [])
  const { chapters, skipped, notices } = readPages(pages, outline)
  const { title, author } = await aboutOf(document)
  return {
    title,
    author,
    language: null,
    cover: null,
    chapters,
    skipped,
    notices: damaged === 0 ? notices : [...notices, `${damaged} pages could not be read.`],
  }
}

async function opened(bytes: Uint8Array): Promise<Proxy> {
  try {
    // Its warnings go to the console otherwise, which is the output of this process.
    return await getDocumentProxy(new Uint8Array(bytes), {
      verbosity: 0,
      stopAtErrors: false,
      useSystemFonts: false,
    })
  } catch (error) {
    const { name } = error as Error
    if (name === 'PasswordException') throw new UnreadableBook('The PDF is protected with a password. Use a copy without one.')
    throw new UnreadableBook('The PDF cannot be read: it is damaged, or not a PDF.')
  }
}

/** Null for a damaged page. */
async function pageOf(document: Proxy, number: number): Promise<Page | null> {
  try {
    const page = await document.getPage(number)
    const [, bottom = 0, , top = 1] = page.view
    const { items } = await page.getTextContent()
    const runs = items.flatMap((item) => {
      if (!('str' in item) || item.str === '') return []
      const [a = 0, b = 0, , , x = 0, y = 0] = item.transform as number[]
      return [{ text: item.str, x, y: y - bottom, width: item.width, size: Math.hypot(a, b) || item.height }]
    })
    page.cleanup()
    return { height: Math.max(1, top - bottom), runs }
  } catch {
    return null
  }
}

async function aboutOf(document: Proxy): Promise<Pick<ReadBook, 'title' | 'author'>> {
  const info = await document.getMetadata().then(
    (metadata) => metadata.info as Record<string, unknown>,
    () => ({}) as Record<string, unknown>,
  )
  const field = (name: string) => (typeof info[name] === 'string' ? toTitle(info[name]) || null : null)
  return { title: field('Title'), author: field('Author') }
}

type Node = { readonly title: string; readonly dest: unknown; readonly items: readonly Node[] }

async function outlineOf(document: Proxy): Promise<OutlineEntry[]> {
  const found: OutlineEntry[] = []
  const visit = async (nodes: readonly Node[], depth: number): Promise<void> => {
    for (const { title, dest, items } of nodes) {
      if (found.length >= MAX_ENTRIES) return
      const page = await pageIndexOf(document, dest)
      if (page !== null) found.push({ title: toTitle(title), page })
      if (depth < DEEPEST) await visit(items, depth + 1)
    }
  }
  await visit(((await document.getOutline()) as readonly Node[] | null) ?? [], 1)
  return found
}

/** From 0; null for a target that is no page. */
async function pageIndexOf(document: Proxy, dest: unknown): Promise<number | null> {
  try {
    const explicit = typeof dest === 'string' ? await document.getDestination(dest) : dest
    const target: unknown = Array.isArray(explicit) ? explicit[0] : null
    if (typeof target === 'number') return target
    return target === null ? null : await document.getPageIndex(target as Parameters<Proxy['getPageIndex']>[0])
  } catch {
    return null
  }
}
