// A transcription by the running studio: a job, so that its progress is known and a restart of the studio does not end it.

import type { IncomingMessage } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { type JobRow, jobsContracts } from '#control-plane/features/base/jobs/jobs.contract.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Environment } from '../command.ts'
import { failureFrom, request, requestJson } from './api.ts'
import { uploaded } from './restart.ts'

export type WantedTranscript = {
  readonly content: Blob
  /** The name of the file; its extension names the format of the sound. */
  readonly name: string
  /** BCP 47; recognised without one. */
  readonly language?: string | undefined
  /** The selected recogniser without one. */
  readonly engine?: string | undefined
  /** True to find out who speaks. Refused by a studio that cannot. */
  readonly speakers: boolean
}
type Shown = (fraction: number | null) => void

const Accepted = z.object({ id: z.string().min(1).max(128) })
const Job = jobsContracts.read.reply.pick({ status: true, error: true, progress: true })
/** Milliseconds between two looks at the job: at first, and at most. */
const LOOK_MS = { first: 100, most: 1_000 }

/** Resolves with the id of the finished job. An aborted signal cancels the job. Throws the refusal of the studio. */
export async function transcribed(env: Environment, wanted: WantedTranscript, signal: AbortSignal, shown: Shown): Promise<string> {
  const form = new FormData()
  if (wanted.language !== undefined) form.set('language', wanted.language)
  if (wanted.engine !== undefined) form.set('model', wanted.engine)
  if (wanted.speakers) form.set('response_format', 'diarized_json')
  form.set('file', wanted.content, wanted.name)
  const call = { method: 'POST', path: '/v1/audio/transcriptions', form, headers: { prefer: 'respond-async' }, signal }
  // A second job for the same recording costs little: it shares the steps of the first.
  const send = async () => {
    const response = await request(env, call)
    if (response.statusCode !== 202) throw await failureFrom(env, response)
    return Accepted.parse(JSON.parse(await readText(response))).id
  }
  const id = await uploaded(env, send, signal)
  try {
    const { status, error } = await ended(env, id, signal, shown)
    if (status === 'done') return id
    throw new Failure('RECOGNITION_FAILED', error ?? 'The transcription was cancelled.')
  } catch (error) {
    if (signal.aborted) await requestJson(env, 'POST', `/tasks/cancel/${encodeURIComponent(id)}`).catch(() => {})
    throw error
  }
}

async function ended(env: Environment, id: string, signal: AbortSignal, shown: Shown): Promise<Pick<JobRow, 'status' | 'error'>> {
  for (let wait = LOOK_MS.first; ; wait = Math.min(2 * wait, LOOK_MS.most)) {
    const job = Job.parse(await requestJson(env, 'GET', `/jobs/${encodeURIComponent(id)}`, undefined, signal))
    if (job.status !== 'pending' && job.status !== 'running') return job
    shown(job.progress)
    await pause(wait, undefined, { signal })
  }
}

/** The transcript of a finished job in a format of the public API. */
export async function transcriptOf(env: Environment, id: string, format: string, signal: AbortSignal): Promise<IncomingMessage> {
  const path = `/jobs/${encodeURIComponent(id)}/transcript?response_format=${format}`
  const response = await request(env, { method: 'GET', path, signal })
  if (response.statusCode !== 200) throw await failureFrom(env, response)
  return response
}
