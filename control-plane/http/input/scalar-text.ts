// Numbers and flags that a client wrote as text in JSON, such as {"speed": "1.5"}. Forms have nothing else, and many clients share code for both. Pure.
import { booleanOf } from './boolean-text.ts'
import type { Scalar } from './shape.ts'

const NUMERAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i
/** Longer texts are no numbers that a client means. */
const MAX_CHARS = 64

/** The number or flag that the value stands for; any other value unchanged, so that the schema refuses it. */
export function scalarFrom(kind: Scalar, value: unknown): unknown {
  if (kind === 'boolean' && (value === 0 || value === 1)) return value === 1
  if (typeof value !== 'string' || value.length > MAX_CHARS) return value
  const text = value.trim()
  if (kind === 'number') return NUMERAL.test(text) ? Number(text) : value
  return booleanOf(text) ?? value
}
