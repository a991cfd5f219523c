// Walking a schema and its input side by side, before the schema itself looks at the input.
import type { z } from 'zod'

export type InputSchema = z.core.$ZodType
export type Container = z.core.$ZodObject | z.core.$ZodArray | z.core.$ZodRecord

/** The objects, lists and records that the schema may accept. */
export function containersOf(schema: InputSchema): Container[] {
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

/** The schemas of the value under `key`; none when no container names it. */
export const innerOf = (containers: readonly Container[], key: string): InputSchema[] =>
  containers.flatMap(({ _zod: { def } }) => {
    if (def.type === 'array') return [def.element]
    if (def.type === 'record') return [def.valueType]
    return Object.hasOwn(def.shape, key) ? [def.shape[key]!] : []
  })

/** Whether the schema expects a list under `key`. */
export const expectsList = (schema: InputSchema, key: string): boolean =>
  innerOf(containersOf(schema), key).some((inner) => containersOf(inner).some(({ _zod: { def } }) => def.type === 'array'))
