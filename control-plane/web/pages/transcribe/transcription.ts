// The recording that is about to be transcribed, and its way to the studio. From then on it is a job with an address of its own, which goes on
// without this page and becomes a project.

import { cancelJob } from '#control-plane/web/frame/active-jobs.ts'
import { type Job, untilEnd } from '#control-plane/web/frame/job.ts'
import { ApiError, messageOf, post, request } from '#control-plane/web/lib/api.ts'
import type { NeedEntry } from '#control-plane/web/lib/api-types.ts'
import { useEffect, useState } from '#control-plane/web/lib/html.ts'

export type Trouble = { message: string; hint: string; needs: NeedEntry | null }
export type Transcription = {
  phase: 'idle' | 'sending' | 'failed'
  /** chosen here; null without one, and after a reload */
  file: File | null
  /** job that this file became last; '' for none */
  job: string
  /** epoch seconds */
  startedAt: number
  error: Trouble | null
}

const IDLE: Transcription = { phase: 'idle', file: null, job: '', startedAt: 0, error: null }
let state = IDLE
let running: AbortController | null = null
const watchers: Set<(state: Transcription) => void> = new Set()

function change(more: Partial<Transcription>) {
  state = { ...state, ...more }
  for (const watch of watchers) watch(state)
}

export function useTranscription(): Transcription {
  const [now, setNow] = useState(state)
  useEffect(() => {
    watchers.add(setNow)
    setNow(state)
    return () => void watchers.delete(setNow)
  }, [])
  return now
}

/** Chooses a file to transcribe. Returns false while another one is sent. */
export function choose(file: File) {
  if (state.phase === 'sending') return false
  change({ ...IDLE, file })
  return true
}

/** Back to an empty page. */
export function forgetFile() {
  running?.abort()
  change(IDLE)
}

export function troubleOf(error: unknown): Trouble {
  const { hint, needs } = error instanceof ApiError ? error : { hint: '', needs: null }
  return { message: error instanceof Error ? error.message : messageOf(error), hint, needs }
}

/** Returns the job, null if nothing was sent. Its transcript becomes a project, also when this page is closed. */
export async function transcribe({ language, hasSpeakers }: { language: string; hasSpeakers: boolean }): Promise<string | null> {
  const { file } = state
  if (file === null || state.phase === 'sending') return null
  const form = new FormData()
  form.append('model', 'whisper-1')
  form.append('response_format', 'verbose_json')
  form.append('keep', 'true')
  if (language.trim()) form.append('language', language.trim())
  if (hasSpeakers) form.append('diarize', 'true')
  form.append('file', file)
  change({ phase: 'sending', job: '', startedAt: Date.now() / 1000, error: null })
  const own = new AbortController()
  running = own
  try {
    const response = await request('POST', '/v1/audio/transcriptions', { form, headers: { prefer: 'respond-async' }, signal: own.signal })
    const { id }: { id: string } = await response.json()
    change({ phase: 'idle', job: id })
    return id
  } catch (error) {
    if (running === own) change(own.signal.aborted ? { phase: 'idle' } : { phase: 'failed', error: troubleOf(error) })
    return null
  } finally {
    if (running === own) running = null
  }
}

/** Ends the sending. The chosen file stays. */
export const cancelSending = () => running?.abort()

export type Outcome = { project: string } | { isCancelled: true } | { trouble: Trouble }
/** Follows a job to its end. `onChange`: as in `untilEnd`. Throws the reason of the signal. */
export async function outcomeOf(job: string, onChange: (job: Job) => void, signal: AbortSignal): Promise<Outcome> {
  try {
    const ended = await untilEnd(job, onChange, signal)
    if (ended.status === 'cancelled') {
      // The chosen file stays, to begin again.
      if (state.job === job) change({ job: '' })
      return { isCancelled: true }
    }
    const path = `/jobs/${encodeURIComponent(job)}` as const
    // For a failed job the answer contains the reason and a hint.
    if (ended.status === 'failed') await request('GET', `${path}/transcript?response_format=text`, { signal })
    const { project_id: project } = await post(`${path}/transcript/project`, {})
    if (state.job === job) change(IDLE)
    return { project }
  } catch (error) {
    signal.throwIfAborted()
    const trouble = troubleOf(error)
    // The chosen file stays, to try it again.
    if (state.job === job) change({ phase: 'failed', error: trouble })
    return { trouble }
  }
}

export const cancelTranscription = cancelJob
/** True if the file that was chosen here became this job. */
export const isOwn = (job: string) => state.file !== null && state.job === job
