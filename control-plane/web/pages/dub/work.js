// @ts-check
// What the studio does for one dub: the newest job that was created for it, its progress, and what it reported at its end.

import { isActive } from '../../frame/job.js'
import { ApiError, get, messageOf, request } from '../../lib/api.js'
import { useCallback, useLayoutEffect, useRef, useState } from '../../lib/html.js'
import { getFirst } from '../../lib/read.js'

/** @import { Gets } from '../../lib/api-types.ts' */
/** @import { StoredDub } from './lines.js' */
/** @typedef {Gets['/jobs'][number]} Job */
/** @typedef {Gets[`/dub/history/${string}`]} DubRow */
/** @typedef {'prepare' | 'transcribe' | 'speak'} Stage */
/** @typedef {{ remarks: readonly string[], failed: readonly { line: number, why: string }[] }} Report failed: lines by their position in the request */
/**
 * @typedef {object} Work
 * @property {DubRow | null} row
 * @property {StoredDub | null} stored
 * @property {boolean} isMissing the studio has no such dub, and prepares none
 * @property {string} error
 * @property {Job | null} job the newest one
 * @property {(id: string) => Job | undefined} jobOf
 * @property {Stage | null} stage what runs now
 * @property {Report} report of the newest job
 * @property {() => Promise<void>} again reads everything
 */

const EVERY_MS = 1000
const IDLE_MS = 4000
/** @type {Report} */
const NO_REPORT = { remarks: [], failed: [] }
/** @type {Readonly<Record<string, Stage>>} */
const STAGES = { prep: 'prepare', asr: 'transcribe', dub: 'speak' }

/** Then the studio has no dub to read yet. @param {Job | null} job */
const isPreparing = (job) => job !== null && isActive(job) && job.id.startsWith('prep_')

/** @param {unknown} value */
const text = (value) => (typeof value === 'string' ? value : '')

/** @param {Job} job @returns {string} */
export function dubOf({ meta_json: meta }) {
  try {
    return text(JSON.parse(meta)?.dub)
  } catch {
    return ''
  }
}

/** The sentences of the events of a job. Pure. @param {readonly { payload: string }[]} events @returns {Report} */
export function reportOf(events) {
  const remarks = new Set()
  const failed = new Map()
  for (const { payload } of events) {
    const event = JSON.parse(payload.replace(/^data: /, '')) // stored as it was sent
    const sentence = [text(event.reason) || text(event.message) || text(event.detail) || text(event.error), text(event.hint)]
      .filter(Boolean)
      .join(' ')
    if (event.type === 'error' && typeof event.segment === 'number') failed.set(event.segment, sentence)
    else if (['warning', 'routing_notice', 'error'].includes(event.type) && sentence !== '') remarks.add(sentence)
  }
  return { remarks: [...remarks], failed: [...failed].map(([line, why]) => ({ line, why })) }
}

/** @typedef {{ row: DubRow | null, stored: StoredDub | null, jobs: readonly Job[], report: Report, error: string, isRead: boolean }} Read what the studio has answered */
/** @type {Read} */
const NOTHING_READ = { row: null, stored: null, jobs: [], report: NO_REPORT, error: '', isRead: false }

/** @param {string} id @returns {Work} */
export function useWork(id) {
  const [{ row, stored, jobs, report, error, isRead }, setState] = useState(NOTHING_READ)
  const newestRead = useRef(0)
  /** null until something is read; isRowKnown: the dub was read, or is missing */
  const known = useRef(/** @type {{ job: string, status: string, isRowKnown: boolean } | null} */ (null))
  /** The dub with its lines, parsed once; empty when a later request overtook this one. */
  const readRow = useCallback(async () => {
    const mine = ++newestRead.current
    const row = await getFirst(`/dub/history/${encodeURIComponent(id)}`).catch((failure) => {
      if (failure instanceof ApiError && failure.status === 404) return null
      throw failure
    })
    return mine === newestRead.current ? { row, stored: row === null ? null : /** @type {StoredDub} */ (JSON.parse(row.job_data)) } : {}
  }, [])
  /** Reads the jobs, and the dub if it was not read, has changed with them, or `isRowDue`. All is drawn together. */
  const look = useCallback(async (/** @type {boolean} */ isRowDue) => {
    const mine = (await getFirst(`/jobs?limit=50&q=${encodeURIComponent(id)}`)).filter((one) => dubOf(one) === id)
    const newest = mine[0] ?? null
    const before = known.current
    const isNews = newest !== null && (newest.id !== before?.job || newest.status !== before.status)
    const isRowRead = (isNews || isRowDue || !before?.isRowKnown) && !isPreparing(newest)
    const [reported, read] = await Promise.all([isNews ? reportFor(newest) : null, isRowRead ? readRow() : {}])
    known.current = { job: newest?.id ?? '', status: newest?.status ?? '', isRowKnown: isRowRead || before?.isRowKnown === true }
    setState((now) => ({ ...now, ...read, jobs: mine, report: reported ?? now.report, error: '', isRead: true }))
    return newest
  }, [])
  const failed = (/** @type {unknown} */ failure) => setState((now) => ({ ...now, error: messageOf(failure) }))
  const again = useCallback(async () => {
    await look(true).catch(failed)
  }, [])
  // Before the first drawing, so that the studio answers while the browser draws.
  useLayoutEffect(() => {
    let isGone = false
    /** @type {ReturnType<typeof setTimeout>} */
    let timer
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
  const job = jobs[0] ?? null
  const jobOf = (/** @type {string} */ one) => jobs.find((each) => each.id === one)
  const stage = job && isActive(job) ? (STAGES[job.id.split('_')[0] ?? ''] ?? 'speak') : null
  return { row, stored, isMissing: isRead && row === null && stage === null, error, job, jobOf, stage, report, again }
}

/** @param {Job} job @returns {Promise<Report>} */
async function reportFor(job) {
  if (isActive(job)) return NO_REPORT
  const { events } = await get(`/jobs/${encodeURIComponent(job.id)}/events`)
  return reportOf(events)
}

/** Starts to transcribe. Resolves when it has begun; throws why it was refused. @param {string} id @param {string} speakers their number, '' when it is not known */
export async function startTranscription(id, speakers) {
  const leave = new AbortController()
  const path = `/dub/transcribe-stream/${encodeURIComponent(id)}${speakers ? `?num_speakers=${encodeURIComponent(speakers)}` : ''}`
  const { body } = await request('GET', path, { signal: leave.signal })
  if (!body) return
  const decoder = new TextDecoder()
  let events = ''
  for (const reader = body.getReader(); ; ) {
    const { value, done } = await reader.read()
    if (done) break
    events += decoder.decode(value, { stream: true })
    const refusal = /event: error\ndata: (.*)\n\n/.exec(events)
    if (refusal?.[1] !== undefined) {
      leave.abort()
      const { detail } = JSON.parse(refusal[1])
      throw new ApiError(409, text(detail), detail)
    }
    // The transcription goes on without a reader.
    if (/event: (?:start|segments|warning|final)\n/.test(events)) break
  }
  leave.abort()
}
