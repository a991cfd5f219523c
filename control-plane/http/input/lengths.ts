// The lengths of texts, checked before any other part of a schema looks at them. Zod runs every check of a string, expressions and
// transformations included, even if the string is too long.
import { isLongerThan } from '#shared/protocol/fields/characters.ts'
import type { Shape } from './shape.ts'

type Path = readonly (string | number)[]
export type TooLong = { readonly path: Path; readonly most: number }

/** A request may have thousands; the refusal names the first ones. */
export const MAX_TOO_LONG = 16

/** The first texts that are longer than the schema allows. Fields that the schema does not name are not read. */
export function findTooLong(shape: Shape, value: unknown): TooLong[] {
  const found: TooLong[] = []
  search(shape, value, [], found)
  return found
}

/** `path`: of the value; it is used for the values inside as well. */
function search(shape: Shape, value: unknown, path: (string | number)[], found: TooLong[]): void {
  if (typeof value === 'string') {
    if (isLongerThan(value, shape.mostChars)) found.push({ path: [...path], most: shape.mostChars })
    return
  }
  if (typeof value !== 'object' || value === null || !shape.isContainer) return
  const isList = Array.isArray(value)
  for (const key of Object.keys(value)) {
    if (found.length === MAX_TOO_LONG) return
    const inner = shape.under(key)
    if (!inner) continue
    path.push(isList ? Number(key) : key)
    search(inner, (value as Record<string, unknown>)[key], path, found)
    path.pop()
  }
}

/** A copy in which the texts at these paths are empty. */
export const emptied = (value: unknown, tooLong: readonly TooLong[]): unknown =>
  tooLong.reduce<unknown>((copy, { path }) => replaced(copy, path), value)

function replaced(value: unknown, [key, ...rest]: Path): unknown {
  if (key === undefined) return ''
  if (Array.isArray(value)) return value.with(Number(key), replaced(value[Number(key)], rest))
  return { ...(value as object), [key]: replaced((value as Record<string, unknown>)[key], rest) }
}
