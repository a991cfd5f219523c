// Fields of a request that its contract does not declare. Newer clients send them to older servers, so they are ignored, never refused, and
// the response names them. They are dropped before the schema looks at the input: an error of the schema for each of a hundred thousand
// fields would block the event loop for a second.
import { type Container, containersOf, innerOf, type InputSchema as Schema } from './containers.ts'

/**
 * `value` without its undeclared fields, at any depth; their paths go to `onDropped`. Parts without such fields are not copied. The caller has
 * limited the depth of `value`.
 */
export const declaredOf = (schema: Schema, value: unknown, onDropped: (path: string) => void): unknown =>
  declared([schema], value, '', onDropped)

function declared(schemas: readonly Schema[], value: unknown, prefix: string, onDropped: (path: string) => void): unknown {
  if (typeof value !== 'object' || value === null) return value
  const options = schemas.flatMap(containersOf)
  if (options.length === 0) return value
  if (Array.isArray(value)) {
    const element = innerOf(options, '0')
    const copies = value.map((each, at) => declared(element, each, `${prefix}${at}.`, onDropped))
    return copies.some((copy, at) => copy !== value[at]) ? copies : value
  }
  const isClosed = options.every(refusesOthers)
  const kept: [string, unknown][] = []
  let isSame = true
  for (const key of Object.keys(value)) {
    if (isClosed && !options.some((option) => isNamed(option, key))) {
      isSame = false
      onDropped(`${prefix}${key}`)
      continue
    }
    const inner = (value as Record<string, unknown>)[key]
    const copy = declared(innerOf(options, key), inner, `${prefix}${key}.`, onDropped)
    isSame &&= copy === inner
    kept.push([key, copy])
  }
  return isSame ? value : Object.fromEntries(kept)
}

const isNamed = ({ _zod: { def } }: Container, key: string): boolean => def.type === 'object' && Object.hasOwn(def.shape, key)

/** An object that neither passes other fields on nor validates them. */
const refusesOthers = ({ _zod: { def } }: Container): boolean =>
  def.type === 'object' && (def.catchall === undefined || def.catchall._zod.def.type === 'never')

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
