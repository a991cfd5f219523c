// The book that is being prepared, kept in this browser over a reload. A database, because other storage is too small for a novel.
import { openStore, settled } from '#control-plane/web/lib/database.ts'
import { useLayoutEffect, useState } from '#control-plane/web/lib/html.ts'
import type { Chapter, LeftOut } from './manuscript.ts'
import { chaptersOf, textOf } from './manuscript.ts'

export type Book = {
  /** none: there is no book */
  chapters: readonly Chapter[]
  title: string
  author: string
  /** language of the file; null when it is not known */
  language: string | null
  cover: string | null
  /** a voice; '' is the default one */
  narrator: string
  /** name in the manuscript -> voice */
  cast: Readonly<Record<string, string>>
  sayAs: readonly { readonly term: string; readonly say: string }[]
  format: 'm4b' | 'mp3'
  loudness: '' | 'acx' | 'podcast'
  speaksTitles: boolean
  hasReadAlong: boolean
  /** notices of the import */
  notices: readonly string[]
  /** parts of the file that are not in the text */
  skipped: readonly LeftOut[]
  /** title of a chapter that the import switched off -> why */
  reasons: Readonly<Record<string, string>>
  /** milliseconds of silence after parts of the layout; those that are not here are the usual ones */
  pauses: Readonly<Record<string, number>>
}

const [DATABASE, STORE, KEY] = ['voice-studio-book', 'book', 'current']
const SETTLE_MS = 500
const LOCAL_CHARS = 1_000_000
export const NO_BOOK: Book = {
  ...{ chapters: [], title: '', author: '', language: null, cover: null, narrator: '', cast: {}, sayAs: [] },
  ...{ format: 'm4b', loudness: '', speaksTitles: false, hasReadAlong: false, notices: [] },
  ...{ skipped: [], reasons: {}, pauses: {} },
}
let state = NO_BOOK
let isRead = false
/** '' while the browser keeps every change. */
let trouble: '' | 'not-kept' | 'overtaken' = ''
/** When the newest record was written that this tab has read or written: a newer one is of another tab. */
let revision = 0
/** Changes so far, and how many of them the database has. */
let [changes, written] = [0, 0]
let tabs: BroadcastChannel | null = null
let timer: ReturnType<typeof setTimeout> | undefined
const watchers: Set<() => void> = new Set()

function tell() {
  for (const watch of watchers) watch()
}

/** A book as the browser keeps it. Fields of a newer version may be missing. `at`: when it was written, epoch milliseconds */
type Kept = Partial<Omit<Book, 'chapters'>> & { readonly text: string; readonly at: number }

/** Takes the book of a record. */
function take({ text, at: _, ...fields }: Kept) {
  state = { ...NO_BOOK, ...fields, chapters: text === '' ? [] : chaptersOf(text) }
}

/** A reload does not wait for the database: what is small enough is also kept in the storage that needs no waiting. */
function readLocal() {
  try {
    return JSON.parse(localStorage.getItem(DATABASE) ?? 'null')
  } catch {
    return null // not what this version wrote
  }
}

async function read() {
  const local = readLocal()
  let kept = null
  try {
    kept = await settled((await openStore(DATABASE, STORE, 'readonly')).get(KEY))
  } catch {
    // The browser keeps nothing.
  }
  const newest = local && local.at > (kept?.at ?? 0) ? local : kept
  if (typeof newest?.text === 'string' && state === NO_BOOK) take(newest)
  revision = newest?.at ?? 0
  isRead = true
  // Other tabs show what one has written, unless they have a change of their own that is written next.
  tabs ??= new BroadcastChannel(DATABASE)
  tabs.onmessage = () => void (timer === undefined && reread())
  tell()
}

/** Reads what another tab has written. */
async function reread() {
  try {
    const kept = await settled((await openStore(DATABASE, STORE, 'readonly')).get(KEY))
    if (typeof kept?.text !== 'string' || kept.at <= revision) return
    take(kept)
    revision = kept.at
    tell()
  } catch {
    // The next write says so.
  }
}

function snapshot() {
  const { chapters, ...fields } = state
  return { ...fields, text: textOf(chapters), at: Date.now() }
}

/** `isNew`: whether it replaces every other book, as the person was asked */
async function write(isNew: boolean) {
  timer = undefined
  const kept = snapshot()
  const upTo = changes
  const before = trouble
  try {
    const store = await openStore(DATABASE, STORE, 'readwrite')
    const stored = await settled(store.get(KEY))
    if (!isNew && typeof stored?.text === 'string' && stored.at > revision) {
      take(stored)
      revision = stored.at
      written = changes
      trouble = 'overtaken'
    } else {
      await settled(store.put(kept, KEY))
      revision = kept.at
      written = upTo
      trouble = ''
      tabs?.postMessage('')
    }
  } catch {
    trouble = 'not-kept' // the book lasts as long as the tab
  }
  if (trouble !== before || trouble === 'overtaken') tell()
}

/** Writes to the local storage, also while the database writes, because the page ends before it has. */
function writeLocal() {
  if (written === changes) return
  const kept = snapshot()
  if (kept.text.length > LOCAL_CHARS) return
  try {
    localStorage.setItem(DATABASE, JSON.stringify(kept))
  } catch {
    // The storage of the browser is full or turned off.
  }
}

export function changeBook(more: Partial<Book>) {
  state = { ...state, ...more }
  changes++
  tell()
  clearTimeout(timer)
  timer = setTimeout(() => void write(false), SETTLE_MS)
}

export function openBook({ text, ...fields }: Partial<Book> & { text: string }) {
  state = NO_BOOK
  changeBook({ ...fields, chapters: chaptersOf(text) })
  clearTimeout(timer)
  void write(true)
}

/** The component is drawn again with every change. */
export function useBook(): { book: Book; isRead: boolean; trouble: typeof trouble } {
  const [now, set] = useState({ book: state, isRead, trouble })
  useLayoutEffect(() => {
    const watch = () => set({ book: state, isRead, trouble })
    watchers.add(watch)
    if (isRead) watch()
    else void read()
    return () => void watchers.delete(watch)
  }, [])
  return now
}

globalThis.addEventListener?.('pagehide', writeLocal)
