// Lines of a streamed take that report progress and failures. Pure.

import { replyFor } from '#control-plane/http/contract/errors.ts'
import { FAILURES, type Failure } from '#shared/protocol/failure.ts'
import type { Task } from '#shared/protocol/task.ts'
import { errorCode, explainGenerate } from '../generate.rules.ts'
import type { TakeError, TakeProgress } from './take-events.schema.ts'

const STAGES: Readonly<Record<Task['phase'], TakeProgress['stage']>> = {
  queued: 'queued',
  offered: 'queued',
  loading: 'loading',
  running: 'running',
  unknown: 'queued',
  cancelling: 'running',
  delivering: 'uploading',
  succeeded: 'uploading',
  failed: 'uploading',
  timed_out: 'uploading',
  cancelled: 'uploading',
}

/** `mark`: of the attempt under way. `target`: id of the machine. */
export const progressLine = (
  phase: Task['phase'],
  mark: { readonly progress: number; readonly stage: string } | undefined,
  target: string,
): TakeProgress => ({
  type: 'progress',
  stage: STAGES[phase],
  percent: phase === 'succeeded' ? 100 : Math.round(100 * (mark?.progress ?? 0)),
  target,
  detail: mark?.stage ?? '',
})

/** Fields of a missing model that clients use to offer its download. */
const MODEL_FIELDS = ['engine', 'repo_ids', 'target', 'target_label', 'downloadable']

/** `label`: name of the remote machine that was chosen; null for a take of this machine. */
export function errorLine(failure: Failure, label: string | null): TakeError {
  const explained = explainGenerate(failure)
  const { headers, body } = replyFor(explained)
  const code = errorCode(failure)
  const detail = typeof body['detail'] === 'object' ? Object.entries(body['detail'] ?? {}) : []
  const retryAfter = Number(headers['retry-after'])
  return {
    type: 'error',
    code,
    detail: typeof body['detail'] === 'string' ? body['detail'] : failure.message,
    retryable: code !== 'invalid_request',
    ...(retryAfter > 0 && { retry_after: retryAfter }),
    ...(label !== null && { target_label: label, hint: FAILURES[explained.code].hint }),
    ...Object.fromEntries(detail.filter(([name]) => MODEL_FIELDS.includes(name))),
  }
}
