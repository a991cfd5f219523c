// One transcription at a time. It is a job of the studio and continues without this page. The page finds it again after a reload, a lost
// connection and a restart of the studio. The tab keeps its text and the changes of the person.

import { cancelJob } from '#control-plane/web/frame/active-jobs.ts'
import type { Job } from '#control-plane/web/frame/job.ts'
import { untilEnd } from '#control-plane/web/frame/job.ts'
import { ApiError, fieldOf, get, messageOf, request } from '#control-plane/web/lib/api.ts'
import type { NeedEntry } from '#control-plane/web/lib/api-types.ts'
import { useEffect, useState } from '#control-plane/web/lib/html.ts'
import type { Transcript } from './text.ts'

export type Transcription = {
  phase: 'idle' | 'sending' | 'working' | 'done' | 'failed'
  /** '' before the studio has the file */
  job: string
  /** null after a reload */
  file: File | null
  /** name of the file */
  name: string
  /** address of its sound; '' without the file */
  url: string
  /** epoch seconds */
  startedAt: number
  /** 0 to 1; null while it is unknown */
  progress: number | null
  transcript: Transcript | null
  /** notice about the recogniser that was used instead of another one */
  notice: string
  /** kind of work for which a model is missing; '' for none */
  needs: string
  error: { message: string; hint: string; needs: NeedEntry | null } | null
}

const KEY = 'voice-studio-transcript'
/** Longest text that is kept for a reload. The page reads a longer one from the studio again, without changes. */
const KEPT_CHARS = 2_000_000
const REASON_HEADER = 'x-svc-routing-reason'
const NEEDS_HEADER = 'x-svc-needs'

const IDLE: Transcription = {
  phase: 'idle',
  job: '',
  file: null,
  name: '',
  url: '',
  startedAt: 0,
  progress: null,
  transcript: null,
  notice: '',
  needs: '',
  error: null,
}
let state = restored()
let running: AbortController | null = null
const watchers: Set<(state: Transcription) => void> = new Set()

function change(more: Partial<Transcription>) {
  state = { ...state, ...more }
  for (const watch of watchers) watch(state)
}

function restored(): Transcription {
  try {
    const { name, job = '', transcript, notice, needs = '' } = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') ?? {}
    if (typeof name === 'string' && Array.isArray(transcript?.segments))
      return { ...IDLE, phase: 'done', name, job: String(job), transcript, notice: String(notice), needs: String(needs) }
    if (typeof name === 'string' && typeof job === 'string' && job) return { ...IDLE, phase: 'working', name, job }
  } catch {
    // Not what this version wrote.
  }
  return IDLE
}

function keep() {
  const { name, job, transcript, notice, needs } = state
  const text = JSON.stringify({ name, job, transcript, notice, needs })
  try {
    sessionStorage.setItem(KEY, text.length <= KEPT_CHARS ? text : JSON.stringify({ name, job }))
  } catch {
    // The storage of the browser is full or turned off.
  }
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

/** Chooses a file to play and to transcribe. Returns false if the page shows the transcript of another file, which would be lost. */
export function choose(file: File) {
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

export function edit(transcript: Transcript) {
  change({ transcript })
  keep()
}

const seconds = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : 0)

function segmentOf(one: unknown): Transcript['segments'][number] {
  const [start, speaker] = [seconds(fieldOf(one, 'start')), fieldOf(one, 'speaker')]
  return {
    start,
    end: Math.max(start, seconds(fieldOf(one, 'end'))),
    text: String(fieldOf(one, 'text') ?? '').trim(),
    speaker: typeof speaker === 'string' ? speaker : '',
  }
}

/** `answer`: verbose_json */
export function transcriptOf(answer: unknown): Transcript {
  const segments: unknown = fieldOf(answer, 'segments')
  const language = fieldOf(answer, 'language')
  return {
    language: typeof language === 'string' ? language : '',
    duration: seconds(fieldOf(answer, 'duration')),
    segments: Array.isArray(segments) ? segments.map(segmentOf) : [],
  }
}

function failed(error: unknown): Partial<Transcription> {
  const { hint, needs } = error instanceof ApiError ? error : { hint: '', needs: null }
  return { phase: 'failed', job: '', error: { message: error instanceof Error ? error.message : messageOf(error), hint, needs } }
}

/** Runs `work` as the transcription that is shown. The page shows nothing of it after another one has begun. */
async function begin(work: (signal: AbortSignal) => Promise<void>) {
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

/** Unknown until the recogniser reports its first share. */
const progressOf = ({ progress }: Job) => progress || null

/** Until its transcript is here. */
async function follow(job: string, signal: AbortSignal) {
  const { status } = await untilEnd(job, (now) => change({ startedAt: now.created_at, progress: progressOf(now) }), signal)
  if (status === 'cancelled') return change({ phase: 'idle', job: '' })
  // For a failed job the answer contains the reason and a hint.
  const response = await request('GET', `/jobs/${encodeURIComponent(job)}/transcript?response_format=verbose_json`, { signal })
  const transcript = transcriptOf(await response.json())
  const needs = (response.headers.get(NEEDS_HEADER) ?? '').split('=')[0] ?? ''
  change({ phase: 'done', transcript, notice: response.headers.get(REASON_HEADER) ?? '', needs })
  keep()
}

export async function transcribe({ language, hasSpeakers }: { language: string; hasSpeakers: boolean }) {
  const { file } = state
  if (file === null || isBusy(state)) return
  const form = new FormData()
  form.append('model', 'whisper-1')
  form.append('response_format', 'verbose_json')
  if (language.trim()) form.append('language', language.trim())
  if (hasSpeakers) form.append('diarize', 'true')
  form.append('file', file)
  change({ phase: 'sending', startedAt: Date.now() / 1000, progress: null, transcript: null, notice: '', needs: '', error: null })
  await begin(async (signal) => {
    const response = await request('POST', '/v1/audio/transcriptions', { form, headers: { prefer: 'respond-async' }, signal })
    const { id }: { id: string } = await response.json()
    change({ phase: 'working', job: id })
    keep()
    await follow(id, signal)
  })
}

/** Shows a transcription of the studio. Returns false if the page shows another one, which would be lost. */
export function open(job: string) {
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

export const isBusy = ({ phase }: Pick<Transcription, 'phase'>) => phase === 'sending' || phase === 'working'

if (state.phase === 'working') void begin((signal) => follow(state.job, signal))
