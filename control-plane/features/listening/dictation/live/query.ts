// The query of `/ws/transcribe`.
import { z } from 'zod'
import { Failure } from '#shared/protocol/failure.ts'

const flag = z
  .string()
  .max(8)
  .nullish()
  .transform((text) => ['1', 'true', 'yes', 'on'].includes(text?.toLowerCase() ?? ''))
export const LiveQuery = z.object({
  /** A model of dictation, or an engine; '' selects the owner's choice. */
  model: z.string().max(200).default(''),
  /** 16-bit little-endian mono; otherwise a container that ffmpeg reads, such as WebM. */
  pcm: flag,
  /** Requests echo cancellation, which is not available. */
  aec: flag,
  /** Hz of `pcm`. */
  sr: z
    .string()
    .regex(/^\d{4,6}$/, 'must be a number')
    .transform(Number)
    .pipe(z.number().int().min(8_000).max(96_000))
    .default(16_000),
})
export type LiveQuery = z.output<typeof LiveQuery>

/** Unknown parameters are ignored. Throws BAD_REQUEST. */
export function parseLiveQuery(query: URLSearchParams): LiveQuery {
  const { success, data, error } = LiveQuery.safeParse(Object.fromEntries(query))
  if (success) return data
  const { path, message } = error.issues[0]!
  throw new Failure('BAD_REQUEST', `The parameter ${path.join('.')} is invalid: ${message}.`)
}
