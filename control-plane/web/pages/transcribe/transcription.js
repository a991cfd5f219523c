// @ts-check
// One transcription at a time. It belongs to the tab and not to the page, so it goes on while other pages are shown; its text survives a reload.
import { ApiError, messageOf, request } from '../../lib/api.js'
import { useEffect, useState } from '../../lib/html.js'

/** @import { Transcript } from './text.js' */
/**
 * @typedef {object} Transcription
 * @property {'idle' | 'working' | 'done' | 'failed'} phase
 * @property {File | null} file null after a reload
 * @property {string} name of the file
 * @property {string} url of its sound; '' without the file
 * @property {number} startedAt monotonic ms
 * @property {Transcript | null} transcript
 * @property {string} notice of the recogniser that was used instead of another one
 * @property {{ message: string, hint: string, isModelMissing: boolean } | null} error
 */

const KEY = 'voice-studio-transcript'
/** Of the text that is kept for a reload; longer ones are lost with the tab. */
const KEPT_CHARS = 2_000_000
const REASON_HEADER = 'x-svc-routing-reason'

/** @type {Transcription} */
const IDLE = { phase: 'idle', file: null, name: '', url: '', startedAt: 0, transcript: null, notice: '', error: null }
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
    const { name, transcript, notice } = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') ?? {}
    if (typeof name === 'string' && Array.isArray(transcript?.segments))
      return { ...IDLE, phase: 'done', name, transcript, notice: String(notice) }
  } catch {
    // Not what this version wrote.
  }
  return IDLE
}

function keep() {
  const { name, transcript, notice } = state
  const text = JSON.stringify({ name, transcript, notice })
  try {
    if (text.length <= KEPT_CHARS) sessionStorage.setItem(KEY, text)
    else sessionStorage.removeItem(KEY)
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

/** A file to listen to and to transcribe. False where a transcript is shown that is not of this file: it would be lost. @param {File} file */
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

/** @param {{ language: string, hasSpeakers: boolean }} options */
export async function transcribe({ language, hasSpeakers }) {
  const { file } = state
  if (file === null || state.phase === 'working') return
  const own = new AbortController()
  running = own
  change({ phase: 'working', startedAt: performance.now(), transcript: null, notice: '', error: null })
  const form = new FormData()
  form.append('model', 'whisper-1')
  form.append('response_format', 'verbose_json')
  if (language.trim()) form.append('language', language.trim())
  if (hasSpeakers) form.append('diarize', 'true')
  form.append('file', file)
  try {
    const response = await request('POST', '/v1/audio/transcriptions', { form, signal: own.signal })
    change({ phase: 'done', transcript: transcriptOf(await response.json()), notice: response.headers.get(REASON_HEADER) ?? '' })
    keep()
  } catch (error) {
    if (own.signal.aborted) {
      if (running === own) change({ phase: 'idle' })
      return
    }
    const [hint, isModelMissing] = error instanceof ApiError ? [error.hint, error.status === 409] : ['', false]
    change({ phase: 'failed', error: { message: error instanceof Error ? error.message : messageOf(error), hint, isModelMissing } })
  } finally {
    if (running === own) running = null
  }
}

/** The chosen file stays. */
export function cancel() {
  running?.abort()
}
