// The lengths of texts, checked before any other part of a schema looks at them. Zod runs every check of a string, expressions and
// transformations included, even if the string is too long.
import type { z } from 'zod'

type Schema = z.core.$ZodType
export type TooLong = { readonly path: readonly (string | number)[]; readonly most: number }

/** In UTF-16 units, for texts whose schema names no limit. */
export const USUAL_CHARS = 4096
/** For a number or a flag that a form sends as text. */
export const NUMBER_CHARS = 64
/** A request may have thousands; the refusal names the first ones. */
export const MOST_TOO_LONG = 16

/** The first texts that are longer than the schema allows. Fields that the schema does not name are not read. */
export function findTooLong(schema: Schema, value: unknown): TooLong[] {
  const found: TooLong[] = []
  for (const each of search([schema], value, [])) if (found.push(each) === MOST_TOO_LONG) break
  return found
}

function* search(schemas: readonly Schema[], value: unknown, path: readonly (string | number)[]): Generator<TooLong> {
  if (typeof value === 'string') {
    const most = Math.max(...schemas.map(mostChars))
    if (value.length > most) yield { path, most }
    return
  }
  if (typeof value !== 'object' || value === null) return
  const options = schemas.flatMap(containersOf)
  const inner = (key: string): Schema[] =>
    options.flatMap((option) => {
      const { def } = option._zod as z.core.$ZodObject['_zod'] | z.core.$ZodArray['_zod'] | z.core.$ZodRecord['_zod']
      if (def.type === 'array') return [def.element]
      if (def.type === 'record') return [def.valueType]
      return Object.hasOwn(def.shape, key) ? [def.shape[key]!] : []
    })
  for (const [key, each] of Object.entries(value)) {
    const known = inner(key)
    if (known.length > 0) yield* search(known, each, [...path, Array.isArray(value) ? Number(key) : key])
  }
}

/** A copy in which the texts at these paths are empty. */
export const emptied = (value: unknown, tooLong: readonly TooLong[]): unknown =>
  tooLong.reduce<unknown>((copy, { path }) => replaced(copy, path), value)

function replaced(value: unknown, [key, ...rest]: readonly (string | number)[]): unknown {
  if (key === undefined) return ''
  if (Array.isArray(value)) return value.with(Number(key), replaced(value[Number(key)], rest))
  return { ...(value as object), [key]: replaced((value as Record<string, unknown>)[key], rest) }
}

/** The objects, lists and records that the schema may accept. */
function containersOf(schema: Schema): Schema[] {
  const { def } = schema._zod as z.core.$ZodTypes['_zod']
  switch (def.type) {
    case 'object':
    case 'array':
    case 'record':
      return [schema]
    case 'union':
      return def.options.flatMap((option) => containersOf(option))
    case 'intersection':
      return [...containersOf(def.left), ...containersOf(def.right)]
    case 'pipe':
      return containersOf(def.in)
    default:
      return 'innerType' in def ? containersOf(def.innerType) : []
  }
}

const mostChars = (schema: Schema): number => charsOf(schema) ?? USUAL_CHARS

/** Null if the schema names no limit. */
function charsOf(schema: Schema): number | null {
  const { def } = schema._zod as z.core.$ZodTypes['_zod']
  switch (def.type) {
    case 'string':
      return (schema as z.ZodString).maxLength
    case 'number':
    case 'boolean':
      return NUMBER_CHARS
    case 'unknown':
    case 'any':
      return Number.POSITIVE_INFINITY
    case 'union':
      return Math.max(...def.options.map((option) => mostChars(option)))
    case 'pipe': {
      const limits = [charsOf(def.in), charsOf(def.out)].filter((limit) => limit !== null)
      return limits.length > 0 ? Math.min(...limits) : null
    }
    default:
      return 'innerType' in def ? charsOf(def.innerType) : null
  }
}
