// The events of a job, as text. Pure.
import { metaText } from '#control-plane/web/frame/active-jobs.ts'
import { explained } from '#control-plane/web/lib/api.ts'
import { duration, percent } from '#control-plane/web/lib/format.ts'
import { serverSentence } from '#control-plane/web/lib/server-texts.ts'
import { strings } from '#messages/system/jobs.ts'
import type { Job } from './list.ts'

/** Progress of a job, or its end. */
export function progressText(job: Job) {
  const { status, step, progress, error, created_at: from, finished_at: to } = job
  if (status === 'failed') return error === null ? strings.noReason : explained(job, error, '').message
  if (status === 'done') return to === null ? '' : strings.took(duration(Math.max(0, to - from)))
  if (status === 'cancelled') return ''
  if (job.held_by !== undefined) return explained({ code: 'QUOTA_EXCEEDED', values: job.held_values }, job.held_by, '').message
  const texts = step === null ? [] : [step.total > 1 ? strings.step(step.ordinal, step.total) : '', stepName(step.name)].filter(Boolean)
  return texts.join(' · ') || (progress === null ? '' : percent(progress))
}

/** The work of a step by a word in its name, which is one for programs. */
const WORK = [
  [/speak|render/, 'speaking'],
  [/translate/, 'translating'],
  [/separat|vocals/, 'separating'],
  [/part|transcript|lines/, 'recognising'],
] as const
const stepName = (name: string) => serverSentence(WORK.find(([word]) => word.test(name))?.[1] ?? '')

/** An event in the form in which the studio sends it. */
export type StoredEvent = { seq: number; created_at: number; payload: string }
export type JobEvent = { readonly seq: number; readonly at: number; readonly name: string; readonly text: string }

const EVENT_CHARS = 300

/** A stored event as a line. Pure. */
export function eventLine({ seq, created_at: at, payload }: StoredEvent): JobEvent {
  let data: unknown = null
  const lines = payload.split('\n')
  const after = (field: string) =>
    lines
      .find((line) => line.startsWith(field))
      ?.slice(field.length)
      .trim()
  const body = after('data:') ?? payload
  try {
    data = JSON.parse(body)
  } catch {}
  const field = (name: string) => (typeof data === 'object' && data !== null ? Reflect.get(data, name) : undefined)
  // Its fields are for programs; a person reads its sentence.
  const text = ['reason', 'error', 'message', 'text'].map(field).find((one) => typeof one === 'string') ?? (data === null ? body : '')
  const named = after('event:') ?? field('type') ?? field('event') ?? field('stage')
  return {
    seq,
    at,
    name: typeof named === 'string' ? named.slice(0, 60).replaceAll('_', ' ') : '',
    text: serverSentence(text.slice(0, EVENT_CHARS)),
  }
}

const PLACES: Readonly<Record<string, string>> = {
  audiobook: '#/audiobook',
  story: '#/audiobook',
  generate: '#/files',
  model_install: '#/models',
}

/** The page where the result is. Pure. */
export function placeOf(job: Pick<Job, 'id' | 'type' | 'meta_json'>): string | null {
  if (job.type === 'transcription') return `#/transcribe/${encodeURIComponent(job.id)}`
  const dub = metaText(job, 'dub')
  return dub ? `#/dub/${encodeURIComponent(dub)}` : (PLACES[job.type] ?? null)
}
