// @ts-check
// One transcription at a time. It is a job of the studio and continues without this page. The page finds it again after a reload, a lost
// connection and a restart of the studio. The tab keeps its text and the changes of the person.

import { untilEnd } from '../../frame/job.js'
import { cancelJob } from '../../frame/tray.js'
import { ApiError, get, messageOf, request } from '../../lib/api.js'
import { useEffect, useState } from '../../lib/html.js'

/** @import { Job } from '../../frame/job.js' */
/** @import { Transcript } from './text.js' */
/**
 * @typedef {object} Transcription
 * @property {'idle' | 'sending' | 'working' | 'done' | 'failed'} phase
 * @property {string} job '' before the studio has the file
 * @property {File | null} file null after a reload
 * @property {string} name of the file
 * @property {string} url of its sound; '' without the file
 * @property {number} startedAt epoch seconds
 * @property {number | null} progress 0 to 1; null while it is unknown
 * @property {Transcript | null} transcript
 * @property {string} notice of the recogniser that was used instead of another one
 * @property {{ message: string, hint: string, isModelMissing: boolean } | null} error
 */

const KEY = 'voice-studio-transcript'
/** Longest text that is kept for a reload. The page reads a longer one from the studio again, without changes. */
const KEPT_CHARS = 2_000_000
const REASON_HEADER = 'x-svc-routing-reason'

/** @type {Transcription} */
const IDLE = {
  phase: 'idle',
  job: '',
  file: null,
  name: '',
  url: '',
  startedAt: 0,
  progress: null,
  transcript: null,
  notice: '',
  error: null,
}
let state = restored()
/** @type {AbortController | null} */
let running = null
/** @type {Set<(state: Transcription) => void>} */
const watchers = new Set()

/** @param {Partial<Transcription>} more */
function change(more) {
  state = { ...state, ...more }
  for (const watch of watchers) watch(state)
}

/** @returns {Transcription} */
function restored() {
  try {
    const { name, job = '', transcript, notice } = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') ?? {}
    if (typeof name === 'string' && Array.isArray(transcript?.segments))
      return { ...IDLE, phase: 'done', name, job: String(job), transcript, notice: String(notice) }
    if (typeof name === 'string' && typeof job === 'string' && job) return { ...IDLE, phase: 'working', name, job }
  } catch {
    // Not what this version wrote.
  }
  return IDLE
}

function keep() {
  const { name, job, transcript, notice } = state
  const text = JSON.stringify({ name, job, transcript, notice })
  try {
    sessionStorage.setItem(KEY, text.length <= KEPT_CHARS ? text : JSON.stringify({ name, job }))
  } catch {
    // The storage of the browser is full or turned off.
  }
}

/** @returns {Transcription} */
export function useTranscription() {
  const [now, setNow] = useState(state)
  useEffect(() => {
    watchers.add(setNow)
    setNow(state)
    return () => void watchers.delete(setNow)
  }, [])
  return now
}

/** Chooses a file to play and to transcribe. Returns false if the page shows the transcript of another file, which would be lost. @param {File} file */
export function choose(file) {
  const isShown = state.phase === 'done' && state.transcript !== null
  // The same file again: only its sound was missing.
  if (isShown && state.name !== file.name) return false
  running?.abort()
  if (state.url) URL.revokeObjectURL(state.url)
  change({ ...(isShown ? {} : IDLE), file, name: file.name, url: URL.createObjectURL(file) })
  return true
}

/** Back to an empty page. */
export function clear() {
  running?.abort()
  if (state.url) URL.revokeObjectURL(state.url)
  sessionStorage.removeItem(KEY)
  // A reload would open it again.
  history.replaceState(null, '', '#/transcribe')
  change(IDLE)
}

/** @param {Transcript} transcript */
export function edit(transcript) {
  change({ transcript })
  keep()
}

/** @param {unknown} value @returns {number} */
const seconds = (value) => (typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : 0)

/** @param {any} answer verbose_json @returns {Transcript} */
export function transcriptOf(answer) {
  const segments = Array.isArray(answer?.segments) ? answer.segments : []
  return {
    language: typeof answer?.language === 'string' ? answer.language : '',
    duration: seconds(answer?.duration),
    segments: segments.map((/** @type {any} */ one) => ({
      start: seconds(one?.start),
      end: Math.max(seconds(one?.start), seconds(one?.end)),
      text: String(one?.text ?? '').trim(),
      speaker: typeof one?.speaker === 'string' ? one.speaker : '',
    })),
  }
}

/** @param {unknown} error @returns {Partial<Transcription>} */
function failed(error) {
  const [hint, isModelMissing] = error instanceof ApiError ? [error.hint, error.status === 409] : ['', false]
  return { phase: 'failed', job: '', error: { message: error instanceof Error ? error.message : messageOf(error), hint, isModelMissing } }
}

/** Runs `work` as the transcription that is shown. The page shows nothing of it after another one has begun. @param {(signal: AbortSignal) => Promise<void>} work */
async function begin(work) {
  running?.abort()
  const own = new AbortController()
  running = own
  try {
    await work(own.signal)
  } catch (error) {
    if (running === own) change(own.signal.aborted ? { phase: 'idle', job: '' } : failed(error))
  } finally {
    if (running === own) running = null
    if (state.phase === 'idle' || state.phase === 'failed') sessionStorage.removeItem(KEY)
  }
}

/** Unknown until the recogniser reports its first share. @param {Job} job */
const progressOf = ({ progress }) => progress || null

/** Until its transcript is here. @param {string} job @param {AbortSignal} signal */
async function follow(job, signal) {
  const { status } = await untilEnd(job, (now) => change({ startedAt: now.created_at, progress: progressOf(now) }), signal)
  if (status === 'cancelled') return change({ phase: 'idle', job: '' })
  // For a failed job the answer contains the reason and a hint.
  const response = await request('GET', `/jobs/${encodeURIComponent(job)}/transcript?response_format=verbose_json`, { signal })
  const transcript = transcriptOf(await response.json())
  change({ phase: 'done', transcript, notice: response.headers.get(REASON_HEADER) ?? '' })
  keep()
}

/** @param {{ language: string, hasSpeakers: boolean }} options */
export async function transcribe({ language, hasSpeakers }) {
  const { file } = state
  if (file === null || isBusy(state)) return
  const form = new FormData()
  form.append('model', 'whisper-1')
  form.append('response_format', 'verbose_json')
  if (language.trim()) form.append('language', language.trim())
  if (hasSpeakers) form.append('diarize', 'true')
  form.append('file', file)
  change({ phase: 'sending', startedAt: Date.now() / 1000, progress: null, transcript: null, notice: '', error: null })
  await begin(async (signal) => {
    const response = await request('POST', '/v1/audio/transcriptions', { form, headers: { prefer: 'respond-async' }, signal })
    /** @type {{ id: string }} */
    const { id } = await response.json()
    change({ phase: 'working', job: id })
    keep()
    await follow(id, signal)
  })
}

/** Shows a transcription of the studio. Returns false if the page shows another one, which would be lost. @param {string} job */
export function open(job) {
  if (state.job === job) return true
  if (isBusy(state) || state.transcript !== null) return false
  change({ ...IDLE, phase: 'working', job })
  void begin(async (signal) => {
    const { meta_json: meta } = await get(`/jobs/${encodeURIComponent(job)}`, signal)
    change({ name: String(JSON.parse(meta).filename ?? '') })
    keep()
    await follow(job, signal)
  })
  return true
}

/** The chosen file stays. */
export async function cancel() {
  const { job } = state
  // The page follows the job to its end and shows it.
  if (job) await cancelJob(job)
  else running?.abort()
}

/** @param {Pick<Transcription, 'phase'>} transcription */
export const isBusy = ({ phase }) => phase === 'sending' || phase === 'working'

if (state.phase === 'working') void begin((signal) => follow(state.job, signal))
