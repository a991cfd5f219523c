// The bytes of ONNX models: nodes and tensors are read and written without a schema. Pure.

import { type Field, readFields } from '#agent/engine/text/protobuf.ts'

/** Field numbers of ModelProto, GraphProto, NodeProto, AttributeProto and TensorProto. */
export const MODEL_GRAPH = 7
export const [GRAPH_NODE, GRAPH_INITIALIZER, GRAPH_INPUT, GRAPH_OUTPUT] = [1, 5, 11, 12] as const
const [NODE_INPUT, NODE_OUTPUT, NODE_OPERATOR, NODE_ATTRIBUTE] = [1, 2, 4, 5]
const [ATTRIBUTE_NAME, ATTRIBUTE_GRAPH] = [1, 6]
const [TENSOR_DIMS, TENSOR_TYPE, TENSOR_FLOATS, TENSOR_INTEGERS, TENSOR_NAME, TENSOR_RAW] = [1, 2, 4, 5, 8, 9]
/** TensorProto.DataType. */
export const [FLOAT, UINT8, INT8, INT64] = [1, 2, 3, 7] as const

export type ModelNode = {
  readonly operator: string
  readonly inputs: readonly string[]
  readonly outputs: readonly string[]
  /** Attributes as whole fields. */
  readonly attributes: readonly Buffer[]
}
export function readNode(bytes: Buffer): ModelNode {
  const fields = [...readFields(bytes)]
  const texts = (wanted: number) => fields.filter(({ number }) => number === wanted).map((field) => field.bytes.toString())
  return {
    operator: texts(NODE_OPERATOR)[0] ?? '',
    inputs: texts(NODE_INPUT),
    outputs: texts(NODE_OUTPUT),
    attributes: fields.filter(({ number }) => number === NODE_ATTRIBUTE).map(({ raw }) => raw),
  }
}

/** The attributes of a node, from their whole fields. */
const attributesOf = ({ attributes }: ModelNode): Field[][] =>
  attributes.flatMap((raw) => [...readFields(raw)].map(({ bytes }) => [...readFields(bytes)]))
export const attributeNames = (node: ModelNode): string[] =>
  attributesOf(node).map((fields) => fields.find(({ number }) => number === ATTRIBUTE_NAME)?.bytes.toString() ?? '')

/** Names that a node reads, with those that the graphs inside it read. */
export const namesRead = (node: ModelNode): string[] => [
  ...node.inputs,
  ...attributesOf(node).flatMap((fields) =>
    fields.filter(({ number }) => number === ATTRIBUTE_GRAPH).flatMap(({ bytes }) => nodesIn(bytes).flatMap(namesRead)),
  ),
]
const nodesIn = (graph: Buffer): ModelNode[] =>
  [...readFields(graph)].filter(({ number }) => number === GRAPH_NODE).map(({ bytes }) => readNode(bytes))

/** The name of a GraphProto's input or output. */
export const nameOfValue = (bytes: Buffer): string => [...readFields(bytes)].find(({ number }) => number === 1)?.bytes.toString() ?? ''

export type ModelTensor = {
  readonly name: string
  readonly type: number
  readonly dims: readonly number[]
  readonly fields: readonly Field[]
}
export function readTensor(bytes: Buffer): ModelTensor {
  const fields = [...readFields(bytes)]
  const find = (wanted: number) => fields.find(({ number }) => number === wanted)
  return {
    name: find(TENSOR_NAME)?.bytes.toString() ?? '',
    type: find(TENSOR_TYPE)?.value ?? 0,
    dims: fields
      .filter(({ number }) => number === TENSOR_DIMS)
      .flatMap(({ bytes, value }) => (bytes.length > 0 ? varintsIn(bytes) : [value])),
    fields,
  }
}

/** The values of a tensor of floats or bytes that are in the file itself; null for another one. */
export function valuesOf({ type, fields }: ModelTensor): Float32Array | Int8Array | Uint8Array | null {
  const raw = fields.find(({ number }) => number === TENSOR_RAW)?.bytes
  if (type === FLOAT) {
    const bytes = raw ?? Buffer.concat(fields.filter(({ number }) => number === TENSOR_FLOATS).map((field) => field.bytes))
    return Float32Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(4 * at))
  }
  if (type !== INT8 && type !== UINT8) return null
  const integers = fields.filter(({ number }) => number === TENSOR_INTEGERS)
  const bytes = raw ?? Uint8Array.from(integers.flatMap(({ bytes, value }) => (bytes.length > 0 ? varintsIn(bytes) : [value])))
  return type === INT8 ? new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length) : bytes
}

function varintsIn(bytes: Buffer): number[] {
  const values: number[] = []
  let value = 0
  let factor = 1
  for (const byte of bytes) {
    value += (byte & 0x7f) * factor
    factor *= 128
    if (byte >= 0x80) continue
    values.push(value)
    value = 0
    factor = 1
  }
  return values
}

// The two wire types of protobuf that are needed: varint, and length-delimited.
function varint(value: number): Buffer {
  const bytes: number[] = []
  let left = value
  for (; left >= 0x80; left = Math.floor(left / 0x80)) bytes.push((left % 0x80) | 0x80)
  return Buffer.from([...bytes, left])
}
export const lengthPrefix = (field: number, length: number): Buffer => Buffer.concat([varint(field * 8 + 2), varint(length)])
export const integer = (field: number, value: number): Buffer => Buffer.concat([varint(field * 8), varint(value)])
export const message = (field: number, bytes: Buffer): Buffer => Buffer.concat([lengthPrefix(field, bytes.length), bytes])
export const textField = (field: number, value: string): Buffer => message(field, Buffer.from(value))

/** A node as a field of a graph. */
export const nodeField = ({ operator, inputs, outputs, attributes }: ModelNode): Buffer =>
  message(
    GRAPH_NODE,
    Buffer.concat([
      ...inputs.map((name) => textField(NODE_INPUT, name)),
      ...outputs.map((name) => textField(NODE_OUTPUT, name)),
      textField(NODE_OPERATOR, operator),
      ...attributes,
    ]),
  )
/** A whole number as an attribute of a node. */
export const numberAttribute = (name: string, value: number): Buffer =>
  message(NODE_ATTRIBUTE, Buffer.concat([textField(ATTRIBUTE_NAME, name), integer(3, value), integer(20, 2)]))

/** A tensor as a field of a graph. */
export const tensorField = (name: string, type: number, dims: readonly number[], bytes: Buffer): Buffer =>
  message(
    GRAPH_INITIALIZER,
    Buffer.concat([
      ...dims.map((size) => integer(TENSOR_DIMS, size)),
      integer(TENSOR_TYPE, type),
      textField(TENSOR_NAME, name),
      message(TENSOR_RAW, bytes),
    ]),
  )
/** The model with the fields of its graph changed; the same buffer if `change` returns null. Throws RangeError for bytes that are no message. */
export function withGraph(model: Buffer, change: (graph: Buffer) => readonly Buffer[] | null): Buffer {
  let isChanged = false
  const parts = [...readFields(model)].flatMap((field) => {
    const fields = field.number === MODEL_GRAPH ? change(field.bytes) : null
    if (fields === null) return [field.raw]
    isChanged = true
    const length = fields.reduce((sum, { length }) => sum + length, 0)
    return [lengthPrefix(MODEL_GRAPH, length), ...fields]
  })
  return isChanged ? Buffer.concat(parts) : model
}
