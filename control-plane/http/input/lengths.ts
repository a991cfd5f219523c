// The lengths of texts, checked before any other part of a schema looks at them. Zod runs every check of a string, expressions and
// transformations included, even if the string is too long.
import type { z } from 'zod'
import { isLongerThan } from '#shared/protocol/fields/characters.ts'
import { containersOf, innerOf, type InputSchema as Schema } from './containers.ts'

export type TooLong = { readonly path: readonly (string | number)[]; readonly most: number }

/** For texts whose schema names no limit. */
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
    if (isLongerThan(value, most)) yield { path, most }
    return
  }
  if (typeof value !== 'object' || value === null) return
  const options = schemas.flatMap(containersOf)
  for (const [key, each] of Object.entries(value)) {
    const known = innerOf(options, key)
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
