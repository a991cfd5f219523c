// Fields of a request that its contract does not declare. Newer clients send them to older servers, so they are ignored, never refused, and
// the response names them.
import type { z } from 'zod'

type Issue = z.core.$ZodIssue
type Path = readonly (string | number)[]

/** Deletes the undeclared fields that the issues report, and returns their paths. `at` finds the object at a path of the input. */
export function dropUnknown(issues: readonly Issue[], at: (path: Path) => unknown): string[] {
  return issues.flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys') return []
    const path = issue.path.map((key) => (typeof key === 'symbol' ? String(key) : key))
    const holder = at(path) as object
    for (const key of issue.keys) Reflect.deleteProperty(holder, key)
    return issue.keys.map((key) => [...path, key].join('.'))
  })
}

const NAMES = 16
const NAME_CHARS = 64

/** The names as a header value: at most 16 of 64 characters each, `...` for more. A name may contain anything a client can send. */
export function ignoredFieldsHeader(names: readonly string[]): string {
  const shown = names.slice(0, NAMES).map((name) => name.slice(0, NAME_CHARS).replace(/[^\w.[\]-]/g, '?'))
  return [...shown, ...(names.length > NAMES ? ['...'] : [])].join(', ')
}
