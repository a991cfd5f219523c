// Checks a large body in several turns of the event loop, so that thousands of lines do not block it: its lists a part at a time.

import { z } from 'zod'
import { Failure } from '#shared/protocol/failure.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'
import type { Reading } from './unknown-fields.ts'
import { parseInput, type Where } from './validation.ts'

/** Elements that are checked in one turn. */
const PART = 50
/** The header names 16, and says that there are more. */
const MAX_IGNORED = 17

type Schema = z.core.$ZodType
type Fields = Record<string, unknown>
type List = { readonly key: string; readonly schema: z.core.$ZodArray }
type Plan = {
  /** The fields that are lists and may be nothing else. */
  readonly lists: readonly (List & { readonly part: z.ZodArray })[]
  /** Accepts any element in these lists. Its checks look at whole lists: a number of elements, or that they differ. */
  readonly rest: z.ZodType
}
const plans = new WeakMap<Schema, Plan | null>()

/** Same as `parseInput`. The elements of lists are checked first, and the rest of the schema sees them as they were parsed. */
export async function parseInTurns<T>(
  schema: z.ZodType<T>,
  value: unknown,
  where: Where,
  onIgnored: (path: string) => void = () => {},
  reading: Reading = 'strict',
): Promise<T> {
  const plan = planOf(schema)
  if (!plan || typeof value !== 'object' || value === null) return parseInput(schema, value, where, onIgnored, reading)
  const ignored: string[] = []
  const ignore = (path: string) => {
    if (ignored.length < MAX_IGNORED) ignored.push(path)
  }
  const parsed = await parsedInParts(plan, value as Fields, where, ignore, reading)
  // All problems of a body are reported at once, with what the client sent.
  if (parsed === null) return parseInput(schema, value, where, onIgnored, reading)
  for (const path of ignored) onIgnored(path)
  return parsed as T
}

/** Null for a body that is refused. */
async function parsedInParts(
  { lists, rest }: Plan,
  value: Fields,
  where: Where,
  onIgnored: (path: string) => void,
  reading: Reading,
): Promise<unknown> {
  const checked = { ...value }
  try {
    for (const { key, part } of lists) {
      const elements = Object.hasOwn(value, key) ? value[key] : null
      if (!Array.isArray(elements)) continue
      const parsed: unknown[] = []
      for (let from = 0; from < elements.length; from += PART) {
        if (from > 0) await nextTurn()
        const ignore = (path: string) => {
          const dot = path.indexOf('.')
          onIgnored(`${key}.${from + Number(path.slice(0, dot))}${path.slice(dot)}`)
        }
        parsed.push(...parseInput(part, elements.slice(from, from + PART), where, ignore, reading))
      }
      checked[key] = parsed
    }
    return parseInput(rest, checked, where, onIgnored, reading)
  } catch (error) {
    if (error instanceof Failure) return null
    throw error
  }
}

/** Null for a schema that is not an object with lists. */
function planOf(schema: Schema): Plan | null {
  if (!plans.has(schema)) plans.set(schema, createPlan(schema))
  return plans.get(schema)!
}

function createPlan(schema: Schema): Plan | null {
  const { def } = schema._zod as z.core.$ZodTypes['_zod']
  if (def.type !== 'object') return null
  const lists = Object.entries(def.shape).flatMap(([key, field]) => {
    const list = listIn(field)
    return list ? [{ key, schema: list, part: z.array(list._zod.def.element) }] : []
  })
  if (lists.length === 0) return null
  const shape = { ...def.shape }
  for (const { key } of lists) shape[key] = withAnyElement(shape[key]!)
  return { lists, rest: z.core.clone(schema, { ...def, shape } as never) as z.ZodType }
}

/** The list of a field that may also be absent or null. */
function listIn(field: Schema): z.core.$ZodArray | null {
  const { def } = field._zod as z.core.$ZodTypes['_zod']
  if (def.type === 'array') return field as z.core.$ZodArray
  return isWrapper(def) ? listIn(def.innerType) : null
}
function withAnyElement(field: Schema): Schema {
  const { def } = field._zod as z.core.$ZodTypes['_zod']
  if (def.type === 'array') return z.core.clone(field, { ...def, element: z.unknown() } as never)
  return isWrapper(def) ? z.core.clone(field, { ...def, innerType: withAnyElement(def.innerType) } as never) : field
}
const isWrapper = (def: z.core.$ZodTypes['_zod']['def']): def is z.core.$ZodOptionalDef | z.core.$ZodNullableDef | z.core.$ZodDefaultDef =>
  def.type === 'optional' || def.type === 'nullable' || def.type === 'default'
