// The takes of the studio page by page, newest first, with some words or a star; changed as they change in any browser.
import { ApiError, get, messageOf } from '#control-plane/web/lib/api.ts'
import type { Gets, HistoryTake } from '#control-plane/web/lib/api-types.ts'
import { useChanges } from '#control-plane/web/lib/changes.ts'
import { useEffect, useRef, useState } from '#control-plane/web/lib/html.ts'
import { useRead } from '#control-plane/web/lib/read.ts'

export type TakeChoice = { readonly q: string; readonly starred: boolean }
export type TakeCounts = Gets['/history/counts']
type Pages = { takes: HistoryTake[] | null; hasMore: boolean; isReading: boolean; error: string }

const PAGE = 50
/** The studio sends so many at once. */
const MOST = 200
/** Milliseconds after the last letter until the studio is asked. */
const TYPED_MS = 200
/** Milliseconds in which changes are read together. */
const SETTLE_MS = 100
const CHANGED = 'generation_history'

const isOpen = ({ q, starred }: TakeChoice) => q.trim() === '' && !starred

export function takesPath({ q, starred }: TakeChoice, limit: number, before = ''): `/history?${string}` {
  const query = new URLSearchParams({ limit: String(limit) })
  if (q.trim() !== '') query.set('q', q.trim())
  if (starred) query.set('starred', 'true')
  if (before !== '') query.set('before', before)
  return `/history?${query}`
}

/** The newest takes of a list that has older starred ones at its end. */
const newestOf = (listed: readonly HistoryTake[]): Pages => ({
  takes: listed.slice(0, PAGE),
  hasMore: listed.length >= PAGE,
  isReading: false,
  error: '',
})

/** The list with a newer first page. Pure. null if takes between them may be missing. */
export function withNewest(takes: readonly HistoryTake[], newest: readonly HistoryTake[]) {
  const last = newest.at(-1)
  const at = takes.findIndex(({ id }) => id === last?.id)
  return at === -1 ? null : [...newest, ...takes.slice(at + 1)]
}

/** `first`: the newest takes as `GET /history` lists them, null until they are read */
export function useTakePages(first: readonly HistoryTake[] | null, choice: TakeChoice) {
  const empty: Pages = { takes: null, hasMore: false, isReading: true, error: '' }
  const [pages, set] = useState(() => (first && isOpen(choice) ? newestOf(first) : empty))
  const now = useRef({ pages, choice, reads: 0, plan: '' as '' | 'newest' | 'all' })
  now.current.pages = pages
  now.current.choice = choice

  /** Runs a read whose answer counts unless another one has begun. `isQuiet`: no person waits for it */
  const reading = async (run: () => Promise<Partial<Pages>>, isQuiet = false) => {
    const mine = ++now.current.reads
    if (!isQuiet) set((old) => ({ ...old, isReading: true }))
    const change = await run().catch((error): Partial<Pages> => ({ error: messageOf(error) }))
    if (mine === now.current.reads) set((old) => ({ ...old, error: '', ...change, isReading: false }))
  }
  const readAll = (isQuiet = false) =>
    reading(async () => {
      const wanted = Math.max(PAGE, now.current.pages.takes?.length ?? 0)
      const takes: HistoryTake[] = []
      for (;;) {
        const limit = Math.min(MOST, wanted - takes.length)
        const page = await get(takesPath(now.current.choice, limit, takes.at(-1)?.id))
        takes.push(...page)
        if (page.length < limit || takes.length >= wanted) return { takes, hasMore: page.length === limit }
      }
    }, isQuiet)
  const readNewest = () =>
    reading(async () => {
      const newest = await get(takesPath(now.current.choice, PAGE))
      const takes = newest.length < PAGE ? null : withNewest(now.current.pages.takes ?? [], newest)
      // The oldest ones that were shown stay reachable.
      return takes ? { takes } : { takes: newest, hasMore: newest.length === PAGE }
    }, true)
  const more = () =>
    reading(async () => {
      const takes = now.current.pages.takes ?? []
      try {
        const page = await get(takesPath(now.current.choice, PAGE, takes.at(-1)?.id))
        return { takes: [...takes, ...page], hasMore: page.length === PAGE }
      } catch (error) {
        // The last take was deleted elsewhere a while ago.
        if (!(error instanceof ApiError) || error.status !== 404) throw error
        now.current.plan = 'all'
        settle()
        return {}
      }
    })
  const settle = () =>
    setTimeout(() => {
      const { plan } = now.current
      now.current.plan = ''
      if (plan !== '') void (plan === 'all' ? readAll(true) : readNewest())
    }, SETTLE_MS)
  const plan = (wanted: 'newest' | 'all') => {
    if (now.current.plan === '') settle()
    if (now.current.plan !== 'all') now.current.plan = wanted
  }

  /** Changes what is shown, before the studio has answered. */
  const drop = (id: string) => set((old) => ({ ...old, takes: old.takes?.filter((take) => take.id !== id) ?? null }))
  const patch = (id: string, fields: Partial<HistoryTake>) =>
    set((old) => ({ ...old, takes: old.takes?.map((take) => (take.id === id ? { ...take, ...fields } : take)) ?? null }))

  const key = `${choice.starred} ${choice.q.trim()}`
  // What `first` shows at the first drawing is there; another choice is read.
  const lastKey = useRef(isOpen(choice) ? key : '')
  useEffect(() => {
    if (lastKey.current === key) return
    const isTyped = lastKey.current !== ''
    lastKey.current = key
    now.current.pages = { ...now.current.pages, takes: null }
    if (!isTyped) return void readAll()
    const timer = setTimeout(readAll, TYPED_MS)
    return () => clearTimeout(timer)
  }, [key])
  useEffect(() => {
    if (!first || !isOpen(choice)) return
    const takes = withNewest(now.current.pages.takes ?? [], first.slice(0, PAGE))
    set((old) => (takes && first.length >= PAGE ? { ...old, takes } : newestOf(first)))
  }, [first])

  useChanges(CHANGED, async ({ action, id }) => {
    const shown = now.current.pages.takes?.some((take) => take.id === id) === true
    if (action === 'deleted') return drop(id)
    if (action === 'created') return plan('newest')
    if (action === 'starred' && shown) {
      const take = await get(`/history/${encodeURIComponent(id)}` as `/history/${string}`).catch(() => null)
      if (take) patch(id, take)
    } else if (action !== 'starred' || now.current.choice.starred) plan('all')
  })
  return { ...pages, more, drop, patch, again: () => readAll() }
}

/** Counts of the takes, and what the next one removes; null until they are read, and read again when `hint` changes. */
export function useTakeCounts(hint?: unknown) {
  const { value, again } = useRead('/history/counts')
  const timer = useRef(0)
  const soon = () => {
    clearTimeout(timer.current)
    timer.current = window.setTimeout(again, SETTLE_MS)
  }
  useChanges(CHANGED, soon)
  const before = useRef(hint)
  useEffect(() => {
    if (before.current !== hint) soon()
    before.current = hint
  }, [hint])
  useEffect(() => () => clearTimeout(timer.current), [])
  return { counts: value, again }
}
