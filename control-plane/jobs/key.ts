// The key of a step: equal keys mean equal results. It covers everything that the result depends on and nothing else, so it contains neither
// the job nor the machine.
import { hash } from 'node:crypto'

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json | undefined }

export type KeyParts = {
  readonly kind: string
  /** Version of the step's code, raised when the code produces another result from the same inputs. */
  readonly version: number
  /** Digests of the inputs, in order. */
  readonly inputs: readonly string[]
  readonly params: Json
}

/** SHA-256 of the canonical JSON as lower-case hex. Throws TypeError for a value that JSON cannot carry. */
export const keyOf = ({ kind, version, inputs, params }: KeyParts): string =>
  hash('sha256', canonicalJson({ kind, version, inputs, params }), 'hex')

/** JSON with sorted names and without spaces. A name whose value is undefined is left out. Throws TypeError for NaN and infinities. */
export function canonicalJson(value: Json): string {
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError(`${value} cannot be part of the key of a step.`)
    return `${value}` // as JSON.stringify, and much faster; -0 is 0
  }
  if (value === null || typeof value !== 'object') {
    const text = JSON.stringify(value) as string | undefined
    if (text === undefined) throw new TypeError(`A ${typeof value} cannot be part of the key of a step.`)
    return text
  }
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  const fields = value as { readonly [name: string]: Json | undefined }
  const names = Object.keys(fields).filter((name) => fields[name] !== undefined)
  return `{${names
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(fields[name]!)}`)
    .join(',')}}`
}
