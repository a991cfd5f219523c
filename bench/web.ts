// The budgets of the web studio with a full library: requests and bytes of the first view, how long each page takes until its content is drawn, its
// longest task, its rows, how it moves, and typing in the longest texts. Needs Chromium: ./studio setup --tests.

import { join } from 'node:path'
import { createDubStore } from '#control-plane/features/dubbing/store/dub-store.ts'
import { builtFolder } from '#control-plane/features/operate/system/pages/built.ts'
import { brotliOf, listWebFiles } from '#control-plane/features/operate/system/web-files.ts'
import { openDatabase } from '#control-plane/store/database.ts'
import { restrictNewFiles } from '#shared/runtime/access/private-folder.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { dubLine } from '#test/support/builders/dub-line.ts'
import { NO_BROWSER, openPage } from '#test/support/web/browser.ts'
import { type FirstView, firstView, keysToFrame, scrolling, typing } from '#test/support/web/page-speed.ts'
import { PAGE } from './library.ts'
import { enrolOffline } from './support/enrolled.ts'
import { fillLibrary } from './support/filled-library.ts'
import { closeClient, post, startStudio } from './support/peers.ts'
import { median, quantile, title } from './support/rounds.ts'

const KB = 1000
const SECOND_US = 1_000_000
const ROUNDS = 5
const [TAKES, TASKS, MACHINES, LINES, CHAPTERS] = [10_000, 10_000, 1_000, 2_000, 300]
const CHAPTER_CHARS = 2_500
const LONG_TEXT = 200_000
const FIELD = 'main textarea'
/** Only this part; all without it. */
const PART = process.env['STUDIO_BENCH_PART']
/** `shows`: selector of what is there once the content is drawn. `moves`: what scrolls; the document without it. */
type View = { readonly name: string; readonly address: string; readonly shows: string; readonly rows: string; readonly moves?: string }
/** Stands for the address of the book that the bench creates. */
const BOOK = 'book'
const VIEWS: readonly View[] = [
  { name: 'Home', address: '', shows: '.recent li, .recent a', rows: 'main li' },
  { name: 'Tools (nothing to read)', address: 'tools', shows: '.tools a', rows: '.tools a' },
  { name: 'Speak', address: 'speak', shows: '.take', rows: '.take' },
  { name: 'Files', address: 'files', shows: '.list-table tbody tr', rows: '.list-table tbody tr' },
  { name: 'Jobs', address: 'jobs/work', shows: '[data-task]', rows: '[data-task]' },
  { name: 'Machines', address: 'machines', shows: '[data-machine]:nth-child(15)', rows: '[data-machine]' },
  { name: 'Dub', address: 'dub/full', shows: '.dub-rows textarea', rows: '.dub-rows > .dub-line', moves: '.dub-rows' },
  { name: 'Audiobook', address: BOOK, shows: '.outline li', rows: '.outline li', moves: '.outline ol' },
  ...['transcribe', 'tools/batch', 'projects', 'voices', 'voices/gallery', 'models', 'settings', 'setup', 'health'].map((address) => ({
    name: `${address[0]!.toUpperCase()}${address.slice(1)}`,
    address,
    shows: 'main h1',
    rows: 'main li, main tr',
  })),
]

function addDub(dataDir: string): void {
  const db = openDatabase(join(dataDir, 'studio.db'))
  try {
    const { dubs, segments } = createDubStore({ db })
    const digest = 'a'.repeat(64)
    dubs.create({ id: 'full', filename: 'Film.mp4', inputType: 'video', sourceDigest: digest, createdAt: systemClock.now() })
    const sound = { durationUs: LINES * 3 * SECOND_US, sound: digest, speech: digest }
    dubs.change('full', { sound, sourceLang: 'de', fullTranscript: '', languageCode: 'es' })
    const text = 'A sentence of the usual length, as people say it.'
    const lines = Array.from({ length: LINES }, (_, at) => {
      const times = { startUs: 3 * at * SECOND_US, endUs: (3 * at + 2) * SECOND_US }
      return dubLine({ id: `s${String(at).padStart(5, '0')}`, ...times, text, speakerId: `Speaker ${(at % 4) + 1}` })
    })
    segments.replace('full', lines)
    segments.setTexts('full', 'es', Object.fromEntries(lines.map(({ id }) => [id, 'Una frase de la longitud habitual.'])))
  } finally {
    db.close()
  }
}

const manuscript = () =>
  Array.from({ length: CHAPTERS }, (_, at) => `# Chapter ${at + 1}\n\n${'The lamp was lit at five. '.repeat(CHAPTER_CHARS / 26)}\n\n`).join(
    '',
  )

const line = (what: string, figure: string, isMet: boolean, budget: string) =>
  process.stdout.write(`${what.padEnd(42)} ${figure.padStart(12)}   ${isMet ? 'met' : 'MISSED'} (${budget})\n`)
const ms = (value: number) => `${value.toFixed(value < 10 ? 1 : 0)} ms`

/** Compressed scripts by the folder of a page, and of all files; without texts and the page for development. */
async function scriptBytes(): Promise<{ readonly all: number; readonly largest: { readonly page: string; readonly bytes: number } }> {
  const files = [...(await listWebFiles(await builtFolder()))].filter(
    ([name]) => name.endsWith('.js') && !/^(?:sign-in|pages\/design|texts)\//.test(name),
  )
  const pages = new Map<string, number>()
  let all = 0
  for (const [name, { body }] of files) {
    const bytes = (await brotliOf(body)).length
    all += bytes
    const page = /^pages\/([^/]+)\//.exec(name)?.[1]
    if (page) pages.set(page, (pages.get(page) ?? 0) + bytes)
  }
  const [page, bytes] = [...pages].sort((one, other) => other[1] - one[1])[0]!
  return { all, largest: { page, bytes } }
}

type Opened = Awaited<ReturnType<typeof openPage>>
/** The first visit of a browser that has nothing of the studio. */
async function measureFirst(origin: string): Promise<void> {
  const visits: FirstView[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const endings: (() => unknown)[] = []
    const { page } = await openPage({ after: (end) => void endings.push(end) }, 'about:blank')
    visits.push(await firstView(page, { ...VIEWS[0]!, url: `${origin}/#/` }))
    for (const end of endings) await end()
  }
  const { requests } = visits[0]!
  const of = (pattern: RegExp) => requests.filter(({ name }) => pattern.test(name))
  const bytes = (some: typeof requests) => some.reduce((sum, one) => sum + one.bytes, 0) / KB
  const [scripts, styles] = [of(/\.js$/), of(/\.css$/)]
  line('requests of the first view', String(requests.length), requests.length <= 45, 'at most 45')
  process.stdout.write(
    `  the page, ${scripts.length} scripts, ${styles.length} styles, ${requests.length - 1 - scripts.length - styles.length} others\n`,
  )
  line('scripts of the first view', `${bytes(scripts).toFixed(0)} KB`, bytes(scripts) <= 90, 'at most 90 KB')
  line('styles of the first view', `${bytes(styles).toFixed(0)} KB`, bytes(styles) <= 20, 'at most 20 KB')
  const first = median(visits.map(({ firstMs }) => firstMs))
  line('first view without a cache', ms(first), first <= 400, 'at most 400 ms')
  const shift = Math.max(...visits.map((one) => one.shift))
  line('layout shift', shift.toFixed(3), shift < 0.01, 'below 0.01')
  const { all, largest } = await scriptBytes()
  line('scripts in all, without texts', `${(all / KB).toFixed(0)} KB`, all <= 200 * KB, 'at most 200 KB')
  line(`scripts of the largest page, ${largest.page}`, `${(largest.bytes / KB).toFixed(0)} KB`, largest.bytes <= 40 * KB, 'at most 40 KB')
}

/** `book`: address of the book. */
async function measureViews({ page }: Opened, origin: string, book: string): Promise<void> {
  const addressOf = ({ address }: View) => `${origin}/#/${address === BOOK ? book : address}`
  const seen = new Map<View, FirstView[]>(VIEWS.map((view) => [view, []]))
  for (let round = -1; round < ROUNDS; round++)
    for (const view of VIEWS) {
      const found = await firstView(page, { ...view, url: addressOf(view) })
      if (round >= 0) seen.get(view)!.push(found)
    }
  for (const [{ name }, found] of seen) {
    const [first, longest] = [median(found.map(({ firstMs }) => firstMs)), median(found.map(({ longestTaskMs }) => longestTaskMs))]
    line(`${name}: first view`, ms(first), first <= 400, 'at most 400 ms')
    line(`${name}: longest task`, ms(longest), longest <= 50, 'at most 50 ms')
    const shift = Math.max(...found.map((one) => one.shift))
    line(`${name}: layout shift`, shift.toFixed(3), shift <= 0.01, 'at most 0.01')
    line(`${name}: rows drawn`, String(found[0]!.rows), found[0]!.rows <= 200, 'at most 200')
  }
  for (const view of VIEWS.filter(({ moves }) => moves)) {
    await firstView(page, { ...view, url: addressOf(view) })
    const p95 = quantile(await scrolling(page, view.moves!), 0.95)
    line(`${view.name}: a frame while it scrolls, p95`, ms(p95), p95 <= 17.5, 'at most 17 ms')
  }
}

/** A text of paragraphs with room for what is typed. */
const longText = () => `${'The lamp was lit at five. '.repeat(20)}\n`.repeat(Math.ceil(LONG_TEXT / 521)).slice(0, LONG_TEXT - 1000)

/** Medians of the keys of each round, at three places of a long text and in a short one, which needs as long as the browser itself does. */
async function measureKeys({ page }: Opened, origin: string): Promise<void> {
  const text = longText()
  const places = [
    { name: 'a sentence', text: 'The lamp was lit at five.', at: 1 },
    { name: '200,000 characters, at the beginning', text, at: 0 },
    { name: '200,000 characters, in the middle', text, at: 0.5 },
    { name: '200,000 characters, at the end', text, at: 1 },
  ]
  const rounds = new Map<string, number[]>(places.map(({ name }) => [name, []]))
  for (let round = -1; round < ROUNDS; round++)
    for (const { name, ...place } of places) {
      await firstView(page, { url: `${origin}/#/speak`, shows: FIELD, rows: FIELD })
      const key = median(await keysToFrame(page, FIELD, place))
      if (round >= 0) rounds.get(name)!.push(key)
    }
  for (const [name, keys] of rounds) line(`a key to its frame: ${name}`, ms(median(keys)), median(keys) <= 16, 'at most 16 ms')
}

async function measureTyping({ page }: Opened, origin: string, book: string): Promise<void> {
  const text = longText()
  for (const { name, address, field, fill } of [
    { name: 'Speak, 200,000 characters', address: 'speak', field: FIELD, fill: text },
    { name: 'Dub, 2,000 lines', address: 'dub/full', field: '.dub-rows textarea', fill: '' },
    { name: 'Audiobook, 300 chapters', address: book, field: '.book-script textarea', fill: '' },
  ]) {
    await firstView(page, { url: `${origin}/#/${address}`, shows: field, rows: field })
    const p95 = quantile(await typing(page, field, fill), 0.95)
    line(`a key in ${name}, p95`, ms(p95), p95 <= 16, 'at most 16 ms of work')
  }
}

export async function run(): Promise<void> {
  restrictNewFiles()
  title(
    `The web studio with ${TAKES} takes, ${TASKS} tasks, ${MACHINES} machines, a dub of ${LINES} lines and a book of ${CHAPTERS} chapters; bytes as they are sent`,
  )
  if (NO_BROWSER) return void process.stdout.write(`${NO_BROWSER}\n`)
  const prepare = async (dataDir: string) => {
    if (PART === 'keys') return
    fillLibrary(dataDir, { ...PAGE, takes: TAKES })
    addDub(dataDir)
    await enrolOffline(dataDir, MACHINES)
  }
  // For development each page is compared with its sources first, which users do not wait for.
  const studio = await startStudio(prepare, { STUDIO_DEVELOPMENT: '0' })
  const endings: (() => unknown)[] = []
  try {
    if (PART !== 'keys') await studio.ask({ flood: { count: TASKS, width: 200 } })
    const origin = `http://127.0.0.1:${studio.port}`
    if (PART !== 'keys') await measureFirst(origin)
    const opened = await openPage({ after: (end) => void endings.push(end) }, `${origin}/#/tools`)
    if (PART === 'keys') return await measureKeys(opened, origin)
    const state = { text: manuscript(), title: 'A long book' }
    const { body } = await post(studio.port, '/projects', JSON.stringify({ name: state.title, state, kind: 'book' }))
    const book = `audiobook/${JSON.parse(body.toString()).id}`
    await measureViews(opened, origin, book)
    // The text of a book is typed in its second view.
    await opened.page.evaluate(`localStorage.setItem('voice-studio-book-view', 'text')`)
    await measureTyping(opened, origin, book)
    await measureKeys(opened, origin)
    // The film of the dub does not exist.
    for (const complaint of opened.complaints.filter((one) => !/404|ERR_/.test(one))) process.stdout.write(`complaint: ${complaint}\n`)
  } finally {
    for (const end of endings.reverse()) await end()
    closeClient()
    studio.kill()
  }
}
