// @ts-check
// What a person changed in a dub, kept in this browser: the studio stores texts only when they are spoken.
import { useCallback, useEffect, useRef, useState } from '../../lib/html.js'
import { amended, EMPTY_HISTORY, recorded, redone, undone } from '../dub-editor/history.js'
import { EMPTY_DRAFT } from './lines.js'
import { isSettled } from './stored.js'

/** @import { History } from '../dub-editor/history.js' */
/** @import { Draft } from './lines.js' */
/** @typedef {(next: (draft: Draft) => Draft, step?: string) => void} Change step: what the change belongs to; changes in a row with one name are undone together. Without a name it is not undone. */
/** @typedef {{ canUndo: boolean, canRedo: boolean, undo: () => void, redo: () => void, amend: (next: (draft: Draft) => Draft) => void }} Undoing amend: changes every earlier state */

const PREFIX = 'voice-studio-dub-'
/** Of dubs; older drafts without anything that the studio does not have make room. */
const MOST_KEPT = 10
const SETTLE_MS = 300

/** @param {string} text @returns {{ at: number, draft: Draft } | null} */
function parsed(text) {
  try {
    const value = JSON.parse(text)
    if (value?.version === 1 && typeof value.at === 'number' && typeof value.draft === 'object') return value
  } catch {
    // Not what this version wrote.
  }
  return null
}

/** @param {string | null} text @returns {Draft} */
const draftOf = (text) => ({ ...EMPTY_DRAFT, ...parsed(text ?? '')?.draft })

function dropOldest() {
  const kept = Object.keys(localStorage)
    .filter((key) => key.startsWith(PREFIX))
    .map((key) => ({ key, at: parsed(localStorage.getItem(key) ?? '')?.at ?? 0 }))
    .sort((one, other) => other.at - one.at)
  for (const { key } of kept.slice(MOST_KEPT - 1)) if (isSettled(draftOf(localStorage.getItem(key)))) localStorage.removeItem(key)
}

/** @param {string} id @param {Draft} draft @returns {boolean} whether it is kept */
export function writeDraft(id, draft) {
  const text = JSON.stringify({ version: 1, at: Date.now(), draft })
  try {
    if (localStorage.getItem(PREFIX + id) === null) dropOldest()
    localStorage.setItem(PREFIX + id, text)
    return true
  } catch {
    return false // the storage of the browser is full or turned off
  }
}

/** Of a dub that was deleted. @param {string} id */
export function forgetDraft(id) {
  localStorage.removeItem(PREFIX + id)
}

/**
 * The draft of a dub, and how it is changed. `isLost`: the browser did not keep the last change.
 * @param {string} id
 * @returns {{ draft: Draft, change: Change, undoing: Undoing, isLost: boolean }}
 */
export function useDraft(id) {
  const [draft, setDraft] = useState(() => draftOf(localStorage.getItem(PREFIX + id)))
  const [isLost, setLost] = useState(false)
  const latest = useRef(draft)
  const timer = useRef(/** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined))
  const history = useRef(/** @type {History} */ (EMPTY_HISTORY))
  const write = useCallback(() => {
    if (timer.current === undefined) return
    clearTimeout(timer.current)
    timer.current = undefined
    setLost(!writeDraft(id, latest.current))
  }, [])
  const keep = useCallback((/** @type {Draft} */ next) => {
    if (next === latest.current) return
    latest.current = next
    setDraft(next)
    clearTimeout(timer.current)
    timer.current = setTimeout(write, SETTLE_MS)
  }, [])
  /** @type {Change} */
  const change = useCallback((next, step) => {
    if (step !== undefined) history.current = recorded(history.current, latest.current, step)
    keep(next(latest.current))
  }, [])
  const go = (/** @type {typeof undone} */ where) => {
    const next = where(history.current, latest.current)
    if (next === null) return
    history.current = next.history
    keep({ ...next.draft, sent: latest.current.sent })
  }
  const amend = useCallback((/** @type {(draft: Draft) => Draft} */ next) => {
    history.current = amended(history.current, next)
  }, [])
  useEffect(() => {
    const reread = (/** @type {StorageEvent} */ { key, newValue }) => {
      // What was typed here in this moment is written next.
      if (key !== PREFIX + id || newValue === null || timer.current !== undefined) return
      latest.current = draftOf(newValue)
      // An earlier state does not have what the other tab changed.
      history.current = EMPTY_HISTORY
      setDraft(latest.current)
    }
    addEventListener('storage', reread)
    addEventListener('pagehide', write) // a reload does not wait
    return () => {
      removeEventListener('storage', reread)
      removeEventListener('pagehide', write)
      write()
    }
  }, [])
  const { past, future } = history.current
  const undoing = { canUndo: past.length > 0, canRedo: future.length > 0, undo: () => go(undone), redo: () => go(redone), amend }
  return { draft, change, undoing, isLost }
}
