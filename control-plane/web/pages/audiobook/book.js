// @ts-check
// The book that is being prepared, kept in this browser over a reload. A database, because other storage is too small for a novel.
import { openStore, settled } from '../../lib/database.js'
import { useLayoutEffect, useState } from '../../lib/html.js'
import { chaptersOf, textOf } from './manuscript.js'

/** @import { Chapter } from './manuscript.js' */
/**
 * @typedef {object} Book
 * @property {readonly Chapter[]} chapters none: there is no book
 * @property {string} title
 * @property {string} author
 * @property {string | null} language of the file; null when it is not known
 * @property {string | null} cover
 * @property {string} narrator a voice; '' is the default one
 * @property {Readonly<Record<string, string>>} cast name in the manuscript -> voice
 * @property {readonly { readonly term: string, readonly say: string }[]} sayAs
 * @property {'m4b' | 'mp3'} format
 * @property {'' | 'acx' | 'podcast'} loudness
 * @property {boolean} speaksTitles
 * @property {boolean} hasReadAlong
 * @property {readonly string[]} notices of the import
 */

const [DATABASE, STORE, KEY] = ['voice-studio-book', 'book', 'current']
const SETTLE_MS = 500
const LOCAL_CHARS = 1_000_000
/** @type {Book} */
export const NO_BOOK = {
  ...{ chapters: [], title: '', author: '', language: null, cover: null, narrator: '', cast: {}, sayAs: [] },
  ...{ format: 'm4b', loudness: '', speaksTitles: false, hasReadAlong: false, notices: [] },
}
let state = NO_BOOK
let isRead = false
/** '' while the browser keeps every change. @type {'' | 'not-kept' | 'overtaken'} */
let trouble = ''
/** When the newest record was written that this tab has read or written: a newer one is of another tab. */
let revision = 0
/** Changes so far, and how many of them the database has. */
let [changes, written] = [0, 0]
/** @type {BroadcastChannel | null} */
let tabs = null
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer
/** @type {Set<() => void>} */
const watchers = new Set()

function tell() {
  for (const watch of watchers) watch()
}

/** Takes the book of a record. @param {any} record */
function take({ text, at: _, ...fields }) {
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

/** What another tab has written. */
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

/** @param {boolean} isNew whether it replaces every other book, as the person was asked */
async function write(isNew) {
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

/** Also while the database writes, because the page ends before it has. */
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

/** @param {Partial<Book>} more */
export function changeBook(more) {
  state = { ...state, ...more }
  changes++
  tell()
  clearTimeout(timer)
  timer = setTimeout(() => void write(false), SETTLE_MS)
}

/** @param {Partial<Book> & { text: string }} book */
export function openBook({ text, ...fields }) {
  state = NO_BOOK
  changeBook({ ...fields, chapters: chaptersOf(text) })
  clearTimeout(timer)
  void write(true)
}

/** The component is drawn again with every change. @returns {{ book: Book, isRead: boolean, trouble: typeof trouble }} */
export function useBook() {
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
