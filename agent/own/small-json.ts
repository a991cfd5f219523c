// Reads a JSON file that a stranger chose, on the loop of an agent that serves others meanwhile: only a small file, of which a schema may look at every
// value, and nothing of it is kept.
import { readFile } from 'node:fs/promises'
import type { Offered } from './offered.ts'

const MAX_BYTES = 1024 ** 2
/** A schema reports an issue for each wrong value, and thousands of them take milliseconds. No configuration has so many. */
const MOST = { keys: 5_000, values: 25_000 } as const

/** Undefined for a file that is no JSON, or too large. Throws the reason of the signal, and disk errors. */
export async function readSmallJson({ path, size }: Pick<Offered, 'path' | 'size'>, signal: AbortSignal): Promise<unknown> {
  signal.throwIfAborted()
  if (size > MAX_BYTES) return undefined
  const text = await readFile(path, { encoding: 'utf8', signal })
  try {
    const json: unknown = JSON.parse(text)
    return isSmall(json) ? json : undefined
  } catch {
    return undefined
  }
}

function isSmall(json: unknown): boolean {
  const open = [json]
  let values = 0
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null) continue
    const inside: unknown[] = Object.values(value)
    values += inside.length
    if (values > MOST.values || (!Array.isArray(value) && inside.length > MOST.keys)) return false
    for (const each of inside) open.push(each)
  }
  return true
}
