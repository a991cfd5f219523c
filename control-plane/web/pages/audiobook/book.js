// @ts-check
// The book that is being prepared, kept in this browser over a reload. A database, because other storage is too small for a novel.
import { useEffect, useState } from '../../lib/html.js'
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
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer
/** @type {Set<() => void>} */
const watchers = new Set()

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const settled = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

/** @param {IDBTransactionMode} mode */
async function openStore(mode) {
  const request = indexedDB.open(DATABASE, 1)
  request.onupgradeneeded = () => request.result.createObjectStore(STORE)
  return (await settled(request)).transaction(STORE, mode).objectStore(STORE)
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
    kept = await settled((await openStore('readonly')).get(KEY))
  } catch {
    // The browser keeps nothing.
  }
  const newest = local && local.at > (kept?.at ?? 0) ? local : kept
  if (typeof newest?.text === 'string' && state === NO_BOOK) {
    const { text, at: _, ...fields } = newest
    state = { ...NO_BOOK, ...fields, chapters: text === '' ? [] : chaptersOf(text) }
  }
  isRead = true
  for (const watch of watchers) watch()
}

function snapshot() {
  const { chapters, ...fields } = state
  return { ...fields, text: textOf(chapters), at: Date.now() }
}

async function write() {
  timer = undefined
  try {
    await settled((await openStore('readwrite')).put(snapshot(), KEY))
  } catch {
    // The book lasts as long as the tab.
  }
}

function writeLocal() {
  if (timer === undefined) return
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
  for (const watch of watchers) watch()
  clearTimeout(timer)
  timer = setTimeout(write, SETTLE_MS)
}

/** @param {Partial<Book> & { text: string }} book */
export function openBook({ text, ...fields }) {
  state = NO_BOOK
  changeBook({ ...fields, chapters: chaptersOf(text) })
  clearTimeout(timer)
  void write()
}

/** The component is drawn again with every change. @returns {{ book: Book, isRead: boolean }} */
export function useBook() {
  const [now, set] = useState({ book: state, isRead })
  useEffect(() => {
    const watch = () => set({ book: state, isRead })
    watchers.add(watch)
    if (isRead) watch()
    else void read()
    return () => void watchers.delete(watch)
  }, [])
  return now
}

globalThis.addEventListener?.('pagehide', writeLocal)
