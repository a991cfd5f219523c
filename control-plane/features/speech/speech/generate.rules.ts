// The failures of /generate. Pure.

import type { TakeChunks } from '#control-plane/features/base/library/api.ts'
import { modelMissing } from '#control-plane/inference/missing-model.ts'
import type { SpeechParams } from '#control-plane/inference/synthesis.ts'
import { FAILURES, Failure } from '#shared/protocol/failure.ts'
import { withoutAnnotations } from '#shared/text/pronunciation/annotation.ts'
import type { GenerateForm } from './speech.schema.ts'
import type { TakeErrorCode } from './stream/take-events.schema.ts'

/** Details of a failure of the chosen machine: another attempt there may succeed soon. */
export const REMOTE_FAILURE = { isRemote: true, retryAfterSeconds: 10 } as const

/** Length of a take that a reference of a voice needs. */
const CHUNK_LIST_SECONDS = 20

type ListedTake = {
  readonly taskId: string | null
  readonly sampleRate: number
  readonly leadMs: number
  readonly crossfade: number
  readonly segments: readonly { readonly text: string }[]
  /** One for each segment. */
  readonly parts: readonly { readonly samples: number }[]
  readonly silent: ReadonlySet<number>
}
/** The leading chunks of a take: from the first to the one in which second 20 is. */
export function chunkList({ segments, parts, silent, ...take }: ListedTake): TakeChunks {
  const limit = CHUNK_LIST_SECONDS * take.sampleRate
  const listed: TakeChunks['parts'][number][] = []
  let spoken = 0
  for (const [index, { samples }] of parts.entries()) {
    if (spoken >= limit) break
    const isSilent = silent.has(index)
    listed.push({ text: withoutAnnotations(segments[index]?.text ?? ''), samples, ...(isSilent && { silent: true as const }) })
    if (!isSilent) spoken += samples
  }
  return { ...take, parts: listed }
}

/** Checked first. The hosted library is part of the specification and not available in this version. */
export function hostedRefusal({ profile_id }: GenerateForm): Failure {
  if (!profile_id) return new Failure('INVALID_REQUEST', 'hosted requires a profile_id.')
  return new Failure('CONFLICT', 'The hosted library is not configured.')
}

/** The failure for the client when the task ended before its first byte. */
export function explainGenerate(failure: Failure): Failure {
  switch (failure.code) {
    case 'MODEL_NOT_DOWNLOADED':
      return failure.detail ? failure : modelMissing('svc-engine', failure.message)
    case 'QUEUE_FULL':
      return new Failure('NOT_READY', failure.message, { cause: failure })
    case 'PINNED_WORKER_EXHAUSTED':
    case 'PINNED_WORKER_UNREACHABLE':
      return new Failure(failure.code, failure.message, { cause: failure, ...REMOTE_FAILURE })
    case 'TASK_DEADLINE_EXCEEDED':
      return new Failure('EXECUTION_TIMEOUT', failure.message, { cause: failure })
    default:
      return failure
  }
}

/**
 * Clients of POST /generate expect 400 for an engine that does not exist or is not installed; those of the public API expect 404 and 409. A failure
 * with a payload, such as that for a missing recogniser, stays.
 */
export function explainEngine(error: unknown): never {
  const isAboutName = error instanceof Failure && ['MODEL_NOT_FOUND', 'MODEL_NOT_INSTALLED'].includes(error.code)
  if (!isAboutName || error.detail !== undefined) throw error
  throw new Failure('BAD_REQUEST', error.message, { cause: error })
}

/** The code in the last line of a stream. */
export function errorCode({ code }: Failure): TakeErrorCode {
  if (code === 'QUEUE_FULL' || code === 'WORKER_AT_CAPACITY') return 'generation_busy'
  if (code === 'TASK_DEADLINE_EXCEEDED' || code === 'EXECUTION_TIMEOUT') return 'generation_timeout'
  return FAILURES[code].http === 400 ? 'invalid_request' : 'generation_failed'
}

/** Parameters without those of the voice. */
export const engineParameters = (form: GenerateForm): Omit<SpeechParams, 'segments'> => ({
  duration: form.duration,
  num_step: form.num_step,
  guidance_scale: form.guidance_scale,
  speed: form.speed,
  t_shift: form.t_shift,
  denoise: form.denoise,
  postprocess_output: form.postprocess_output,
  layer_penalty_factor: form.layer_penalty_factor,
  position_temperature: form.position_temperature,
  class_temperature: form.class_temperature,
})
