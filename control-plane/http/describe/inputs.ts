// The inputs of routes as JSON Schema: what a client may send, with the value that the studio uses for each field that is left out. Pure.
import { z } from 'zod'

type Json = Record<string, unknown>
type Field = z.core.$ZodType

/**
 * An `override` of `z.toJSONSchema` for the schemas of inputs. `isText`: true for objects whose fields arrive as text, which are queries
 * and forms.
 */
export const describeInput = (isText: (schema: Field) => boolean) => {
  return ({ zodSchema, jsonSchema }: { readonly zodSchema: Field; readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void => {
    // Fields that a contract does not declare are ignored; see unknown-fields.ts.
    if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
    const { def } = (zodSchema as z.core.$ZodTypes)._zod
    if (def.type !== 'object' || jsonSchema.properties === undefined) return
    for (const [name, field] of Object.entries(def.shape)) {
      const described = jsonSchema.properties[name] as Json | undefined
      if (described === undefined) continue
      // Generators of clients make the same identifier of `list` and `list[]`, which mean the same.
      if (`${name}[]` in def.shape) {
        delete jsonSchema.properties[name]
        continue
      }
      const usual = usualOf(field)
      const typed = isText(zodSchema) ? scalarOf(field, usual) : null
      jsonSchema.properties[name] = {
        ...(typed ?? described),
        ...(usual !== undefined && described['default'] === undefined && { default: usual }),
      }
    }
  }
}

/** Value that the studio uses if the field is left out; undefined if it is required, or if nothing is used. */
function usualOf(field: Field): unknown {
  const { success, data } = z.safeParse(field, undefined)
  return success && ['string', 'number', 'boolean'].includes(typeof data) && data !== '' ? data : undefined
}

const SCALARS: readonly unknown[] = ['string', 'number', 'integer', 'boolean']

/** The number, flag or word that a text stands for; null for a text that stands for anything else, which is described as a text. */
function scalarOf(field: Field, usual: unknown): Json | null {
  if (typeof usual === 'boolean') return { type: 'boolean' }
  const last = lastTyped(field)
  if (last === field) return null
  const { $schema: _, ...described } = z.toJSONSchema(last, { io: 'input', unrepresentable: 'any' }) as Json
  return SCALARS.includes(described['type']) ? described : null
}

/** The schema behind transformations of a text: it names the type and the bounds. */
function lastTyped(field: Field): Field {
  const { def } = (field as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
      return lastTyped(def.innerType)
    case 'pipe': {
      const { def: out } = (def.out as z.core.$ZodTypes)._zod
      return lastTyped(out.type === 'transform' ? def.in : def.out)
    }
    default:
      return field
  }
}
