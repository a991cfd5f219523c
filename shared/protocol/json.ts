// Parses JSON from another program. Limits size and nesting first: a small message can describe a value that overflows the stack of the code
// that walks it.

export type JsonLimits = {
  readonly bytes: number
  /** Nested lists and objects. Default 32. */
  readonly depth?: number
}

const DEPTH = 32
const SPACE = 0x20
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const [QUOTE, BACKSLASH, COMMA, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x22, 0x5c, 0x2c, 0x5b, 0x5d, 0x7b, 0x7d]

/** Nested lists and objects; elements and fields at any depth. */
export type JsonShape = { readonly depth: number; readonly values: number }

/**
 * The limit that a JSON text exceeds first; null within both. One pass over the bytes, much faster than parsing. Whether the text is JSON is
 * left to the parser.
 */
export const exceededBy = (bytes: Uint8Array, shape: JsonShape): keyof JsonShape | null => scanJson(shape)(bytes)

/** Same as `exceededBy`, for a text that comes in pieces. */
export function scanJson({ depth: deepest, values: most }: JsonShape): (piece: Uint8Array) => keyof JsonShape | null {
  let depth = 0
  let values = 0
  let inString = false
  /** A list or an object was opened, and none of its values has begun. */
  let isEmpty = false
  /** Bytes of the next piece that a backslash escapes. */
  let escaped = 0
  return (piece) => {
    let at = escaped
    for (; at < piece.length; at++) {
      const byte = piece[at]!
      if (inString) {
        if (byte === BACKSLASH) at++
        else if (byte === QUOTE) inString = false
        continue
      }
      if (byte <= SPACE) continue
      const isClosed = byte === CLOSE_LIST || byte === CLOSE_OBJECT
      if ((byte === COMMA || (isEmpty && !isClosed)) && ++values > most) return 'values'
      isEmpty = byte === OPEN_LIST || byte === OPEN_OBJECT
      if (isEmpty && ++depth > deepest) return 'depth'
      if (isClosed) depth--
      inString = byte === QUOTE
    }
    escaped = at - piece.length
    return null
  }
}

/** The value of a UTF-8 JSON text. Throws RangeError beyond the limits, SyntaxError or TypeError for text that is not JSON. */
export function parseJson(bytes: Uint8Array, { bytes: most, depth = DEPTH }: JsonLimits): unknown {
  if (bytes.length > most) throw new RangeError(`it has ${bytes.length} bytes and may have ${most}`)
  if (exceededBy(bytes, { depth, values: Number.POSITIVE_INFINITY })) throw new RangeError(`it is nested deeper than ${depth} levels`)
  return JSON.parse(UTF8.decode(bytes))
}
