// Records who began each unfinished installation, and when. The files of these models count for that studio, they are continued by the next
// installation, and removed when nothing continued them for a while. The manifest of a model knows its owner, a partial download does not.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { writeAtomic } from '#shared/runtime/file.ts'

const NAME = '.partials.json'
const Partial = z.strictObject({ by: z.string().max(200), at: z.number() })
const Partials = z.record(z.string().max(200), Partial)
export type Partials = ReturnType<typeof createPartials>

/** `folder`: of all models. A damaged file counts as an empty one. */
export function createPartials(folder: string) {
  const path = join(folder, NAME)
  const all = new Map(Object.entries(read(path)))
  const save = () => writeAtomic(path, `${JSON.stringify(Object.fromEntries(all), null, 1)}\n`)
  return {
    /** Owner and time in epoch milliseconds of the newest try; null for a model without one. */
    get: (model: string): z.output<typeof Partial> | null => all.get(model) ?? null,
    /** Throws disk errors. */
    set(model: string, by: string, at: number): void {
      all.set(model, { by, at })
      save()
    },
    /** Throws disk errors. */
    delete(model: string): void {
      if (all.delete(model)) save()
    },
  }
}

function read(path: string): z.output<typeof Partials> {
  try {
    return Partials.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return {}
  }
}
