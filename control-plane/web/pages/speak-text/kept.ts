// The draft as a project of the studio, so that it is there in another browser and after this one was closed. A save names the revision that it
// read: what was saved elsewhere meanwhile is never overwritten, and the person chooses.

import { ApiError, fieldOf, get, post, put } from '#control-plane/web/lib/api.ts'
import { useEffect, useState } from '#control-plane/web/lib/html.ts'
import { strings } from '#messages/create/speak.ts'
import type { Draft } from '../speak/draft.ts'
import { draftFrom, readDraft, saveDraft, watchDraft } from '../speak/draft.ts'

export type Kept = {
  /** `none`: there is nothing to keep */
  state: 'none' | 'saving' | 'saved' | 'failed' | 'conflict'
  /** saved elsewhere, in a conflict */
  theirs: Draft | null
}
export const SPEECH = 'speech'

const CONFLICT = 409
const AFTER_MS = 800
const RETRY_MS = 5000
const NAME_CHARS = 60
const REVISION_KEY = 'voice-studio-draft-revision'

let state: Kept = { state: 'none', theirs: null }
const watchers: Set<(kept: Kept) => void> = new Set()
/** Content that the studio has, as it was sent; null until it is known. */
let sent: string | null = null
/** Project, revision and name that were read or saved last. */
let known = { project: '', revision: 0, name: '' }
let timer: ReturnType<typeof setTimeout> | undefined
let isWriting = false
let isStarted = false

function change(more: Partial<Kept>) {
  if (Object.entries(more).every(([name, value]) => Reflect.get(state, name) === value)) return
  state = { ...state, ...more }
  for (const watch of watchers) watch(state)
}

function remember(project: string, revision: number, name: string) {
  known = { project, revision, name }
  try {
    sessionStorage.setItem(REVISION_KEY, JSON.stringify(known))
  } catch {} // a full storage asks again after a reload
}

/** Also after a reload of the page. */
function remembered(): typeof known {
  if (known.project !== '') return known
  try {
    const saved: unknown = JSON.parse(sessionStorage.getItem(REVISION_KEY) ?? 'null')
    const [project, revision, name] = ['project', 'revision', 'name'].map((field) => fieldOf(saved, field))
    if (typeof project === 'string' && typeof revision === 'number' && typeof name === 'string') known = { project, revision, name }
  } catch {} // another program wrote it
  return known
}

/** Name of a draft: its first words. */
const nameOf = (text: string) => text.trim().replaceAll(/\s+/g, ' ').slice(0, NAME_CHARS).trim() || strings.untitled

const contentOf = ({ project: _, ...content }: Draft) => JSON.stringify(content)

const pathOf = (project: string): `/projects/${string}` => `/projects/${encodeURIComponent(project)}`

async function read(project: string) {
  const { state: stored, revision = 1, name } = await get(pathOf(project))
  return { draft: { ...draftFrom(stored), project }, revision, name }
}
type Read = Awaited<ReturnType<typeof read>>

function adopt({ draft, revision, name }: Read) {
  remember(draft.project, revision, name)
  sent = contentOf(draft)
  saveDraft(draft)
  change({ state: 'saved', theirs: null })
}

/** The draft as a new project; `draft` was read before the request. */
async function create(draft: Draft) {
  const { project: _, ...content } = draft
  const name = nameOf(draft.text)
  const body = { name, state: content, kind: SPEECH, video_path: null, audio_path: null, duration: null }
  const { id, revision = 1 } = await post('/projects', body)
  remember(id, revision, name)
  // What was typed meanwhile belongs to it, unless another draft was opened.
  if (readDraft().project === draft.project) saveDraft({ ...readDraft(), project: id })
}

/** A name that a person gave stays. */
const isOwnName = (name: string) => sent !== null && name !== nameOf(String(fieldOf(JSON.parse(sent), 'text')))

async function replace(draft: Draft) {
  const { project, ...content } = draft
  const before = remembered()
  // Without the revision that this text began with it may not replace another one.
  if (before.project !== project) throw new ApiError(CONFLICT, strings.changedElsewhere, null)
  const name = isOwnName(before.name) ? before.name : nameOf(draft.text)
  const body = { name, state: content, revision: before.revision, video_path: null, audio_path: null, duration: null }
  const { revision = before.revision } = await put(pathOf(project), body)
  remember(project, revision, name)
}

async function write() {
  const draft = readDraft()
  const content = contentOf(draft)
  if (isWriting || state.state === 'conflict') return
  if (content === sent || (draft.project === '' && draft.text.trim() === ''))
    return change({ state: draft.project === '' ? 'none' : 'saved' })
  isWriting = true
  change({ state: 'saving' })
  try {
    await (draft.project === '' ? create(draft) : replace(draft))
    sent = content
    change({ state: 'saved' })
  } catch (error) {
    await refused(draft, error)
  }
  isWriting = false
  if (state.state === 'saved' && contentOf(readDraft()) !== sent) later()
}

async function refused(draft: Draft, error: unknown) {
  const status = error instanceof ApiError ? error.status : 0
  if (draft.project !== '' && status === 404) {
    // It was deleted elsewhere; what is in the field is kept as a new one.
    sent = null
    saveDraft({ ...readDraft(), project: '' })
  } else if (draft.project !== '' && status === CONFLICT) {
    const theirs = await read(draft.project).catch(() => null)
    if (theirs && contentOf(theirs.draft) === contentOf(readDraft())) return adopt(theirs)
    // Only its name was changed.
    if (theirs && contentOf(theirs.draft) === sent) remember(draft.project, theirs.revision, theirs.name)
    else if (theirs) return change({ state: 'conflict', theirs: theirs.draft })
  }
  change({ state: 'failed' })
  clearTimeout(timer)
  timer = setTimeout(write, RETRY_MS)
}

function later() {
  clearTimeout(timer)
  timer = setTimeout(write, AFTER_MS)
}

/** The draft that was opened last in any browser, or `project`. Throws ApiError. */
export async function openDraft(project: string) {
  await write()
  adopt(await read(project))
}

/** An empty draft with the voice of this one. */
export async function newDraft() {
  await write()
  sent = null
  saveDraft({ ...readDraft(), text: '', project: '' })
  change({ state: 'none', theirs: null })
}

/** Ends a conflict: the text of this page replaces the other one, or the other one comes into the field. */
export async function settleConflict(keep: 'mine' | 'theirs') {
  const { project } = readDraft()
  const theirs = await read(project)
  if (keep === 'theirs') return adopt(theirs)
  remember(project, theirs.revision, theirs.name)
  sent = null
  change({ state: 'saved', theirs: null })
  await write()
}

/** Takes over a save of another browser, unless something was changed in the field. */
async function refresh() {
  const draft = readDraft()
  if (draft.project === '' || document.hidden || isWriting || state.state === 'conflict') return
  const theirs = await read(draft.project).catch(() => null)
  if (!theirs || readDraft().project !== draft.project) return
  if (contentOf(theirs.draft) === contentOf(readDraft())) return adopt(theirs)
  const before = remembered()
  if (before.project === draft.project && before.revision === theirs.revision) return void write()
  if (sent === contentOf(readDraft())) adopt(theirs)
  else change({ state: 'conflict', theirs: theirs.draft })
}

/** Keeps the draft from now on. A browser without one gets the newest of the studio. Called when the page opens. */
export async function keepDraft() {
  if (!isStarted) {
    isStarted = true
    watchDraft(later)
    document.addEventListener('visibilitychange', () => (document.hidden ? void write() : void refresh()))
  }
  const { project, text } = readDraft()
  if (project !== '') return refresh()
  if (text.trim() !== '') return write()
  // What was chosen or typed meanwhile counts more.
  const nothing = contentOf(draftFrom(null))
  const newest = (await get('/projects').catch(() => [])).find(({ kind }) => kind === SPEECH)
  const theirs = newest && (await read(newest.id).catch(() => null))
  if (theirs && readDraft().project === '' && contentOf(readDraft()) === nothing) adopt(theirs)
}

export function useKept() {
  const [now, set] = useState(state)
  useEffect(() => {
    watchers.add(set)
    set(state)
    return () => void watchers.delete(set)
  }, [])
  return now
}
