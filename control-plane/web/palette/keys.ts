// The keys of the whole studio. Keys of one letter work outside of fields only and can be turned off.

import { useEffect, useRef } from '../lib/html.ts'
import { seekBy, togglePlaying } from '../look/sound.ts'

/** Key in the browser's storage that turns them off. */
export const LETTERS_KEY = 'voice-studio-letters'
/** Milliseconds that `g` waits for its second letter. */
const WAIT_MS = 1500
/** Milliseconds that letters are kept for a palette that is not there yet. */
const EARLY_MS = 5000
const STEP_SECONDS = 5
const LONG_STEP_SECONDS = 10
/** The letter after `g`. */
export const PAGE_KEYS: Readonly<Record<string, string>> = {
  h: 'home',
  s: 'speak',
  d: 'dub',
  b: 'audiobook',
  t: 'transcribe',
  p: 'projects',
  v: 'voices',
  f: 'files',
  j: 'jobs',
  m: 'machines',
  o: 'models',
}
/** Elements that use the keys themselves. */
const OWN_KEYS = 'input, textarea, select, [contenteditable], dialog[open], [role="slider"]'
const PRESSED = 'button, a, summary, audio, video'

let early = { text: '', until: 0 }
/** Letters typed since the palette was asked for; a palette that is loaded for the first time is not there at once. */
export function typedEarly() {
  const { text } = early
  early = { text: '', until: 0 }
  return text
}

/** True if keys of one letter work. */
export const areLettersOn = () => localStorage.getItem(LETTERS_KEY) !== 'off'

export type KeyActions = {
  onPalette: () => void
  onHelp: () => void
  onRail: () => void
  hasPage: (page: string) => boolean
}

export function useKeys(actions: KeyActions) {
  const newest = useRef(actions)
  newest.current = actions
  useEffect(() => {
    let wentAt = Number.NEGATIVE_INFINITY
    /** Returns true if the key was used. */
    const letter = ({ key, shiftKey, timeStamp }: KeyboardEvent, target: Element | null): boolean => {
      const page = PAGE_KEYS[key]
      if (timeStamp - wentAt < WAIT_MS) {
        wentAt = Number.NEGATIVE_INFINITY
        if (page === undefined || !newest.current.hasPage(page)) return false
        location.hash = page === 'home' ? '#/' : `#/${page}`
        return true
      }
      if (key === 'g') {
        wentAt = timeStamp
        return true
      }
      if (key === '?') {
        newest.current.onHelp()
        return true
      }
      if (key === '/') {
        const filter = document.querySelector('main input[type="search"]')
        if (filter instanceof HTMLInputElement) filter.focus()
        return filter !== null
      }
      // A film has these keys for itself.
      if (/^[jkl]$/.test(key) && document.querySelector('main video') === null)
        return key === 'k' ? togglePlaying() : seekBy(key === 'j' ? -LONG_STEP_SECONDS : LONG_STEP_SECONDS)
      if (key === ' ') return target?.closest(PRESSED) ? false : togglePlaying()
      if (shiftKey && (key === 'ArrowLeft' || key === 'ArrowRight')) return seekBy(key === 'ArrowLeft' ? -STEP_SECONDS : STEP_SECONDS)
      return false
    }
    const press = (event: KeyboardEvent) => {
      const { key, defaultPrevented, altKey, shiftKey } = event
      if (defaultPrevented || altKey) return
      const target = event.target instanceof Element ? event.target : null
      if (event.ctrlKey || event.metaKey) {
        if (shiftKey || document.querySelector('dialog[open]')) return
        if (key.toLowerCase() === 'k') {
          early.until = event.timeStamp + EARLY_MS
          newest.current.onPalette()
        } else if (key.toLowerCase() === 'b' && !target?.closest(OWN_KEYS)) newest.current.onRail()
        else return
      } else if (event.timeStamp < early.until && [...key].length === 1) early.text += key
      else if (
        !areLettersOn() ||
        target?.closest(OWN_KEYS) ||
        document.querySelector('dialog[open], .popover:popover-open') ||
        !letter(event, target)
      )
        return
      event.preventDefault()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}
