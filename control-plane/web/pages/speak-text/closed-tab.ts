// Changes of a tab that was closed before the studio had them, which the next empty one shows.

import type { Keeper, Unsaved } from '#control-plane/web/kept-project/keeper.ts'
import { ApiError, fieldOf } from '#control-plane/web/lib/api.ts'
import type { Draft } from '../speak/draft.ts'
import { draftFrom, readDraft } from '../speak/draft.ts'

type Content = Omit<Draft, 'project'>

const GONE = 404

const contentOf = ({ project: _, ...content }: Draft): Content => content
/** True for a browser in which nothing was typed or chosen. */
const isUntouched = () => JSON.stringify(readDraft()) === JSON.stringify(draftFrom(null))

/** Null if another program wrote it. */
function unsavedIn(name: string): Unsaved<Content> | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(name) ?? 'null')
    const [project, revision, content] = ['project', 'revision', 'content'].map((field) => fieldOf(kept, field))
    if (typeof project !== 'string' || typeof revision !== 'number') return null
    return { project, revision, content: contentOf(draftFrom(content)) }
  } catch {
    return null
  }
}

/** Shows the changes, as a new draft if theirs is gone. Returns false in a tab that has a draft. `name`: in the storage of the browser */
export async function bringBack(name: string, draftKeeper: Keeper<Content>): Promise<boolean> {
  const unsaved = unsavedIn(name)
  if (!unsaved) return false
  const { project, content } = unsaved
  const json = JSON.stringify(content)
  if (!isUntouched()) {
    // This tab has it: it was only loaded again.
    if (readDraft().project === project && JSON.stringify(contentOf(readDraft())) === json) localStorage.removeItem(name)
    return false
  }
  try {
    if (project !== '') await draftKeeper.open(project, unsaved)
  } catch (error) {
    // It comes back when the studio can be reached.
    if (!(error instanceof ApiError && error.status === GONE)) return false
  }
  if (project === '') await draftKeeper.adoptNewest(isUntouched)
  // The studio may have got it when the tab was closed.
  const isThere = readDraft().project !== '' && (project !== '' || JSON.stringify(contentOf(readDraft())) === json)
  if (!isThere) await draftKeeper.restart(content)
  localStorage.removeItem(name)
  return true
}
