// Parses JSON from another program. Limits size and nesting first: a small message can describe a value that overflows the stack of the code
// that walks it.

export type JsonLimits = {
  readonly bytes: number
  /** Nested lists and objects. Default 32. */
  readonly depth?: number
}

const DEPTH = 32
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d]

/** One pass over the bytes. Whether the brackets match is left to the parser. */
export function isDeeperThan(bytes: Uint8Array, limit: number): boolean {
  let depth = 0
  let inString = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!
    if (inString) {
      if (byte === BACKSLASH) at++
      else if (byte === QUOTE) inString = false
    } else if (byte === QUOTE) inString = true
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      if (++depth > limit) return true
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth--
  }
  return false
}

/** The value of a UTF-8 JSON text. Throws RangeError beyond the limits, SyntaxError or TypeError for text that is not JSON. */
export function parseJson(bytes: Uint8Array, { bytes: most, depth = DEPTH }: JsonLimits): unknown {
  if (bytes.length > most) throw new RangeError(`it has ${bytes.length} bytes and may have ${most}`)
  if (isDeeperThan(bytes, depth)) throw new RangeError(`it is nested deeper than ${depth} levels`)
  return JSON.parse(UTF8.decode(bytes))
}
