// Every route that takes a long text is in the table of entrances, with its true limit.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { z } from 'zod'
import type { Contract } from '#control-plane/http/contract/contract.ts'
import { CONTRACTS } from '#control-plane/registry/contracts.ts'
import { STUDIO_ENTRANCES } from '#test/support/texts/studio-entrances.ts'

const LONG_CHARS = 100_000
const USUAL_BYTES = 1024 ** 2
/** Routes that read their text as another one does, or give it to the owner alone. */
const LIKE: Readonly<Record<string, string>> = {
  'PUT /projects/{project_id}': 'the state of a project is read as at its creation',
  'POST /dub/generate/{job_id}': 'lines, as for PUT /dub/segments/{job_id}',
  'POST /mcp': 'its texts have the limits of its tools, which parse them one by one',
  'POST /workers/tasks': 'a task of the owner for development',
}

type Schema = z.core.$ZodType
/** The most characters of one text in the body; infinite for unknown JSON. */
function longestIn(schema: Schema, depth = 0): number {
  const { def } = schema._zod as z.core.$ZodTypes['_zod']
  if (depth > 12) return 0
  const inner = (others: readonly Schema[]) => Math.max(0, ...others.map((other) => longestIn(other, depth + 1)))
  switch (def.type) {
    case 'string':
      return (schema as z.ZodString).maxLength ?? 0
    case 'array':
      return inner([def.element])
    case 'object':
      return inner(Object.values(def.shape))
    case 'record':
      return inner([def.valueType])
    case 'union':
      return inner(def.options)
    case 'pipe':
      return inner([def.in])
    default:
      return 'innerType' in def ? inner([def.innerType]) : 0
  }
}

const isLong = ({ body, bodyBytes = USUAL_BYTES }: Contract): boolean =>
  body !== undefined && (longestIn(body) >= LONG_CHARS || bodyBytes > USUAL_BYTES)

test('every route with a long text is an entrance of the table', () => {
  const long = CONTRACTS.filter(isLong).map(({ method, path }) => `${method} ${path}`)
  const listed = STUDIO_ENTRANCES.map(({ method, path }) => `${method} ${path}`)
  const nameOf = (route: string) => route.replaceAll(/\{\w+\}/g, 'none')
  assert.deepEqual(
    long.filter((route) => !(route in LIKE) && !listed.includes(nameOf(route))),
    [],
  )
  assert.deepEqual(
    Object.keys(LIKE).filter((route) => !long.includes(route)),
    [],
  )
})

test('the entrances have the limits of their contracts', () => {
  const of = (route: string) => CONTRACTS.find(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, 'none')}` === route)
  for (const { method, path, chars, bytes } of STUDIO_ENTRANCES) {
    const contract = of(`${method} ${path}`)
    assert.ok(contract, path)
    if (contract.form === undefined && contract.bodyBytes !== undefined)
      assert.ok(Math.abs(contract.bodyBytes - bytes) <= USUAL_BYTES * 2, `${path}: ${bytes} bytes`)
    const longest = contract.body ? longestIn(contract.body) : 0
    if (contract.form === undefined && longest >= LONG_CHARS && longest < 8 * USUAL_BYTES)
      assert.ok(chars >= Math.min(longest, 200_000), `${path}: ${chars} characters`)
  }
})
