// Fields that the messages of the link share, and the parser of a message.
import { z } from 'zod'
import { Failure } from './failure.ts'

export const IdField = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/)
export const NameField = z.string().max(200)
export const TextField = z.string().max(2000)
export const CountField = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER)

/** Throws a Failure with `code` that names the first invalid field. The message never repeats the value. */
export function parseMessage<T>(
  schema: z.ZodType<T>,
  message: unknown,
  code: 'INVALID_TASK_PARAMS' | 'AUTH_FAILED' | 'UNKNOWN' = 'UNKNOWN',
): T {
  const parsed = schema.safeParse(message)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]!
  throw new Failure(code, `The peer sent an invalid message: ${issue.path.join('.')} ${issue.message}.`)
}
