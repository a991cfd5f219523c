// Large values as lines of JSON, each of which is written and read in a turn of the event loop: a whole value of megabytes takes several.

import { z } from 'zod'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'

/** Elements of a list that are on one line. */
const PART = 200
/** An object of objects has few levels. */
const MAX_DEEP = 8
const Line = z.tuple([z.array(z.string()).min(1).max(MAX_DEEP), z.unknown()])
type Fields = Record<string, unknown>

const isPlain = (value: unknown): value is Fields =>
  value !== null && typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype
/** Undefined for a name such as `constructor`, which every object knows. */
const ownField = (place: unknown, name: string): unknown => (isPlain(place) && Object.hasOwn(place, name) ? place[name] : undefined)

/**
 * The lines of an object, without their ends. Its lists, at any depth of objects, are written a part at a time, as is an object in them. Do not change
 * the value meanwhile.
 */
export async function* linesOfJson(value: Readonly<Record<string, unknown>>): AsyncGenerator<string, void> {
  yield* linesAt([], value)
}

async function* linesAt(path: readonly string[], value: unknown): AsyncGenerator<string, void> {
  if (Array.isArray(value)) {
    for (let from = 0; from === 0 || from < value.length; from += PART) {
      if (from > 0) await nextTurn()
      yield JSON.stringify([path, value.slice(from, from + PART)])
    }
  } else if (isPlain(value) && path.length < MAX_DEEP) {
    if (path.length > 0) yield JSON.stringify([path, {}])
    for (const [name, field] of Object.entries(value)) yield* linesAt([...path, name], field)
  } else if (value !== undefined) yield JSON.stringify([path, value])
}

/** The object of these lines. Throws SyntaxError and ZodError for others. */
export async function readJsonLines(lines: Iterable<string>): Promise<Record<string, unknown>> {
  const whole: Fields = {}
  for (const text of lines) {
    await nextTurn()
    const [path, value] = Line.parse(JSON.parse(text))
    const name = path.at(-1)!
    let place: unknown = whole
    for (const each of path.slice(0, -1)) place = ownField(place, each)
    if (!isPlain(place)) throw new SyntaxError('A line of this JSON has no place.')
    const known = ownField(place, name)
    if (Array.isArray(known) && Array.isArray(value)) for (const one of value) known.push(one)
    else Object.defineProperty(place, name, { value, enumerable: true, writable: true, configurable: true })
  }
  return whole
}
