// Writes small ONNX files: the few protobuf messages of a graph, any operator, ir_version 8, opset 17. Tests build graphs with known results
// and with the names, types and ranks of the real ones.

export type ElementType = 'float32' | 'uint8' | 'int8' | 'int32' | 'int64' | 'bool' | 'float16'
const ELEMENTS: Readonly<Record<ElementType, number>> = { float32: 1, uint8: 2, int8: 3, int32: 6, int64: 7, bool: 9, float16: 10 }

/** A dimension is a size, or a name for one that is known at run time only. */
export type ValueShape = { readonly name: string; readonly type: ElementType; readonly dims: readonly (number | string)[] }
export type Attribute =
  | number
  | bigint
  | string
  | readonly bigint[]
  | readonly number[]
  | { readonly float: number }
  | { readonly floats: readonly number[] }
  | { readonly tensor: Initializer }
/** A plain number or list of them is an integer attribute; floats are written {float: 1} or {floats: [1]}. */
export type Node = {
  readonly op: string
  readonly inputs: readonly string[]
  readonly outputs: readonly string[]
  readonly attributes?: Readonly<Record<string, Attribute>>
  readonly domain?: string
}
export type Initializer = {
  readonly name: string
  readonly type: ElementType
  readonly dims: readonly number[]
  /** Numbers, raw little-endian bytes, or the location of the bytes in a separate file. */
  readonly values:
    | ArrayLike<number | bigint>
    | { readonly bytes: Uint8Array }
    | { readonly file: string; readonly offset: number; readonly length: number }
}
export type GraphText = {
  readonly inputs: readonly ValueShape[]
  readonly outputs: readonly ValueShape[]
  readonly nodes: readonly Node[]
  readonly initializers?: readonly Initializer[]
  readonly opset?: number
  /** Other operator sets, such as {'com.microsoft': 1}. */
  readonly domains?: Readonly<Record<string, number>>
  /** Metadata that some libraries read. */
  readonly metadata?: Readonly<Record<string, string>>
}

export function model({ inputs, outputs, nodes, initializers = [], opset = 17, domains = {}, metadata = {} }: GraphText): Uint8Array {
  const graph = Buffer.concat([
    ...nodes.map((node) => message(1, nodeProto(node))),
    text(2, 'planted'),
    ...initializers.map((initializer) => message(5, tensorProto(initializer))),
    ...inputs.map((input) => message(11, valueInfo(input))),
    ...outputs.map((output) => message(12, valueInfo(output))),
  ])
  return Buffer.concat([
    integer(1, 8),
    text(2, 'voice-studio-test'),
    message(7, graph),
    ...Object.entries({ '': opset, ...domains }).map(([domain, version]) =>
      message(8, Buffer.concat([text(1, domain), integer(2, version)])),
    ),
    ...Object.entries(metadata).map(([key, value]) => message(14, Buffer.concat([text(1, key), text(2, value)]))),
  ])
}

function nodeProto({ op, inputs, outputs, attributes = {}, domain = '' }: Node): Buffer {
  return Buffer.concat([
    ...inputs.map((name) => text(1, name)),
    ...outputs.map((name) => text(2, name)),
    text(4, op),
    ...Object.entries(attributes).map(([name, value]) => message(5, attributeProto(name, value))),
    text(7, domain),
  ])
}

function attributeProto(name: string, value: Attribute): Buffer {
  const typed = (type: number, ...fields: Buffer[]) => Buffer.concat([text(1, name), ...fields, integer(20, type)])
  if (typeof value === 'number' || typeof value === 'bigint') return typed(2, integer(3, value))
  if (typeof value === 'string') return typed(3, text(4, value))
  if ('float' in value) return typed(1, float(2, value.float))
  if ('floats' in value) return typed(6, ...value.floats.map((each) => float(7, each)))
  if ('tensor' in value) return typed(4, message(5, tensorProto(value.tensor)))
  return typed(7, ...Array.from(value as ArrayLike<number | bigint>, (each) => integer(8, each)))
}

function tensorProto({ name, type, dims, values }: Initializer): Buffer {
  const head = [...dims.map((size) => integer(1, size)), integer(2, ELEMENTS[type]), text(8, name)]
  if ('file' in values) {
    const entries = { location: values.file, offset: String(values.offset), length: String(values.length) }
    const external = Object.entries(entries).map(([key, value]) => message(13, Buffer.concat([text(1, key), text(2, value)])))
    return Buffer.concat([...head, ...external, integer(14, 1)])
  }
  return Buffer.concat([...head, message(9, 'bytes' in values ? Buffer.from(values.bytes) : rawBytes(type, values))])
}

function rawBytes(type: ElementType, values: ArrayLike<number | bigint>): Buffer {
  if (type === 'int64') return Buffer.from(BigInt64Array.from({ length: values.length }, (_, at) => BigInt(values[at]!)).buffer)
  const numbers = values as ArrayLike<number>
  if (type === 'float32') return Buffer.from(Float32Array.from(numbers).buffer)
  if (type === 'int32') return Buffer.from(Int32Array.from(numbers).buffer)
  if (type === 'int8') return Buffer.from(Int8Array.from(numbers).buffer)
  if (type === 'float16') return Buffer.from(Uint16Array.from(numbers).buffer)
  return Buffer.from(Uint8Array.from(numbers))
}

function valueInfo({ name, type, dims }: ValueShape): Buffer {
  const shape = Buffer.concat(dims.map((size) => message(1, typeof size === 'number' ? integer(1, size) : text(2, size))))
  const tensor = Buffer.concat([integer(1, ELEMENTS[type]), message(2, shape)])
  return Buffer.concat([text(1, name), message(2, message(1, tensor))])
}

// The three wire types that are needed: varint, 32 bits, and length-delimited.
function varint(value: number | bigint): Buffer {
  let left = BigInt.asUintN(64, BigInt(value))
  const bytes: number[] = []
  do {
    bytes.push(Number(left & 0x7fn) | (left > 0x7fn ? 0x80 : 0))
    left >>= 7n
  } while (left > 0n)
  return Buffer.from(bytes)
}
const integer = (field: number, value: number | bigint) => Buffer.concat([varint(field << 3), varint(value)])
const message = (field: number, bytes: Uint8Array) => Buffer.concat([varint((field << 3) | 2), varint(bytes.length), bytes])
const text = (field: number, value: string) => message(field, Buffer.from(value))
function float(field: number, value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeFloatLE(value)
  return Buffer.concat([varint((field << 3) | 5), bytes])
}
