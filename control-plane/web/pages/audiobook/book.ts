// The manuscript that is open: a project of the studio. Changes that the studio has not yet outlive a reload in the storage of the browser.
import { createKeeper, type Unsaved } from '#control-plane/web/kept-project/keeper.ts'
import { fieldOf, post } from '#control-plane/web/lib/api.ts'
import { openStore, settled } from '#control-plane/web/lib/database.ts'
import { useLayoutEffect, useState } from '#control-plane/web/lib/html.ts'
import { strings } from '#messages/create/audiobook.ts'
import { type BookContent, contentFrom } from './content.ts'
import type { Chapter } from './manuscript.ts'
import { chaptersOf, textOf } from './manuscript.ts'

export type Book = Omit<BookContent, 'text'> & {
  /** none: there is no book */
  readonly chapters: readonly Chapter[]
}

export const BOOK = 'book'
const NAME_CHARS = 200
const UNSAVED = 'voice-studio-book-unsaved-'
/** Database in which versions before projects kept the only manuscript of a browser. */
const [OLD, OLD_STORE, OLD_KEY] = ['voice-studio-book', 'book', 'current']

const bookOf = ({ text, ...fields }: BookContent): Book => ({ ...fields, chapters: text === '' ? [] : chaptersOf(text) })
export const NO_BOOK = bookOf(contentFrom(null))
let state = { project: '', book: NO_BOOK }
const watchers: Set<() => void> = new Set()

function change(next: typeof state) {
  state = next
  for (const watch of watchers) watch()
}
const nameOf = ({ title, text }: BookContent) => (title || chaptersOf(text)[0]?.title || strings.untitled).slice(0, NAME_CHARS)

export const bookKeeper = createKeeper<BookContent>({
  kind: BOOK,
  revisionKey: 'voice-studio-book-revision',
  now: () => ({ project: state.project, content: contentFrom({ ...state.book, text: textOf(state.book.chapters) }) }),
  show: ({ project, content }) => change({ project, book: bookOf(content) }),
  parse: contentFrom,
  nameOf,
  isEmpty: ({ text }) => text.trim() === '',
  saved: (project) => localStorage.removeItem(UNSAVED + project),
})

function keepUnsaved() {
  const unsaved = bookKeeper.unsaved()
  if (unsaved === null || unsaved.project === '') return
  try {
    localStorage.setItem(UNSAVED + unsaved.project, JSON.stringify(unsaved))
  } catch {} // the storage is full or turned off: the page said that the last change is not saved
}
globalThis.addEventListener?.('pagehide', keepUnsaved)
globalThis.document?.addEventListener('visibilitychange', () => (document.hidden ? void bookKeeper.write() : void bookKeeper.refresh()))

/** Changes of a project that an earlier page did not save. */
function unsavedOf(project: string): Unsaved<BookContent> | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(UNSAVED + project) ?? 'null')
    const revision = fieldOf(kept, 'revision')
    return typeof revision === 'number' ? { project, revision, content: contentFrom(fieldOf(kept, 'content')) } : null
  } catch {
    return null // another program wrote it
  }
}

/** Shows a manuscript of the studio. Throws ApiError. */
export async function openBook(project: string) {
  if (state.project === project) return bookKeeper.refresh()
  await bookKeeper.open(project, unsavedOf(project))
}

/** A new manuscript on the studio, beside those that are there. Returns its project. Throws ApiError. */
export const beginBook = (content: Partial<BookContent> & { text: string }): Promise<string> => bookKeeper.begin(contentFrom(content))

export function changeBook(more: Partial<Book>) {
  change({ ...state, book: { ...state.book, ...more } })
  bookKeeper.later()
}

/** Saves a manuscript that is open and about to be deleted, if that is possible, and takes it from the page. */
export async function closeBook(project: string) {
  if (state.project !== project) return
  await bookKeeper.restart(contentFrom(null), true)
}

let moving: Promise<string | null> | null = null
/** Brings a manuscript of an earlier version from this browser to the studio, once. Returns its project; null without one. Throws ApiError. */
export function moveLocalBook() {
  moving ??= moveNow().catch((error) => {
    moving = null
    throw error
  })
  return moving
}

async function moveNow(): Promise<string | null> {
  const found: unknown[] = []
  try {
    found.push(JSON.parse(localStorage.getItem(OLD) ?? 'null'))
  } catch {} // another program wrote it
  try {
    found.push(await settled((await openStore(OLD, OLD_STORE, 'readonly')).get(OLD_KEY)))
  } catch {} // the browser keeps nothing
  const at = (one: unknown) => Number(fieldOf(one, 'at') ?? 0)
  const [newest] = found.filter((one) => fieldOf(one, 'text')).sort((one, other) => at(other) - at(one))
  let id: string | null = null
  if (newest) {
    const content = contentFrom(newest)
    const body = { name: nameOf(content), state: content, kind: BOOK, video_path: null, audio_path: null, duration: null }
    ;({ id } = await post('/projects', body))
  }
  localStorage.removeItem(OLD)
  globalThis.indexedDB?.deleteDatabase(OLD)
  return id
}

/** The component is drawn again with every change. `project`: '' while none is open */
export function useBook() {
  const [now, set] = useState(state)
  useLayoutEffect(() => {
    const watch = () => set(state)
    watchers.add(watch)
    watch()
    return () => void watchers.delete(watch)
  }, [])
  return now
}
