// Validation errors in the shape that clients of this API expect: a list of {type, loc, msg, input, ctx?}.
import type { z } from 'zod'
import { Failure } from '#shared/protocol/failure.ts'
import type { JsonShape } from '#shared/protocol/json.ts'
import { emptied, findTooLong, MAX_TOO_LONG, type TooLong } from './lengths.ts'
import { shapeOf } from './shape.ts'
import { declaredOf, type Reading } from './unknown-fields.ts'

type Issue = z.core.$ZodIssue
export type Where = 'body' | 'query' | 'path'
type Detail = { type: string; loc: (string | number)[]; msg: string; input: unknown; ctx?: Record<string, unknown> }
const INPUT_CHARS = 200
/** A body may have a hundred thousand problems, and the answer would be many times as long as the body. */
const MAX_PROBLEMS = 64
// No request schema is deeper than ten. JSON nested through a megabyte would overflow the stack of recursive code.
export const MAX_LEVELS = 64

/**
 * Throws Failure INVALID_REQUEST with all problems at once, at most 64. Fields that the schema does not declare are ignored, and their paths go to
 * `onIgnored`. The depth of `value` was limited before it was parsed.
 */
export function parseInput<T>(
  schema: z.ZodType<T>,
  value: unknown,
  where: Where,
  onIgnored: (path: string) => void = () => {},
  reading: Reading = 'strict',
): T {
  const shape = shapeOf(schema)
  const known = declaredOf(shape, value, onIgnored, reading)
  const long = findTooLong(shape, known)
  if (long.length === MAX_TOO_LONG) throw invalid(long.map((one) => tooLong(one, value, where)))
  // The rest is checked with empty texts in their place, so that all problems are reported at once.
  const parsed = schema.safeParse(emptied(known, long))
  if (parsed.success && long.length === 0) return parsed.data
  const isLong = (path: readonly PropertyKey[]) => long.some((one) => one.path.every((key, index) => key === path[index]))
  const others = (parsed.error?.issues.filter(({ path }) => !isLong(path)) ?? []).slice(0, MAX_PROBLEMS - long.length)
  throw invalid([...long.map((one) => tooLong(one, value, where)), ...others.flatMap((issue) => describe(issue, value, where))])
}

/** The failure for a body whose JSON is nested deeper, or has more elements and fields, than its route allows. */
export const wrongShape = (limit: keyof JsonShape, most: number): Failure =>
  invalid([
    limit === 'depth'
      ? { type: 'value_error', loc: ['body'], msg: 'Input is nested too deeply', input: null }
      : { type: 'too_long', loc: ['body'], msg: `Input should have at most ${most} values`, input: null },
  ])

export const invalid = (detail: Detail[]): Failure => new Failure('INVALID_REQUEST', detail.map(({ msg }) => msg).join('; '), { detail })

const tooLong = ({ path, most }: TooLong, value: unknown, where: Where): Detail => ({
  type: 'string_too_long',
  loc: [where, ...path],
  msg: `String should have at most ${most} characters`,
  input: excerptOf(at(value, path)),
  ctx: { max_length: most },
})

/** The failure for a body that is not JSON. */
export const unreadable = (error: Error): Failure =>
  invalid([{ type: 'json_invalid', loc: ['body'], msg: 'JSON decode error', input: {}, ctx: { error: error.message } }])

function describe(issue: Issue, value: unknown, where: Where): Detail[] {
  const path = issue.path.map((key) => (typeof key === 'symbol' ? String(key) : key))
  const loc = [where, ...path.map((key) => (typeof key === 'string' ? key.slice(0, INPUT_CHARS) : key))]
  const input = excerptOf(at(value, path))
  const { type, ctx } = kindOf(issue, at(value, path))
  return [
    {
      type,
      loc,
      msg: type === 'missing' ? 'Field required' : messageOf(issue),
      // Of a field that is missing: what it is missing from.
      input: type === 'missing' ? excerptOf(at(value, path.slice(0, -1))) : input,
      ...(ctx && { ctx }),
    },
  ]
}

/** Texts of queries and forms are converted before they are checked. */
const messageOf = ({ message }: Issue): string => (message.endsWith('received NaN') ? 'Input should be a number' : message)

function kindOf(issue: Issue, input: unknown): { type: string; ctx?: Record<string, unknown> } {
  switch (issue.code) {
    case 'invalid_type':
      return { type: input === undefined ? 'missing' : (TYPES[issue.expected] ?? `${issue.expected}_type`) }
    case 'too_small':
      if (issue.origin === 'string') return { type: 'string_too_short', ctx: { min_length: issue.minimum } }
      return issue.inclusive
        ? { type: 'greater_than_equal', ctx: { ge: issue.minimum } }
        : { type: 'greater_than', ctx: { gt: issue.minimum } }
    case 'too_big':
      if (issue.origin === 'string') return { type: 'string_too_long', ctx: { max_length: issue.maximum } }
      return issue.inclusive ? { type: 'less_than_equal', ctx: { le: issue.maximum } } : { type: 'less_than', ctx: { lt: issue.maximum } }
    case 'invalid_value':
      return {
        type: input === undefined ? 'missing' : 'literal_error',
        ctx: { expected: issue.values.map((value) => `'${String(value)}'`).join(', ') },
      }
    default:
      return { type: 'value_error' }
  }
}
const TYPES: Readonly<Record<string, string>> = {
  string: 'string_type',
  number: 'float_type',
  int: 'int_type',
  boolean: 'bool_type',
  object: 'model_attributes_type',
  array: 'list_type',
  nan: 'finite_number',
}

const at = (value: unknown, path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>(
    (inner, key) => (inner !== null && typeof inner === 'object' ? (inner as Record<string | number, unknown>)[key] : undefined),
    value,
  )

/** The input, shortened for the error message. Audio is never included. */
function excerptOf(value: unknown): unknown {
  if (typeof value === 'string') return value.length > INPUT_CHARS ? `${value.slice(0, INPUT_CHARS)}…` : value
  if (value instanceof Uint8Array) return `<${value.length} bytes>`
  if (value === undefined) return null
  if (typeof value !== 'object' || value === null) return value
  const text = JSON.stringify(value)
  return text.length > INPUT_CHARS ? `${text.slice(0, INPUT_CHARS)}…` : value
}
