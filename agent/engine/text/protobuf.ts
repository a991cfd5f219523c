// Reads protobuf messages without a schema, limited to the wire types in tokenizer models. Pure.

/** `raw`: the whole field, with its number and length. */
export type Field = { readonly number: number; readonly value: number; readonly bytes: Buffer; readonly raw: Buffer }
const NONE = Buffer.alloc(0)

/** In order of appearance. Throws RangeError for a malformed message. */
export function* readFields(message: Buffer): Generator<Field> {
  let at = 0
  const varint = (): number => {
    let value = 0
    for (let shift = 0; shift < 10; shift++) {
      if (at >= message.length) throw new RangeError('it ends inside a number')
      const byte = message[at++]!
      // Relevant numbers are small. Values above 53 bits are negative numbers, which are skipped.
      value += (byte & 0x7f) * 2 ** (7 * shift)
      if (byte < 0x80) return value
    }
    throw new RangeError('a number is too long')
  }
  const take = (length: number): Buffer => {
    if (length > message.length - at) throw new RangeError('it ends inside a field')
    at += length
    return message.subarray(at - length, at)
  }
  while (at < message.length) {
    const from = at
    const field = (number: number, value: number, bytes: Buffer): Field => ({ number, value, bytes, raw: message.subarray(from, at) })
    const tag = varint()
    const number = Math.floor(tag / 8)
    const wire = tag % 8
    if (number === 0) throw new RangeError('a field has no number')
    if (wire === 0) yield field(number, varint(), NONE)
    else if (wire === 1) yield field(number, 0, take(8))
    else if (wire === 2) yield field(number, 0, take(varint()))
    else if (wire === 5) {
      const bytes = take(4)
      yield field(number, bytes.readFloatLE(), bytes)
    } else throw new RangeError(`a field is of wire type ${wire}`)
  }
}
