// The jobs that run now: their names, their progress, and how to cancel one.

import { strings } from '#messages/frame.ts'
import { post } from '../lib/api.ts'
import type { Gets } from '../lib/api-types.ts'
import { usePolled } from '../lib/read.ts'

export type Job = Gets['/jobs'][number]

const EVERY_MS = 4000

const NAME_CHARS = 120

/** The first of these texts that a job was created with, else ''. */
export function metaText({ meta_json: json }: Pick<Job, 'meta_json'>, ...fields: string[]) {
  let meta: unknown
  try {
    meta = JSON.parse(json)
  } catch {}
  if (typeof meta !== 'object' || meta === null) return ''
  for (const field of fields) {
    const value = Reflect.get(meta, field)
    if (typeof value === 'string' && value.trim() !== '') return value.trim()
  }
  return ''
}

/** Name of a job: the title or file that it was given, else its kind. */
export const jobName = (job: Job) => metaText(job, 'title', 'filename', 'name').slice(0, NAME_CHARS) || strings.kind(job.type)

/** The mean progress of jobs, null while none says its own. */
export function meanProgress(jobs: readonly Pick<Job, 'progress'>[]) {
  const known = jobs.flatMap(({ progress }) => (progress === null ? [] : [progress]))
  return known.length === 0 ? null : known.reduce((sum, one) => sum + one, 0) / jobs.length
}

/** The active jobs, read again every few seconds and soon after `hint` changes. */
export const useActiveJobs = (hint: unknown) => usePolled('/jobs?status=active', EVERY_MS, hint)

export const cancelJob = (id: string) => post(`/tasks/cancel/${encodeURIComponent(id)}`, {})

/** Runs a job again that was set aside. */
export const retryJob = (id: string) => post(`/jobs/${encodeURIComponent(id)}/retry`, {})
