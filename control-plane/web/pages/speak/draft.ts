// The draft of the text and its settings in this tab, also after a reload; ../speak-text/kept.ts keeps it on the studio.
import type { SpeechEngines } from '#control-plane/web/lib/api-types.ts'
import { useEffect, useState } from '#control-plane/web/lib/html.ts'
import { notify } from '#control-plane/web/lib/notices.ts'
import { strings } from '#messages/shared.ts'

export type Draft = {
  text: string
  /** '' is the default engine */
  engine: string
  /** '' is the default voice */
  voice: string
  speed: string
  /** '' is a new seed */
  seed: string
  language: string
  instruct: string
  /** the project that keeps it; '' until there is one */
  project: string
}

/** `id`: '' is the default engine */
export const engineOf = (tts: SpeechEngines | null, id: string) => tts?.backends.find((one) => one.id === (id || tts.active))

const SEED = /^\d{0,15}$/
export const isSeed = (text: string) => SEED.test(text)
/** Limit of a text. */
export const TAKE_CHARS = 200_000
const KEY = 'voice-studio-draft'
const SETTLE_MS = 300
/** A pause of the typing. */
const TYPING_MS = 500
const EMPTY: Draft = { text: '', engine: '', voice: '', speed: '1', seed: '', language: '', instruct: '', project: '' }

/** With the ends of lines that a field has: places in the text are counted there and here. */
const withLines = (draft: Draft): Draft => (draft.text.includes('\r') ? { ...draft, text: draft.text.replaceAll(/\r\n?/g, '\n') } : draft)

/** The fields of a stored draft that are usable. */
export function draftFrom(saved: unknown): Draft {
  const fields = Object.entries(saved ?? {}).filter(([name, value]) => Object.hasOwn(EMPTY, name) && typeof value === 'string')
  return withLines({ ...EMPTY, ...Object.fromEntries(fields) })
}

function storedDraft(): Draft {
  try {
    return draftFrom(JSON.parse(sessionStorage.getItem(KEY) ?? '{}'))
  } catch {
    return EMPTY
  }
}

let current: Draft | null = null
let timer: ReturnType<typeof setTimeout> | undefined
const watchers: Set<(draft: Draft) => void> = new Set()

function store() {
  if (timer === undefined && settling === undefined) return
  clearTimeout(timer)
  timer = undefined
  try {
    sessionStorage.setItem(KEY, JSON.stringify(readDraft()))
  } catch {} // a full storage only loses the draft on reload
}
globalThis.addEventListener?.('pagehide', store)

/** Reads the field of the text, which was typed in since the last reading. */
let typed: (() => string) | null = null
let settling: ReturnType<typeof setTimeout> | undefined

export function readDraft(): Draft {
  current ??= storedDraft()
  const read = typed
  typed = null
  if (read) current = { ...current, text: read() }
  return current
}

/** Also in the fields that are shown. A long text is not stored with every key. */
export function saveDraft(draft: Draft) {
  typed = null
  clearTimeout(settling)
  settling = undefined
  const next = withLines(draft)
  current = next
  for (const watch of watchers) watch(next)
  clearTimeout(timer)
  timer = setTimeout(store, SETTLE_MS)
}

/** A key was pressed in the field of a long text, which is read when the typing pauses or its text is needed. */
export function noteTyping(read: () => string) {
  typed = read
  clearTimeout(settling)
  settling = setTimeout(settleTyping, TYPING_MS)
}

/** The text that was typed reaches what shows and stores it. */
export function settleTyping() {
  if (settling !== undefined) saveDraft(readDraft())
}

export const changeDraft = (more: Partial<Draft>) => saveDraft({ ...readDraft(), ...more })

/** Speak shows a text; the one that it replaces comes back with Undo. */
export function sendToSpeak(text: string) {
  const { text: before, project } = readDraft()
  // The draft before it stays on the studio.
  changeDraft({ text, project: before === text ? project : '' })
  location.hash = '#/speak'
  if (before.trim() !== '' && before !== text)
    notify(strings.textReplaced, 'good', { label: strings.undo, run: () => changeDraft({ text: before, project }) })
}

/** Returns how to end it. */
export function watchDraft(watch: (draft: Draft) => void) {
  watchers.add(watch)
  return () => void watchers.delete(watch)
}

/** The draft; the component is drawn again with every change. */
export function useDraft() {
  const [draft, setDraft] = useState(readDraft)
  useEffect(() => {
    setDraft(readDraft())
    return watchDraft(setDraft)
  }, [])
  return draft
}
