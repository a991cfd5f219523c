// Limits the number of fields of a message on the wire, before it is decoded. A list element needs only two bytes, so a message within
// MESSAGE_LIMIT_BYTES can decode to two million objects: seconds of blocking and hundreds of megabytes before any schema sees the list.
// The count is strict about wire types, because the decoder is not: it trusts the field number for any wire type, and a count that reads
// the same bytes differently could be led past a list.
import type { ServiceDefinition } from '@grpc/grpc-js'
import type { MessageTypeDefinition } from '@grpc/proto-loader'
import { Failure } from '#shared/protocol/failure.ts'

/** More than the largest list of shared/protocol/messages.ts needs: 10,000 attempts of six fields. */
export const FIELD_LIMIT = 100_000

type Field = { readonly wire: number; readonly message: Shape | null }
type Shape = ReadonlyMap<number, Field>
type Descriptor = {
  readonly field: readonly { readonly number: number; readonly type: string; readonly typeName: string; readonly label: string }[]
}

const VARINT = 0
const BITS_64 = 1
const LENGTH = 2
const BITS_32 = 5
const WIRE: Readonly<Record<string, number>> = {
  TYPE_STRING: LENGTH,
  TYPE_BYTES: LENGTH,
  TYPE_MESSAGE: LENGTH,
  TYPE_FLOAT: BITS_32,
  TYPE_DOUBLE: BITS_64,
  TYPE_BOOL: VARINT,
  TYPE_ENUM: VARINT,
  TYPE_INT32: VARINT,
  TYPE_INT64: VARINT,
  TYPE_UINT32: VARINT,
  TYPE_UINT64: VARINT,
}

/** The same service with messages that are counted before decoding. `find` returns a message type by name. */
export function boundFields(service: ServiceDefinition, find: (name: string) => MessageTypeDefinition<object, object>): ServiceDefinition {
  const shapes = new Map<string, Shape>()
  const shapeOf = (name: string): Shape => {
    const existing = shapes.get(name)
    if (existing) return existing
    const fields = (find(name).type as Descriptor).field.map(({ number, type, typeName, label }): [number, Field] => {
      const wire = WIRE[type]
      // Any other field type needs support here first. Lists of numbers are packed as bytes.
      if (wire === undefined || (label === 'LABEL_REPEATED' && wire !== LENGTH))
        throw new Error(`${name}: fields of ${type} are not supported by the field limit.`)
      return [number, { wire, message: type === 'TYPE_MESSAGE' ? shapeOf(typeName) : null }]
    })
    const shape = new Map(fields)
    shapes.set(name, shape)
    return shape
  }
  const bounded = <Message>(type: MessageTypeDefinition<object, object>, decode: (bytes: Buffer) => Message) => {
    const shape = shapeOf((type.type as { name: string }).name)
    return (bytes: Buffer): Message => {
      count(bytes, shape)
      try {
        return decode(bytes)
      } catch (cause) {
        throw malformed(cause)
      }
    }
  }
  return Object.fromEntries(
    Object.entries(service).map(([name, method]) => {
      const { requestType, responseType } = method as unknown as Record<
        'requestType' | 'responseType',
        MessageTypeDefinition<object, object>
      >
      const requestDeserialize = bounded(requestType, method.requestDeserialize)
      const responseDeserialize = bounded(responseType, method.responseDeserialize)
      return [name, { ...method, requestDeserialize, responseDeserialize }]
    }),
  )
}

const malformed = (cause?: unknown) => new Failure('BAD_REQUEST', 'The message is malformed.', { cause })

/** Throws BAD_REQUEST for too many fields, and for bytes that do not match the shape. */
function count(bytes: Uint8Array, shape: Shape): void {
  let at = 0
  let fields = 0

  /** Reads a tag or a length, at most five bytes. */
  const number = (end: number): number => {
    let value = 0
    for (let shift = 0; shift < 35 && at < end; shift += 7) {
      const byte = bytes[at++]!
      value += (byte & 0x7f) * 2 ** shift
      if (byte < 0x80) return value
    }
    throw malformed()
  }
  const skipVarint = (end: number) => {
    const last = Math.min(end, at + 10)
    while (at < last) if (bytes[at++]! < 0x80) return
    throw malformed()
  }
  const walk = (end: number, of: Shape) => {
    while (at < end) {
      const tag = number(end)
      const field = of.get(Math.floor(tag / 8))
      const wire = tag % 8
      if (++fields > FIELD_LIMIT) throw new Failure('BAD_REQUEST', `The message has more than ${FIELD_LIMIT} fields.`)
      if (tag < 8 || tag > 0xffff_ffff || (field && field.wire !== wire)) throw malformed()
      if (wire === VARINT) skipVarint(end)
      else if (wire === BITS_64) at += 8
      else if (wire === BITS_32) at += 4
      else if (wire === LENGTH) {
        const close = number(end) + at
        if (close > end) throw malformed()
        if (field?.message) walk(close, field.message)
        at = close
      } else throw malformed() // proto3 has no groups
    }
    if (at > end) throw malformed()
  }
  walk(bytes.length, shape)
}
