// The transcript that is open: a project of the studio. Changes that the studio has not yet outlive a reload in the storage of the browser.
import { at } from '#control-plane/web/at.ts'
import { createKeeper, type Unsaved } from '#control-plane/web/kept-project/keeper.ts'
import { fieldOf } from '#control-plane/web/lib/api.ts'
import { useLayoutEffect, useState } from '#control-plane/web/lib/html.ts'
import { strings } from '#messages/create/transcribe.ts'
import { type Content, contentFrom } from './content.ts'

export const TRANSCRIPT = 'transcript'
const NAME_CHARS = 200
const MOST_STEPS = 200
const UNSAVED = 'voice-studio-transcript-unsaved-'
const NOTHING = contentFrom(null)

let state = { project: '', content: NOTHING, earlier: [] as readonly Content[] }
const watchers: Set<() => void> = new Set()

function change(next: typeof state) {
  state = next
  for (const watch of watchers) watch()
}

/** Name of a transcript that was not renamed. */
const nameOf = ({ file }: Content) =>
  file
    .replace(/\.[^.]{1,8}$/, '')
    .slice(0, NAME_CHARS)
    .trim() || strings.title

export const transcriptKeeper = createKeeper<Content>({
  kind: TRANSCRIPT,
  revisionKey: 'voice-studio-transcript-revision',
  now: () => ({ project: state.project, content: state.content }),
  show: ({ project, content }) => change({ project, content, earlier: content === state.content ? state.earlier : [] }),
  parse: contentFrom,
  nameOf,
  isEmpty: ({ job, segments }) => job === '' && segments.length === 0,
  saved: (project) => localStorage.removeItem(UNSAVED + project),
})

function keepUnsaved() {
  const unsaved = transcriptKeeper.unsaved()
  if (unsaved === null || unsaved.project === '') return
  try {
    localStorage.setItem(UNSAVED + unsaved.project, JSON.stringify(unsaved))
  } catch {} // the storage is full or turned off: the page said that the last change is not saved
}
globalThis.addEventListener?.('pagehide', keepUnsaved)
globalThis.document?.addEventListener('visibilitychange', () =>
  document.hidden ? void transcriptKeeper.write() : void transcriptKeeper.refresh(),
)

/** Changes of a project that an earlier page did not save. */
function unsavedOf(project: string): Unsaved<Content> | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(UNSAVED + project) ?? 'null')
    const revision = fieldOf(kept, 'revision')
    return typeof revision === 'number' ? { project, revision, content: contentFrom(fieldOf(kept, 'content')) } : null
  } catch {
    return null // another program wrote it
  }
}

/** Shows a transcript of the studio. Throws ApiError. */
export async function openTranscript(project: string) {
  if (state.project === project) return transcriptKeeper.refresh()
  await transcriptKeeper.open(project, unsavedOf(project))
}

/** Takes a transcript that is about to be deleted from the page. */
export async function closeTranscript(project: string) {
  if (state.project === project) await transcriptKeeper.restart(NOTHING, true)
}

export function changeTranscript(next: (content: Content) => Content) {
  const content = next(state.content)
  if (content === state.content) return
  change({ ...state, content, earlier: [...state.earlier, state.content].slice(-MOST_STEPS) })
  transcriptKeeper.later()
}

/** Takes back the last change of this page. */
export function undoChange() {
  const before = state.earlier.at(-1)
  if (!before) return
  change({ ...state, content: before, earlier: state.earlier.slice(0, -1) })
  transcriptKeeper.later()
}

export const FORMATS = ['txt', 'srt', 'vtt', 'json'] as const
/** Downloads a file of the transcript as it is on the page. Throws why that cannot be saved. */
export async function download(project: string, format: (typeof FORMATS)[number]) {
  await transcriptKeeper.flush()
  const link = document.createElement('a')
  link.href = at(`/transcripts/${encodeURIComponent(project)}/file?format=${format}`)
  link.download = ''
  link.click()
}

/** The component is drawn again with every change. `project`: '' while none is open */
export function useTranscript() {
  const [now, set] = useState(state)
  useLayoutEffect(() => {
    const watch = () => set(state)
    watchers.add(watch)
    watch()
    return () => void watchers.delete(watch)
  }, [])
  return now
}
