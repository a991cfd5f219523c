// Writes large values as JSON in several turns of the event loop.
import { hash } from 'node:crypto'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'

/** Elements that are written in one turn. */
const PART = 200

/** The JSON of an object. Its lists, at any depth of objects, are written a part at a time. Do not change the value meanwhile. */
export async function jsonInTurns(value: Readonly<Record<string, unknown>>): Promise<string> {
  const fields: string[] = []
  for (const [name, field] of Object.entries(value)) {
    const text = await written(field)
    if (text !== undefined) fields.push(`${JSON.stringify(name)}:${text}`)
  }
  return `{${fields.join(',')}}`
}

/** SHA-256 of that JSON as lower-case hex: what of a large value the key of a result depends on. Equal values need the same order of names. */
export const digestInTurns = async (value: Readonly<Record<string, unknown>>): Promise<string> =>
  hash('sha256', await jsonInTurns(value), 'hex')

async function written(value: unknown): Promise<string | undefined> {
  if (Array.isArray(value)) {
    const parts: string[] = []
    for (let from = 0; from < value.length; from += PART) {
      if (from > 0) await nextTurn()
      parts.push(JSON.stringify(value.slice(from, from + PART)).slice(1, -1))
    }
    return `[${parts.join(',')}]`
  }
  if (value?.constructor === Object) return jsonInTurns(value as Record<string, unknown>)
  return JSON.stringify(value) as string | undefined
}
