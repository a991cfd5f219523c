// The shape that a schema accepts at each place of its input: for the walks that come before the schema itself. Computed once for each
// schema.
import type { z } from 'zod'

type Schema = z.core.$ZodType
type Container = z.core.$ZodObject | z.core.$ZodArray | z.core.$ZodRecord

export type Scalar = 'number' | 'boolean'
export type Shape = {
  /** An object, a list or a record may be here. */
  readonly isContainer: boolean
  readonly isList: boolean
  /** Other fields than the declared ones are neither passed on nor validated. */
  readonly isClosed: boolean
  /** The most characters of a text here. */
  readonly mostChars: number
  /** Numbers or flags are accepted here, and no text; null otherwise. */
  readonly scalar: Scalar | null
  /** An object declares a field of this name. */
  readonly declares: (key: string) => boolean
  /** Shape accepted under a key; null when no container says so. */
  readonly under: (key: string) => Shape | null
}

/** Characters of a text whose schema names no limit. */
export const USUAL_CHARS = 4096
/** Characters of a number or a flag that a form sends as text. */
const NUMBER_CHARS = 64

const shapes = new WeakMap<Schema, Shape>()
export function shapeOf(schema: Schema): Shape {
  const shape = shapes.get(schema) ?? createShape([schema])
  shapes.set(schema, shape)
  return shape
}

function createShape(schemas: readonly Schema[]): Shape {
  const containers = schemas.flatMap(containersOf)
  const names = new Set(containers.flatMap(({ _zod: { def } }) => (def.type === 'object' ? Object.keys(def.shape) : [])))
  const inner = (key: string | null): Shape | null => {
    const found = containers.flatMap((container) => innerOf(container, key))
    return found.length === 0 ? null : createShape(found)
  }
  const named = new Map<string, Shape | null>()
  let others: Shape | null | undefined
  return {
    isContainer: containers.length > 0,
    isList: containers.some(({ _zod: { def } }) => def.type === 'array'),
    isClosed: containers.every(refusesOthers),
    mostChars: Math.max(...schemas.map((schema) => charsOf(schema) ?? USUAL_CHARS)),
    scalar: oneScalar(schemas.map(scalarOf)),
    declares: (key) => names.has(key),
    under(key) {
      if (!names.has(key)) {
        if (others === undefined) others = inner(null)
        return others
      }
      if (!named.has(key)) named.set(key, inner(key))
      return named.get(key)!
    },
  }
}

/** The objects, lists and records that the schema may accept. */
function containersOf(schema: Schema): Container[] {
  const { def } = schema._zod as z.core.$ZodTypes['_zod']
  switch (def.type) {
    case 'object':
    case 'array':
    case 'record':
      return [schema as Container]
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

/** `key`: null for one that no object declares. */
function innerOf({ _zod: { def } }: Container, key: string | null): Schema[] {
  if (def.type === 'array') return [def.element]
  if (def.type === 'record') return [def.valueType]
  return key !== null && Object.hasOwn(def.shape, key) ? [def.shape[key]!] : []
}

const refusesOthers = ({ _zod: { def } }: Container): boolean =>
  def.type === 'object' && (def.catchall === undefined || def.catchall._zod.def.type === 'never')

/** The kind that all of them have, apart from those that accept null only; null if they differ. */
function oneScalar(kinds: readonly (Scalar | 'none' | null)[]): Scalar | null {
  const [first, ...others] = new Set(kinds.filter((kind) => kind !== 'none'))
  return others.length === 0 ? ((first as Scalar | null | undefined) ?? null) : null
}
/** `none`: accepts null only. Null: accepts something else. */
function scalarOf(schema: Schema): Scalar | 'none' | null {
  const { def } = schema._zod as z.core.$ZodTypes['_zod']
  switch (def.type) {
    case 'number':
    case 'boolean':
      return def.type
    case 'null':
      return 'none'
    case 'union':
      return oneScalar(def.options.map(scalarOf))
    case 'pipe':
      return scalarOf(def.in)
    default:
      return 'innerType' in def ? scalarOf(def.innerType) : null
  }
}

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
      return Math.max(...def.options.map((option) => charsOf(option) ?? USUAL_CHARS))
    case 'pipe': {
      const limits = [charsOf(def.in), charsOf(def.out)].filter((limit) => limit !== null)
      return limits.length > 0 ? Math.min(...limits) : null
    }
    default:
      return 'innerType' in def ? charsOf(def.innerType) : null
  }
}
