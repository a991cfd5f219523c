// The changes of a person in a dub, kept in this browser: the studio stores texts only when they are spoken.
import { useCallback, useEffect, useRef, useState } from '#control-plane/web/lib/html.ts'
import type { History } from '../dub-editor/history.ts'
import { amended, EMPTY_HISTORY, recorded, redone, undone } from '../dub-editor/history.ts'
import type { Draft } from './lines.ts'
import { EMPTY_DRAFT } from './lines.ts'
import { isSettled } from './stored.ts'

/** step: what the change belongs to; changes in a row with one name are undone together. Without a name it is not undone. */
export type Change = (next: (draft: Draft) => Draft, step?: string) => void
/** amend: changes every earlier state */
export type Undoing = {
  canUndo: boolean
  canRedo: boolean
  undo: () => void
  redo: () => void
  amend: (next: (draft: Draft) => Draft) => void
}

const PREFIX = 'voice-studio-dub-'
/** Number of dubs with drafts; older drafts without anything that the studio does not have make room. */
const MOST_KEPT = 10
const SETTLE_MS = 300

function parsed(text: string): { at: number; draft: Draft } | null {
  try {
    const value = JSON.parse(text)
    if (value?.version === 1 && typeof value.at === 'number' && typeof value.draft === 'object') return value
  } catch {
    // Not what this version wrote.
  }
  return null
}

const draftOf = (text: string | null): Draft => ({ ...EMPTY_DRAFT, ...parsed(text ?? '')?.draft })

function dropOldest() {
  const kept = Object.keys(localStorage)
    .filter((key) => key.startsWith(PREFIX))
    .map((key) => ({ key, at: parsed(localStorage.getItem(key) ?? '')?.at ?? 0 }))
    .sort((one, other) => other.at - one.at)
  for (const { key } of kept.slice(MOST_KEPT - 1)) if (isSettled(draftOf(localStorage.getItem(key)))) localStorage.removeItem(key)
}

/** Returns whether it is kept */
export function writeDraft(id: string, draft: Draft): boolean {
  const text = JSON.stringify({ version: 1, at: Date.now(), draft })
  try {
    if (localStorage.getItem(PREFIX + id) === null) dropOldest()
    localStorage.setItem(PREFIX + id, text)
    return true
  } catch {
    return false // the storage of the browser is full or turned off
  }
}

/** Removes the draft of a dub that was deleted. */
export function forgetDraft(id: string) {
  localStorage.removeItem(PREFIX + id)
}

/** The draft of a dub, and how it is changed. `isLost`: the browser did not keep the last change. */
export function useDraft(id: string): { draft: Draft; change: Change; undoing: Undoing; isLost: boolean } {
  const [draft, setDraft] = useState(() => draftOf(localStorage.getItem(PREFIX + id)))
  const [isLost, setLost] = useState(false)
  const latest = useRef(draft)
  const timer = useRef(undefined as ReturnType<typeof setTimeout> | undefined)
  const history = useRef(EMPTY_HISTORY as History)
  const write = useCallback(() => {
    if (timer.current === undefined) return
    clearTimeout(timer.current)
    timer.current = undefined
    setLost(!writeDraft(id, latest.current))
  }, [])
  const keep = useCallback((next: Draft) => {
    if (next === latest.current) return
    latest.current = next
    setDraft(next)
    clearTimeout(timer.current)
    timer.current = setTimeout(write, SETTLE_MS)
  }, [])
  const change: Change = useCallback((next, step) => {
    if (step !== undefined) history.current = recorded(history.current, latest.current, step)
    keep(next(latest.current))
  }, [])
  const go = (where: typeof undone) => {
    const next = where(history.current, latest.current)
    if (next === null) return
    history.current = next.history
    keep({ ...next.draft, sent: latest.current.sent })
  }
  const amend = useCallback((next: (draft: Draft) => Draft) => {
    history.current = amended(history.current, next)
  }, [])
  useEffect(() => {
    const reread = ({ key, newValue }: StorageEvent) => {
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
