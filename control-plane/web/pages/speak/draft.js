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
const KEY = 'voice-studio-draft'
/** @type {Draft} */
const EMPTY = { text: '', engine: '', voice: '', speed: '1', seed: '', language: '', instruct: '', kind: 'wav' }
/** @type {readonly Kind[]} */
export const KINDS = ['wav', 'mp3', 'flac', 'opus', 'aac']

/** @param {unknown} text @returns {Kind} */
export const kindOf = (text) => KINDS.find((kind) => kind === text) ?? 'wav'

/** @returns {Draft} */
export function readDraft() {
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

/** @type {Set<(draft: Draft) => void>} */
const watchers = new Set()

/** Also in the fields that are shown. @param {Draft} draft */
export function saveDraft(draft) {
  for (const watch of watchers) watch(draft)
  try {
    sessionStorage.setItem(KEY, JSON.stringify(draft))
  } catch {} // a full storage only loses the draft on reload
}

/** Speak shows a text; the one that it replaces comes back with Undo. @param {string} text */
export function sendToSpeak(text) {
  const { text: before, ...rest } = readDraft()
  saveDraft({ ...rest, text })
  location.hash = '#/speak'
  if (before.trim() !== '' && before !== text)
    notify(strings.textReplaced, 'good', { label: strings.undo, run: () => saveDraft({ ...readDraft(), text: before }) })
}

/** @returns {[Draft, (more: Partial<Draft>) => void]} */
export function useDraft() {
  const [draft, setDraft] = useState(readDraft)
  useEffect(() => {
    watchers.add(setDraft)
    return () => void watchers.delete(setDraft)
  }, [])
  return [draft, (more) => saveDraft({ ...draft, ...more })]
}
