// The work of the studio for one dub: the newest job that was created for it, its progress, and what it reported at its end.

import type { DubJobEvent } from '#control-plane/features/dubbing/batch/batch-events.schema.ts'
import type { TranslatedEvent } from '#control-plane/features/dubbing/lines/transcribe/transcribe-events.schema.ts'
import { isActive } from '#control-plane/web/frame/job.ts'
import { ApiError, get, messageOf, needIn } from '#control-plane/web/lib/api.ts'
import type { Gets, NeedEntry } from '#control-plane/web/lib/api-types.ts'
import { useCallback, useLayoutEffect, useRef, useState } from '#control-plane/web/lib/html.ts'
import { getFirst } from '#control-plane/web/lib/read.ts'
import type { StoredDub } from './lines.ts'

export type Job = Gets['/jobs'][number]
export type DubRow = Gets[`/dub/history/${string}`]
export type Stage = 'prepare' | 'transcribe' | 'begin' | 'speak'
/** failed: lines by their position in the request */
/** needs: models because of which something was left out. */
export type Report = {
  remarks: readonly string[]
  failed: readonly { line: number; why: string }[]
  needs: readonly NeedEntry[]
  translated: readonly TranslatedEvent[]
}
export type Work = {
  row: DubRow | null
  stored: StoredDub | null
  /** the studio has no such dub, and prepares none */
  isMissing: boolean
  error: string
  /** the newest one; the preparation of the film while it runs */
  job: Job | null
  jobOf: (id: string) => Job | undefined
  /** jobs that make files of the dub, the newest first */
  exports: readonly Job[]
  /** stage that runs now */
  stage: Stage | null
  /** transcription and translation run, or wait for the film */
  isBegun: boolean
  /** report of the newest job */
  report: Report
  /** reads everything */
  again: () => Promise<void>
}

const EVERY_MS = 1000
const IDLE_MS = 4000
/** It changes nothing of the dub. */
const EXPORT_TYPE = 'dub_export'
const BEGIN_TYPE = 'dub_begin'
const NO_REPORT: Report = { remarks: [], failed: [], needs: [], translated: [] }
const STAGES: Readonly<Record<string, Stage>> = { prep: 'prepare', asr: 'transcribe', dub: 'speak' }

const stageOf = ({ id, type }: Job): Stage => (type === BEGIN_TYPE ? 'begin' : (STAGES[id.split('_')[0] ?? ''] ?? 'speak'))

/** Then the studio has no dub to read yet. */
const isPreparing = (job: Job | null | undefined) => job != null && isActive(job) && job.id.startsWith('prep_')

const text = (value: unknown) => (typeof value === 'string' ? value : '')

export function dubOf({ meta_json: meta }: Job): string {
  try {
    return text(JSON.parse(meta)?.dub)
  } catch {
    return ''
  }
}

/** Fields of events for people. */
type Sentences = { readonly [Field in 'reason' | 'message' | 'detail' | 'error' | 'hint']?: string | null }
/** The sentences of the events of a job. Pure. */
export function reportOf(events: readonly { payload: string }[]): Report {
  const remarks = new Set<string>()
  const failed = new Map()
  const needs = new Map<string, NeedEntry>()
  const translated: TranslatedEvent[] = []
  for (const { payload } of events) {
    const event: DubJobEvent = JSON.parse(payload.replace(/^data: /, '')) // stored as it was sent
    const need = needIn(event)
    if (need) {
      needs.set(need.for, need)
      continue
    }
    // The editor shows it as long as the work waits.
    if (event.type === 'routing_notice' && event.status === 'waiting') continue
    if (event.type === 'translated') translated.push(event)
    const { reason, message, detail, error, hint } = event as Sentences
    const sentence = [text(reason) || text(message) || text(detail) || text(error), text(hint)].filter(Boolean).join(' ')
    if (event.type === 'error' && 'segment' in event) failed.set(event.segment, sentence)
    else if (['warning', 'routing_notice', 'error'].includes(event.type) && sentence !== '') remarks.add(sentence)
  }
  return { remarks: [...remarks], failed: [...failed].map(([line, why]) => ({ line, why })), needs: [...needs.values()], translated }
}

/** answers of the studio */
export type Read = {
  exports: readonly Job[]
  row: DubRow | null
  stored: StoredDub | null
  jobs: readonly Job[]
  report: Report
  error: string
  isRead: boolean
}
const NOTHING_READ: Read = { exports: [], row: null, stored: null, jobs: [], report: NO_REPORT, error: '', isRead: false }

export function useWork(id: string): Work {
  const [{ row, stored, jobs, exports, report, error, isRead }, setState] = useState(NOTHING_READ)
  const newestRead = useRef(0)
  /** null until something is read; isRowKnown: the dub was read, or is missing */
  const known = useRef<{ job: string; status: string; isRowKnown: boolean } | null>(null)
  /** The dub with its lines, parsed once; empty when a later request overtook this one. */
  const readRow = useCallback(async () => {
    const mine = ++newestRead.current
    const row = await getFirst(`/dub/history/${encodeURIComponent(id)}`).catch((failure) => {
      if (failure instanceof ApiError && failure.status === 404) return null
      throw failure
    })
    return mine === newestRead.current ? { row, stored: row === null ? null : (JSON.parse(row.job_data) as StoredDub) } : {}
  }, [])
  /** Reads the jobs, and the dub if it was not read, has changed with them, or `isRowDue`. All is drawn together. */
  const look = useCallback(async (isRowDue: boolean) => {
    const all = (await getFirst(`/jobs?limit=50&q=${encodeURIComponent(id)}`)).filter((one) => dubOf(one) === id)
    const mine = all.filter(({ type }) => type !== EXPORT_TYPE)
    const exports = all.filter(({ type }) => type === EXPORT_TYPE)
    const newest = mine[0] ?? null
    const before = known.current
    const isNews = newest !== null && (newest.id !== before?.job || newest.status !== before.status)
    const isRowRead = (isNews || isRowDue || !before?.isRowKnown) && !isPreparing(newest)
    const [reported, read] = await Promise.all([isNews ? reportFor(newest) : null, isRowRead ? readRow() : {}])
    known.current = { job: newest?.id ?? '', status: newest?.status ?? '', isRowKnown: isRowRead || before?.isRowKnown === true }
    setState((now) => ({ ...now, ...read, exports, jobs: mine, report: reported ?? now.report, error: '', isRead: true }))
    return all.find(isActive) ?? newest
  }, [])
  const failed = (failure: unknown) => setState((now) => ({ ...now, error: messageOf(failure) }))
  const again = useCallback(async () => {
    await look(true).catch(failed)
  }, [])
  // Before the first drawing, so that the studio answers while the browser draws.
  useLayoutEffect(() => {
    let isGone = false
    let timer: ReturnType<typeof setTimeout>
    const next = async () => {
      const newest = document.hidden && known.current !== null ? null : await look(false).catch(failed)
      if (!isGone) timer = setTimeout(next, newest && isActive(newest) ? EVERY_MS : IDLE_MS)
    }
    void next()
    return () => {
      isGone = true
      clearTimeout(timer)
    }
  }, [])
  const job = jobs.find(isPreparing) ?? jobs[0] ?? null
  const jobOf = (one: string) => jobs.find((each) => each.id === one)
  const isBegun = jobs.some((one) => one.type === BEGIN_TYPE && isActive(one))
  const stage = job && isActive(job) ? stageOf(job) : null
  return { row, stored, isMissing: isRead && row === null && stage === null, error, job, jobOf, exports, stage, isBegun, report, again }
}

async function reportFor(job: Job): Promise<Report> {
  if (isActive(job)) return NO_REPORT
  const { events } = await get(`/jobs/${encodeURIComponent(job.id)}/events`)
  return reportOf(events)
}
