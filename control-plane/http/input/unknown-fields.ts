// Fields of a request that its contract does not declare. Newer clients send them to older servers, so they are ignored, never refused, and
// the response names them. They are dropped before the schema looks at the input: an error of the schema for each of a hundred thousand
// fields would block the event loop for a second.
import { scalarFrom } from './scalar-text.ts'
import type { Shape } from './shape.ts'

/** lenient: numbers and flags may be texts. */
export type Reading = 'strict' | 'lenient'

/**
 * `value` without its undeclared fields, at any depth; their paths go to `onDropped`. Parts without such fields are not copied. The caller has
 * limited the depth of `value`.
 */
export const declaredOf = (shape: Shape, value: unknown, onDropped: (path: string) => void, reading: Reading): unknown =>
  declared(shape, value, '', onDropped, reading)

function declared(shape: Shape, value: unknown, prefix: string, onDropped: (path: string) => void, reading: Reading): unknown {
  if (typeof value !== 'object' || value === null || !shape.isContainer) return value
  const isList = Array.isArray(value)
  /** Copies of the parts that have changed. */
  const changed = new Map<string, unknown>()
  const dropped = new Set<string>()
  for (const key of Object.keys(value)) {
    if (!isList && shape.isClosed && !shape.declares(key)) {
      dropped.add(key)
      onDropped(`${prefix}${key}`)
      continue
    }
    const inner = (value as Record<string, unknown>)[key]
    const part = shape.under(key)
    if (!part) continue
    if (typeof inner !== 'object' || inner === null) {
      const meant = reading === 'lenient' && part.scalar !== null ? scalarFrom(part.scalar, inner) : inner
      if (meant !== inner) changed.set(key, meant)
      continue
    }
    const copy = declared(part, inner, `${prefix}${key}.`, onDropped, reading)
    if (copy !== inner) changed.set(key, copy)
  }
  if (changed.size === 0 && dropped.size === 0) return value
  if (isList) return value.map((each, at) => (changed.has(String(at)) ? changed.get(String(at)) : each))
  const kept = Object.entries(value).filter(([key]) => !dropped.has(key))
  return Object.fromEntries(kept.map(([key, inner]) => [key, changed.has(key) ? changed.get(key) : inner]))
}

/** More names are neither kept nor sent. */
const NAMES = 16
const NAME_CHARS = 64

/** Collects the paths of ignored fields, and writes them as a header value: at most 16 of 64 characters each, `...` for more. */
export function createIgnoredFields() {
  const names: string[] = []
  return {
    /** False when the header stays as it was. */
    add(path: string): boolean {
      if (names.length > NAMES) return false
      names.push(path.slice(0, NAME_CHARS))
      return true
    },
    /** Null without ignored fields. A name may contain anything that a client can send, so unusual characters become `?`. */
    header(): string | null {
      const shown = names.slice(0, NAMES).map((name) => name.replace(/[^\w.[\]-]/g, '?'))
      return names.length === 0 ? null : [...shown, ...(names.length > NAMES ? ['...'] : [])].join(', ')
    },
  }
}
