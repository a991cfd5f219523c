// @ts-check
// The draft of the text and its settings. It survives a reload of the page, in this browser tab only.
import { useEffect, useState } from '../../lib/html.js'
import { notify } from '../../lib/notices.js'
import { strings } from '../../lib/strings.js'

/** @typedef {'wav' | 'mp3' | 'flac' | 'opus' | 'aac'} Kind */
/**
 * @typedef {object} Draft
 * @property {string} text
 * @property {string} engine '' is the default engine
 * @property {string} voice '' is the default voice
 * @property {string} speed
 * @property {string} seed '' is a new seed
 * @property {string} language
 * @property {string} instruct
 * @property {Kind} kind
 */

/** Of a text that becomes a take. */
export const TAKE_CHARS = 200_000
/** Of a text that becomes another kind of file. */
export const FILE_CHARS = 4096
const KEY = 'voice-studio-draft'
const SETTLE_MS = 300
/** @type {Draft} */
const EMPTY = { text: '', engine: '', voice: '', speed: '1', seed: '', language: '', instruct: '', kind: 'wav' }
/** @type {readonly Kind[]} */
export const KINDS = ['wav', 'mp3', 'flac', 'opus', 'aac']

/** @param {unknown} text @returns {Kind} */
export const kindOf = (text) => KINDS.find((kind) => kind === text) ?? 'wav'

/** @returns {Draft} */
function storedDraft() {
  try {
    /** @type {unknown} */
    const saved = JSON.parse(sessionStorage.getItem(KEY) ?? '{}')
    const fields = Object.entries(saved ?? {}).filter(([name, value]) => name in EMPTY && typeof value === 'string')
    const draft = { ...EMPTY, ...Object.fromEntries(fields) }
    return { ...draft, kind: kindOf(draft.kind) }
  } catch {
    return EMPTY
  }
}

/** @type {Draft | null} */
let current = null
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer
/** @type {Set<(draft: Draft) => void>} */
const watchers = new Set()

function store() {
  if (timer === undefined) return
  clearTimeout(timer)
  timer = undefined
  try {
    sessionStorage.setItem(KEY, JSON.stringify(current))
  } catch {} // a full storage only loses the draft on reload
}
globalThis.addEventListener?.('pagehide', store)

export const readDraft = () => (current ??= storedDraft())

/** Also in the fields that are shown. A long text is not stored with every key. @param {Draft} draft */
export function saveDraft(draft) {
  current = draft
  for (const watch of watchers) watch(draft)
  clearTimeout(timer)
  timer = setTimeout(store, SETTLE_MS)
}

/** @param {Partial<Draft>} more */
export const changeDraft = (more) => saveDraft({ ...readDraft(), ...more })

/** Speak shows a text; the one that it replaces comes back with Undo. @param {string} text */
export function sendToSpeak(text) {
  const { text: before } = readDraft()
  changeDraft({ text })
  location.hash = '#/speak'
  if (before.trim() !== '' && before !== text)
    notify(strings.textReplaced, 'good', { label: strings.undo, run: () => changeDraft({ text: before }) })
}

/** The draft; the component is drawn again with every change. */
export function useDraft() {
  const [draft, setDraft] = useState(readDraft)
  useEffect(() => {
    watchers.add(setDraft)
    return () => void watchers.delete(setDraft)
  }, [])
  return draft
}
