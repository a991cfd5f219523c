// A field whose text is JSON.
import { z } from 'zod'

/** A text that is JSON of this schema. Parsed, it has the fields of the schema only, so that strict-reply.ts finds a field too many inside it. */
export const jsonText = (schema: z.ZodType) =>
  z.string().check((context) => {
    const inner = parsed(context.value)
    const { success, data, error } = schema.safeParse(inner)
    if (success) context.value = JSON.stringify(data)
    else context.issues.push({ code: 'custom', input: context.value, message: `is no JSON of its schema: ${z.prettifyError(error)}` })
  })

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
