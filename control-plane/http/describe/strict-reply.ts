// Checks a reply against its contract while the studio is developed and tested: a field that the contract does not describe is a fault, because no
// client could know of it.
import type { z } from 'zod'
import type { Contract } from '../contract/contract.ts'
import { NOTICE_HEADERS, USUAL_HEADERS } from '../contract/headers.ts'
import type { Content } from '../contract/respond.ts'

/** Headers that no standard describes. Those for proxies and browsers are not part of the API. */
const OWN = /^x-(?!accel-buffering$|content-type-options$)/

/** The reply that is sent. Throws for a field that the contract does not describe. */
export function strictReply(schema: z.ZodType, answer: unknown): unknown {
  const parsed = schema.parse(answer)
  const undescribed = firstUndescribed(sent(answer), sent(parsed), '')
  if (undescribed !== null) throw new Error(`The reply has ${undescribed}, which its contract does not describe.`)
  return parsed
}

/** Throws for a header of the API that the contract does not name. */
export function strictHeaders({ id, sends = [] }: Contract, { headers = {} }: Pick<Content, 'headers'>): void {
  const named: readonly string[] = [...USUAL_HEADERS, ...NOTICE_HEADERS, ...sends]
  const sentHeaders = Object.entries(headers).flatMap(([name, value]) => (value === null ? [] : [name]))
  const undescribed = sentHeaders.find((name) => OWN.test(name) && !named.includes(name))
  if (undescribed !== undefined) throw new Error(`The reply has the header ${undescribed}, which the contract ${id} does not name.`)
}

const sent = (value: unknown): unknown => JSON.parse(JSON.stringify(value) ?? 'null')
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Same as firstUndescribed, for two texts; null if they are no JSON. */
function inJson(whole: string, known: string, path: string): string | null {
  try {
    return firstUndescribed(JSON.parse(whole), JSON.parse(known), path)
  } catch {
    return null
  }
}

/** The path of the first field of `whole` that `known` lacks; null if it has all. */
function firstUndescribed(whole: unknown, known: unknown, path: string): string | null {
  if (typeof whole === 'string' && typeof known === 'string' && whole !== known) return inJson(whole, known, path)
  if (!isObject(whole) || !isObject(known)) return null
  for (const [key, value] of Object.entries(whole)) {
    if (key === '__proto__') continue // zod leaves it out of every record, also of one that clients fill
    const at = path === '' ? key : `${path}.${key}`
    if (!Object.hasOwn(known, key)) return at
    const inner = firstUndescribed(value, known[key], at)
    if (inner !== null) return inner
  }
  return null
}
