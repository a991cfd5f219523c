// How many fields a message has, counted on the wire before anything is made of it. Two bytes can be a whole element of a list, so a message
// within MESSAGE_LIMIT_BYTES can become two million objects: seconds of standstill and hundreds of megabytes, before any check sees a list.
// The count is strict about the wire, because the decoder is not: it believes the number of a field whatever its wire type says, and a
// count that read the same bytes in another way could be led past a list.
import type { ServiceDefinition } from '@grpc/grpc-js'
import type { MessageTypeDefinition } from '@grpc/proto-loader'
import { Failure } from '#shared/protocol/failure.ts'

/** More than any list allowed by shared/protocol/messages.ts needs: 10,000 attempts of six fields. */
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

/** The same service, whose messages are counted before they are decoded. `find` gives the message of a name used in a field. */
export function boundFields(service: ServiceDefinition, find: (name: string) => MessageTypeDefinition<object, object>): ServiceDefinition {
  const shapes = new Map<string, Shape>()
  const shapeOf = (name: string): Shape => {
    const known = shapes.get(name)
    if (known) return known
    const fields = (find(name).type as Descriptor).field.map(({ number, type, typeName, label }): [number, Field] => {
      const wire = WIRE[type]
      // A new kind of field must be thought about here first. Lists of numbers are one: they travel packed, as bytes.
      if (wire === undefined || (label === 'LABEL_REPEATED' && wire !== LENGTH))
        throw new Error(`${name}: fields of ${type} are not bounded yet`)
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

/** Throws BAD_REQUEST for too many fields and for bytes that are not a message of this shape. */
function count(bytes: Uint8Array, shape: Shape): void {
  let at = 0
  let fields = 0

  /** Of a tag or a length: never longer than five bytes. */
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
      } else throw malformed() // Groups: this language has none.
    }
    if (at > end) throw malformed()
  }
  walk(bytes.length, shape)
}
