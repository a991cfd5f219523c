// Content of a page as a project of the studio, so that it is there in another browser and after this one was closed. A save names the revision
// that it read: what was saved elsewhere meanwhile is never overwritten, and the person chooses.

import { strings } from '#messages/shared.ts'
import { ApiError, fieldOf, get, messageOf, post, put } from '../lib/api.ts'
import { useEffect, useState } from '../lib/html.ts'

export type Kept<Content> = {
  /** `none`: there is nothing to keep */
  state: 'none' | 'saving' | 'saved' | 'failed' | 'conflict' | 'too-large'
  /** saved elsewhere, in a conflict */
  theirs: Content | null
  /** reason why it is not saved */
  error: string
}
/** project: '' until there is one */
export type Local<Content> = { readonly project: string; readonly content: Content }
/** Changes that the studio has not. `revision`: what they began with */
export type Unsaved<Content> = Local<Content> & { readonly revision: number }
type Options<Content extends object> = {
  readonly kind: string
  /** name in the storage of the tab, where the revision outlives a reload */
  readonly revisionKey: string
  /** content that the page shows */
  readonly now: () => Local<Content>
  readonly show: (local: Local<Content>) => void
  /** usable fields of a stored state */
  readonly parse: (state: unknown) => Content
  readonly nameOf: (content: Content) => string
  /** true for content that needs no project of its own */
  readonly isEmpty: (content: Content) => boolean
  /** called when the studio has all of a project */
  readonly saved?: (project: string) => void
}
export type Keeper<Content extends object> = ReturnType<typeof createKeeper<Content>>

const [UNREACHED, GONE, CONFLICT, TOO_LARGE] = [0, 404, 409, 413]
const AFTER_MS = 800
const RETRY_MS = 5000
/** `duration`: seconds, of content that has a sound */
const mediaOf = (content: object) => ({ video_path: null, audio_path: null, duration: Number(fieldOf(content, 'duration')) || null })

export const projectPath = (project: string): `/projects/${string}` => `/projects/${encodeURIComponent(project)}`

/**
 * Keeps the content of one page. Long factory: saves, reads and reports of the studio change one state, in which each of them may meet the others.
 */
export function createKeeper<Content extends object>({
  kind,
  revisionKey,
  now,
  show,
  parse,
  nameOf,
  isEmpty,
  saved: told = () => {},
}: Options<Content>) {
  let kept: Kept<Content> = { state: 'none', theirs: null, error: '' }
  const watchers: Set<(kept: Kept<Content>) => void> = new Set()
  /** Content that the studio has, as it was sent; null until it is known. */
  let sent: string | null = null
  /** Content that was sent, and whose answer did not arrive: the studio may have it. */
  let lost: string | null = null
  /** The project, while it is deleted. */
  let deleted = ''
  /** Project, revision and name that were read or saved last. */
  let known = { project: '', revision: 0, name: '' }
  let timer: ReturnType<typeof setTimeout> | undefined
  let writing: Promise<void> | null = null
  /** Reports of own saves that are still to come, and that came before the answer. */
  let [owed, early] = [0, false]
  /** The project that was asked for last. */
  let opening = 0

  function change(more: Partial<Kept<Content>>) {
    if (Object.entries(more).every(([name, value]) => Reflect.get(kept, name) === value)) return
    kept = { ...kept, ...more }
    for (const watch of watchers) watch(kept)
  }
  const settled = () => change({ state: 'saved', theirs: null, error: '' })
  const unkept = () => change({ state: 'none', theirs: null, error: '' })

  function remember(project: string, revision: number, name: string) {
    known = { project, revision, name }
    try {
      sessionStorage.setItem(revisionKey, JSON.stringify(known))
    } catch {} // a full storage asks again after a reload
  }

  /** Also after a reload of the page. */
  function remembered(): typeof known {
    if (known.project !== '') return known
    try {
      const saved: unknown = JSON.parse(sessionStorage.getItem(revisionKey) ?? 'null')
      const [project, revision, name] = ['project', 'revision', 'name'].map((field) => fieldOf(saved, field))
      if (typeof project === 'string' && typeof revision === 'number' && typeof name === 'string') known = { project, revision, name }
    } catch {} // another program wrote it
    return known
  }

  function saved(project: string) {
    try {
      told(project)
    } catch {} // a storage that is turned off
  }

  const jsonOf = (content: Content) => JSON.stringify(content)
  const isSettled = ({ project, content } = now()) => jsonOf(content) === sent || (project === '' && isEmpty(content))

  async function read(project: string) {
    const { state, revision = 1, name, kind: found } = await get(projectPath(project))
    if (found !== kind) throw new ApiError(GONE, strings.otherKind, null)
    return { project, content: parse(state), revision, name }
  }
  type Read = Awaited<ReturnType<typeof read>>

  /** The studio has what the page shows. */
  function agree({ project, content, revision, name }: Read) {
    remember(project, revision, name)
    sent = jsonOf(content)
    lost = null
    deleted = ''
    settled()
    saved(project)
  }

  function adopt(theirs: Read) {
    agree(theirs)
    show(theirs)
  }

  async function create(content: Content) {
    const name = nameOf(content)
    const body = { name, state: content as Record<string, unknown>, kind, ...mediaOf(content) }
    const { id, revision = 1 } = await post('/projects', body)
    return { id, revision, name }
  }

  /** A name that a person gave stays. */
  const isOwnName = (name: string) => sent !== null && name !== nameOf(parse(JSON.parse(sent)))

  async function replace({ project, content }: Local<Content>) {
    const before = remembered()
    // Without the revision that this content began with it may not replace another one.
    if (before.project !== project) throw new ApiError(CONFLICT, strings.savedElsewhere, null)
    const name = isOwnName(before.name) ? before.name : nameOf(content)
    const body = { name, state: content as Record<string, unknown>, revision: before.revision, ...mediaOf(content) }
    const { revision = before.revision } = await put(projectPath(project), body)
    remember(project, revision, name)
    if (!early) owed++
  }

  async function send(local: Local<Content>) {
    if (local.project !== '') return replace(local)
    const { id, revision, name } = await create(local.content)
    remember(id, revision, name)
    // What was changed meanwhile belongs to it, unless another one was opened.
    if (now().project === '') show({ ...now(), project: id })
  }

  async function write() {
    if (writing || kept.state === 'conflict') return
    clearTimeout(timer)
    const local = now()
    const json = jsonOf(local.content)
    if (isSettled(local)) return local.project === '' || local.project === deleted ? unkept() : settled()
    change({ state: 'saving' })
    early = false
    const own = send(local).then(
      () => {
        sent = json
        lost = null
        deleted = ''
        settled()
        saved(now().project)
      },
      (error) => refused(local, error),
    )
    writing = own
    await own
    writing = null
    if (kept.state === 'saved' && !isSettled()) later()
  }

  async function refused({ project, content }: Local<Content>, error: unknown) {
    const status = error instanceof ApiError ? error.status : 0
    if (status === UNREACHED) lost ??= jsonOf(content)
    if (status === TOO_LARGE) return change({ state: 'too-large', error: messageOf(error) })
    if (project !== '' && status === GONE) {
      // It was deleted elsewhere; what is on the page is kept as a new one.
      sent = null
      show({ ...now(), project: '' })
    } else if (project !== '' && status === CONFLICT) {
      const theirs = await read(project).catch(() => null)
      // The studio refused it for another reason.
      const isOurs = theirs !== null && remembered().project === project && theirs.revision === remembered().revision
      if (theirs && !isOurs && jsonOf(theirs.content) === jsonOf(now().content)) return agree(theirs)
      // Only its name was changed, or it has what this page sent.
      if (theirs && !isOurs && [sent, lost].includes(jsonOf(theirs.content))) remember(project, theirs.revision, theirs.name)
      else if (theirs && !isOurs) return change({ state: 'conflict', theirs: theirs.content, error: '' })
    }
    change({ state: 'failed', error: messageOf(error) })
    clearTimeout(timer)
    timer = setTimeout(write, RETRY_MS)
  }

  function later() {
    // It says so at once: a person who reads that all is saved may close the page.
    if (kept.state === 'saved' && !isSettled()) change({ state: 'saving' })
    clearTimeout(timer)
    timer = setTimeout(write, AFTER_MS)
  }

  /** Before other content takes its place. In a conflict both are kept. Throws why this one cannot be saved. */
  async function leave(): Promise<void> {
    await writing
    await write()
    // What was deleted elsewhere becomes a new one.
    if (kept.state === 'failed') await write()
    if (kept.state === 'conflict') return void (await create(now().content))
    if (kept.state === 'failed' || kept.state === 'too-large') throw new Error(kept.error)
    // It was changed meanwhile.
    if (!isSettled()) await leave()
  }

  /** Runs a request and then `leave` again, if something was changed meanwhile. */
  async function leaveFor<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    await leave()
    const before = jsonOf(now().content)
    const answer = await ask()
    if (jsonOf(now().content) !== before) await leave()
    return answer
  }

  /** Compares what the studio has with what the page shows. */
  function compare(theirs: Read) {
    if (now().project !== theirs.project) return
    const mine = jsonOf(now().content)
    if (jsonOf(theirs.content) === mine) return agree(theirs)
    const before = remembered()
    const isSame = before.project === theirs.project
    // It was read before the last save.
    if (isSame && theirs.revision < before.revision) return
    // It has what this page sent.
    if (isSame && jsonOf(theirs.content) === lost) remember(theirs.project, theirs.revision, theirs.name)
    if (remembered().project === theirs.project && remembered().revision === theirs.revision) return void write()
    if (sent === mine) adopt(theirs)
    else change({ state: 'conflict', theirs: theirs.content })
  }

  /** Takes over a save of another browser, unless something was changed on the page. */
  async function refresh() {
    const { project } = now()
    if (project === '' || document.hidden || writing || kept.state === 'conflict') return
    owed = 0
    try {
      const theirs = await read(project)
      if (!writing) compare(theirs)
    } catch (error) {
      // What is only on this page is not saved; a change keeps it as a new one.
      if (!(error instanceof ApiError) || error.status !== GONE || writing || now().project !== project || !isSettled()) return
      deleted = project
      unkept()
    }
  }

  return {
    /** Saves soon. Call after each change. */
    later,
    write,
    refresh,
    /** Resolves when the studio has all of the page. Throws why it cannot. */
    async flush() {
      await writing
      await write()
      if (!isSettled()) throw new Error(kept.error || strings.savedElsewhere)
    },
    /** Shows a project in place of what is on the page. `mine`: changes of it that were not saved. Throws ApiError. */
    async open(project: string, mine: Unsaved<Content> | null = null) {
      const turn = ++opening
      const theirs = await leaveFor(() => read(project))
      if (turn !== opening) return
      if (mine === null) return adopt(theirs)
      remember(project, mine.revision, theirs.name)
      sent = null
      show({ project, content: mine.content })
      change({ state: 'saved', theirs: null, error: '' })
      compare(theirs)
    },
    /**
     * Shows content that has no project yet; it gets one with its first words. `isDeleting`: what is on the page is about to be deleted, and is
     * saved before if that is possible
     */
    async restart(content: Content, isDeleting: boolean = false) {
      await leave().catch((error) => {
        if (!isDeleting) throw error
      })
      sent = null
      show({ project: '', content })
      unkept()
    },
    /** Shows content as a new project, which this returns. Throws ApiError. */
    async begin(content: Content): Promise<string> {
      const { id, revision, name } = await leaveFor(() => create(content))
      adopt({ project: id, content, revision, name })
      return id
    },
    /** Ends a conflict: the content of this page replaces the other one, or the other one comes onto the page. */
    async settle(keep: 'mine' | 'theirs') {
      const theirs = await read(now().project)
      if (keep === 'theirs') return adopt(theirs)
      remember(theirs.project, theirs.revision, theirs.name)
      sent = null
      settled()
      await write()
    },
    /** The studio reports that a project was saved. `id`: '' for any */
    heard(id: string) {
      if (id !== '' && id !== now().project) return
      if (writing) early = true
      else if (id !== '' && owed > 0) owed--
      else void refresh()
    },
    /** Null if the studio has everything. */
    unsaved(): Unsaved<Content> | null {
      const local = now()
      if (isSettled(local)) return null
      return { ...local, revision: remembered().revision }
    },
    /** The newest project of this kind, unless something was changed meanwhile. */
    async adoptNewest(isUntouched: () => boolean) {
      const newest = (await get('/projects').catch(() => [])).find((one) => one.kind === kind)
      const theirs = newest && (await read(newest.id).catch(() => null))
      if (theirs && isUntouched()) adopt(theirs)
    },
    useKept() {
      const [shown, set] = useState(kept)
      useEffect(() => {
        watchers.add(set)
        set(kept)
        return () => void watchers.delete(set)
      }, [])
      return shown
    },
  }
}
