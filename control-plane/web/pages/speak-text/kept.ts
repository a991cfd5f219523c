// The draft of Speak as a project of the studio.

import { createKeeper } from '#control-plane/web/kept-project/keeper.ts'
import { strings } from '#messages/create/speak.ts'
import type { Draft } from '../speak/draft.ts'
import { draftFrom, readDraft, saveDraft, watchDraft } from '../speak/draft.ts'

export const SPEECH = 'speech'
const NAME_CHARS = 60
type Content = Omit<Draft, 'project'>
const UNSAVED = 'voice-studio-draft-unsaved-'

let isStarted = false

const contentOf = ({ project: _, ...content }: Draft): Content => content

/** Its first words without tags, '' without any. */
export const nameOfDraft = ({ text }: Pick<Draft, 'text'>) =>
  text
    .trimStart()
    .slice(0, 4 * NAME_CHARS)
    .replaceAll(/\[(?:pause|voice)[^[\]]{0,50}\]/gi, '')
    .replaceAll(/\s+/g, ' ')
    .slice(0, NAME_CHARS)
    .trim()

export const draftKeeper = createKeeper<Content>({
  kind: SPEECH,
  revisionKey: 'voice-studio-draft-revision',
  now: () => ({ project: readDraft().project, content: contentOf(readDraft()) }),
  show: ({ project, content }) => saveDraft({ ...content, project }),
  parse: (state) => contentOf(draftFrom(state)),
  nameOf: (content) => nameOfDraft(content) || strings.untitled,
  isEmpty: ({ text }) => text.trim() === '',
  saved: (project) => localStorage.removeItem(UNSAVED + project),
})

/** The storage of the tab ends with it: changes that the studio does not have yet wait in that of the browser. */
function keepUnsaved() {
  const unsaved = draftKeeper.unsaved()
  if (unsaved === null) return
  try {
    localStorage.setItem(UNSAVED + unsaved.project, JSON.stringify(unsaved))
  } catch {} // the storage is full or turned off: the page said that the last change is not saved
}

function namesOfUnsaved() {
  try {
    return Object.keys(localStorage).filter((name) => name.startsWith(UNSAVED))
  } catch {
    return [] // the storage is turned off
  }
}

/** An empty draft with the voice of this one. */
export const newDraft = () => draftKeeper.restart({ ...contentOf(readDraft()), text: '' })

/** Keeps the draft from now on. A browser without one gets the newest of the studio. Called when the page opens. */
export async function keepDraft() {
  if (!isStarted) {
    isStarted = true
    watchDraft(draftKeeper.later)
    addEventListener('pagehide', keepUnsaved)
    document.addEventListener('visibilitychange', () => (document.hidden ? void draftKeeper.write() : void draftKeeper.refresh()))
  }
  // Changes of a tab that was closed, or of this one before it was loaded again.
  const closed = namesOfUnsaved().at(0)
  if (closed && (await (await import('./closed-tab.ts')).bringBack(closed, draftKeeper))) return
  const { project, text } = readDraft()
  if (project !== '') return draftKeeper.refresh()
  if (text.trim() !== '') return draftKeeper.write()
  // What was chosen or typed meanwhile counts more.
  const nothing = JSON.stringify(draftFrom(null))
  await draftKeeper.adoptNewest(() => JSON.stringify(readDraft()) === nothing)
}
