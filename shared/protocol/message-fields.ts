// Fields that the messages of the link share, and the parser of a message.
import { z } from 'zod'
import { Failure } from './failure.ts'
import { lineField } from './fields/clean-text.ts'
import type { Wire, WireMessages } from './generated/wire.ts'

export const IdField = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/)
export const NameField = lineField(200)
export const TextField = lineField(2000)
export const CountField = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER)
/** The end of the year 9999, in epoch milliseconds: dates beyond it have another form, or none. */
const LAST_MOMENT = 253_402_300_799_999
/** A time on the clock of a peer in epoch milliseconds, which may be anything; a later one counts as the last. */
export const MomentField = CountField.overwrite((at) => Math.min(at, LAST_MOMENT))

type NoOther<Shape, Keys extends PropertyKey> = { [Key in Exclude<keyof Shape, Keys>]: never }
/** The schema of a message: the compiler refuses a field too few or too many. */
export const fields =
  <Name extends keyof WireMessages>() =>
  <Shape extends Record<keyof Wire<Name>, z.ZodType>>(shape: Shape & NoOther<Shape, keyof Wire<Name>>) =>
    z.object<Shape>(shape)

/** Throws a Failure with `code` that names the first invalid field. The message never repeats the value. */
export function parseMessage<T>(
  schema: z.ZodType<T>,
  message: unknown,
  code: 'INVALID_TASK_PARAMS' | 'INVALID_RESULT' = 'INVALID_RESULT',
): T {
  const parsed = schema.safeParse(message)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]!
  throw new Failure(code, `The peer sent an invalid message: ${issue.path.join('.')} ${issue.message}.`)
}
