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

/** @param {string} id @returns {Work} */
export function useWork(id) {
  const [row, setRow] = useState(/** @type {DubRow | null} */ (null))
  const [jobs, setJobs] = useState(/** @type {readonly Job[]} */ ([]))
  const [report, setReport] = useState(NO_REPORT)
  const [{ error, isRead }, setState] = useState({ error: '', isRead: false })
  const newestRead = useRef(0)
  const known = useRef({ job: '', status: '' })
  const readRow = useCallback(async () => {
    const mine = ++newestRead.current
    const now = await getFirst(`/dub/history/${encodeURIComponent(id)}`).catch((failure) => {
      if (failure instanceof ApiError && failure.status === 404) return null
      throw failure
    })
    // An answer that a later request overtook is stale.
    if (mine === newestRead.current) setRow(now)
  }, [])
  const look = useCallback(async () => {
    const mine = (await getFirst(`/jobs?limit=50&q=${encodeURIComponent(id)}`)).filter((one) => dubOf(one) === id)
    const newest = mine[0] ?? null
    const before = known.current
    if (newest && (newest.id !== before.job || newest.status !== before.status)) {
      if (isActive(newest)) setReport(NO_REPORT)
      else {
        const { events } = await get(`/jobs/${encodeURIComponent(newest.id)}/events`)
        setReport(reportOf(events))
      }
      if (!isPreparing(newest)) await readRow()
      known.current = { job: newest.id, status: newest.status }
    }
    setJobs(mine)
    return newest
  }, [])
  const again = useCallback(async () => {
    try {
      if (!isPreparing(await look())) await readRow()
      setState({ error: '', isRead: true })
    } catch (failure) {
      setState((now) => ({ ...now, error: messageOf(failure) }))
    }
  }, [])
  // Before the first drawing, so that the studio answers while the browser draws.
  useLayoutEffect(() => {
    let isGone = false
    /** @type {ReturnType<typeof setTimeout>} */
    let timer
    const next = async () => {
      let busy = false
      try {
        const newest = document.hidden ? null : await look()
        busy = newest !== null && isActive(newest)
        setState((now) => (now.error === '' ? now : { ...now, error: '' }))
      } catch (failure) {
        setState((now) => ({ ...now, error: messageOf(failure) }))
      }
      if (!isGone) timer = setTimeout(next, busy ? EVERY_MS : IDLE_MS)
    }
    void again().then(() => (isGone ? undefined : next()))
    return () => {
      isGone = true
      clearTimeout(timer)
    }
  }, [])
  const stored = row === null ? null : /** @type {StoredDub} */ (parsedOf(row.job_data))
  const job = jobs[0] ?? null
  const jobOf = (/** @type {string} */ one) => jobs.find((each) => each.id === one)
  const stage = job && isActive(job) ? (STAGES[job.id.split('_')[0] ?? ''] ?? 'speak') : null
  return { row, stored, isMissing: isRead && row === null && stage === null, error, job, jobOf, stage, report, again }
}

/** The last JSON text and its value: a large dub is parsed when it has changed. */
const parsed = { text: '', value: /** @type {unknown} */ (null) }
/** @param {string} json */
function parsedOf(json) {
  if (parsed.text !== json) {
    parsed.value = JSON.parse(json)
    parsed.text = json
  }
  return parsed.value
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
