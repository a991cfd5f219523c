// The jobs of the studio, newest first, page by page; what runs is read again every few seconds.
import { queryOf } from '#control-plane/web/frame/address.ts'
import { get, messageOf } from '#control-plane/web/lib/api.ts'
import type { Gets } from '#control-plane/web/lib/api-types.ts'
import { useCallback, useEffect, useRef, useState } from '#control-plane/web/lib/html.ts'

export type Job = Gets['/jobs'][number]
export type JobCounts = Gets['/jobs/counts']
/** `status`: '' for all, or as GET /jobs takes it. */
export type Filter = { readonly status: string; readonly type: string; readonly q: string }
/** `isWhole`: no older jobs are left to read. */
export type JobList = {
  readonly jobs: readonly Job[]
  readonly isWhole: boolean
  readonly counts: JobCounts | null
  readonly error: string
  readonly isRead: boolean
}

const PAGE = 100
const EVERY_MS = 4_000
/** Letters that are typed within this time are one search. */
const TYPING_MS = 250
const NOTHING: JobList = { jobs: [], isWhole: false, counts: null, error: '', isRead: false }

/** The list after its newest page was read again: older jobs stay as they were. Pure. */
export function withNewest(known: readonly Job[], newest: readonly Job[]) {
  const last = newest.at(-1)
  if (last === undefined || newest.length < PAGE) return newest
  const isThere = new Set(newest.map(({ id }) => id))
  const at = known.findIndex(({ id }) => id === last.id)
  // More new jobs than a page: what was known is not next to them, so it is read again.
  if (at < 0) return newest
  return [...newest, ...known.slice(at + 1).filter(({ id }) => !isThere.has(id))]
}

/** Number of jobs that match a filter. */
export function countOf(counts: JobCounts, status: string) {
  if (status === 'active') return counts.pending + counts.running
  if (status === '') return Object.values(counts).reduce((sum, one) => sum + one, 0)
  return status === 'done' || status === 'failed' || status === 'cancelled' ? counts[status] : 0
}

/** `hint`: the list is read soon after it has changed */
export function useJobs({ status, type, q }: Filter, hint: unknown) {
  const [list, setList] = useState(NOTHING)
  const newest = useRef(0)
  const read = useCallback(
    async (isFresh: boolean) => {
      const mine = ++newest.current
      try {
        const [jobs, counts] = await Promise.all([
          get(`/jobs${queryOf({ status, type, q, limit: String(PAGE) })}` as '/jobs'),
          get(`/jobs/counts${queryOf({ type, q })}` as '/jobs/counts'),
        ])
        if (mine !== newest.current) return
        setList((now) => {
          const all = isFresh ? jobs : withNewest(now.jobs, jobs)
          return { jobs: all, isWhole: all.length > jobs.length ? now.isWhole : jobs.length < PAGE, counts, error: '', isRead: true }
        })
      } catch (error) {
        if (mine === newest.current) setList((now) => ({ ...now, error: messageOf(error), isRead: true }))
      }
    },
    [status, type, q],
  )
  useEffect(() => {
    const timer = setTimeout(() => read(true), q === '' ? 0 : TYPING_MS)
    return () => clearTimeout(timer)
  }, [read])
  const isFirst = useRef(true)
  useEffect(() => {
    if (!isFirst.current) void read(false)
    isFirst.current = false
  }, [hint])
  useEffect(() => {
    const timer = setInterval(() => document.hidden || read(false), EVERY_MS)
    return () => clearInterval(timer)
  }, [read])

  const isReading = useRef(false)
  /** Reads the next page of older jobs. */
  const more = async () => {
    const before = list.jobs.at(-1)?.id
    if (isReading.current || list.isWhole || before === undefined) return
    isReading.current = true
    try {
      const older = await get(`/jobs${queryOf({ status, type, q, before, limit: String(PAGE) })}` as '/jobs')
      setList((now) =>
        now.jobs.at(-1)?.id === before ? { ...now, jobs: [...now.jobs, ...older], isWhole: older.length < PAGE, error: '' } : now,
      )
    } catch (error) {
      setList((now) => ({ ...now, error: messageOf(error) }))
    } finally {
      isReading.current = false
    }
  }
  return { ...list, more, again: () => read(false) }
}
