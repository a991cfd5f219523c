// The draft of the text and its settings. It survives a reload of the page, in this browser tab only.
import { useEffect, useState } from '#control-plane/web/lib/html.ts'
import { notify } from '#control-plane/web/lib/notices.ts'
import { strings } from '#messages/shared.ts'

export type Kind = 'wav' | 'mp3' | 'flac' | 'opus' | 'aac'
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
  kind: Kind
}

/** Limit of a text that becomes a take. */
export const TAKE_CHARS = 200_000
/** Limit of a text that becomes another kind of file. */
export const FILE_CHARS = 4096
const KEY = 'voice-studio-draft'
const SETTLE_MS = 300
const EMPTY: Draft = { text: '', engine: '', voice: '', speed: '1', seed: '', language: '', instruct: '', kind: 'wav' }
export const KINDS: readonly Kind[] = ['wav', 'mp3', 'flac', 'opus', 'aac']

export const kindOf = (text: unknown): Kind => KINDS.find((kind) => kind === text) ?? 'wav'

function storedDraft(): Draft {
  try {
    const saved: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '{}')
    const fields = Object.entries(saved ?? {}).filter(([name, value]) => name in EMPTY && typeof value === 'string')
    const draft = { ...EMPTY, ...Object.fromEntries(fields) }
    return { ...draft, kind: kindOf(draft.kind) }
  } catch {
    return EMPTY
  }
}

let current: Draft | null = null
let timer: ReturnType<typeof setTimeout> | undefined
const watchers: Set<(draft: Draft) => void> = new Set()

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

/** Also in the fields that are shown. A long text is not stored with every key. */
export function saveDraft(draft: Draft) {
  current = draft
  for (const watch of watchers) watch(draft)
  clearTimeout(timer)
  timer = setTimeout(store, SETTLE_MS)
}

export const changeDraft = (more: Partial<Draft>) => saveDraft({ ...readDraft(), ...more })

/** Speak shows a text; the one that it replaces comes back with Undo. */
export function sendToSpeak(text: string) {
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
