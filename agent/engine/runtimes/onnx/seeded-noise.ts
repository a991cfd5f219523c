// Makes the random numbers of a graph an input of it. The operator RandomNormalLike draws from a generator of the runtime that no caller can seed
// for a run, so the same task would never have the same samples. Each use of it is replaced by a part of the input `noise`. Pure.

import { Failure } from '#shared/protocol/failure.ts'
import { type Field, readFields } from '../../text/protobuf.ts'

export const NOISE = 'noise'
/** Standard normal values of the input: more than a sentence needs. A longer run takes them again from the start. */
export const NOISE_VALUES = 2 ** 18
/** The operators of a graph take their values from different places. */
const STRIDE = 2 ** 14
/** Field numbers of ModelProto, GraphProto and NodeProto. */
const GRAPH = 7
const [NODE, INITIALIZER, GRAPH_INPUT] = [1, 5, 11]
const [NODE_INPUT, NODE_OUTPUT, OPERATOR, ATTRIBUTE] = [1, 2, 4, 5]
const RANDOM = 'RandomNormalLike'
/** TensorProto.DataType. */
const [FLOAT, INT64] = [1, 7]
/** Of attributes. */
const INT = 2

/** The model with the input `noise`, a vector of NOISE_VALUES floats; as it is if it draws no random numbers. Throws RangeError, MODEL_NOT_DOWNLOADED. */
export function withSeededNoise(model: Buffer): Buffer {
  const parts: Buffer[] = []
  let isChanged = false
  for (const field of readFields(model)) {
    if (field.number !== GRAPH) {
      parts.push(field.raw)
      continue
    }
    const graph = rewrittenGraph(field.bytes)
    isChanged ||= graph !== null
    if (graph) parts.push(head(GRAPH, graph.length), graph)
    else parts.push(field.raw)
  }
  return isChanged ? Buffer.concat(parts) : model
}

/** Null for a graph without random numbers. */
function rewrittenGraph(graph: Buffer): Buffer | null {
  let count = 0
  const fields = [...readFields(graph)].flatMap((field) => {
    const made = field.number === NODE ? replacement(field, count) : null
    if (made) count++
    return made ?? [field.raw]
  })
  if (count === 0) return null
  const type = message(2, message(1, Buffer.concat([integer(1, FLOAT), message(2, message(1, integer(1, NOISE_VALUES)))])))
  const numbers = [scalar('noise_one', 1), scalar('noise_count', NOISE_VALUES), ...starts(count)]
  return Buffer.concat([...fields, ...numbers, message(GRAPH_INPUT, Buffer.concat([text(1, NOISE), type]))])
}

const starts = (count: number): Buffer[] => Array.from({ length: count }, (_, at) => scalar(`noise_start_${at}`, at * STRIDE))

/** The nodes that give as many values of the input as the random ones, in the same shape; null for any other node. */
function replacement({ bytes }: Field, at: number): Buffer[] | null {
  const fields = [...readFields(bytes)]
  const operator = fields.find(({ number }) => number === OPERATOR)?.bytes.toString() ?? ''
  if (!operator.startsWith('Random')) return null
  const texts = (wanted: number) => fields.filter(({ number }) => number === wanted).map((field) => field.bytes.toString())
  const attributes = fields.filter(({ number }) => number === ATTRIBUTE).map((field) => nameOf(field.bytes))
  const [like = ''] = texts(NODE_INPUT)
  const [output = ''] = texts(NODE_OUTPUT)
  // Mean, deviation and a seed of its own would change the values.
  if (operator !== RANDOM || attributes.some((name) => name !== 'dtype') || like === '' || output === '')
    throw new Failure('MODEL_NOT_DOWNLOADED', `The graph draws random numbers in a way that cannot be seeded (${operator.slice(0, 32)}).`)
  const own = (name: string) => `noise_${name}_${at}`
  return [
    node('Size', [like], own('size')),
    node('Add', [own('size'), own('start')], own('end')),
    node('Range', [own('start'), own('end'), 'noise_one'], own('places')),
    node('Mod', [own('places'), 'noise_count'], own('indices')),
    node('Gather', [NOISE, own('indices')], own('values'), { axis: 0 }),
    node('Shape', [like], own('shape')),
    node('Reshape', [own('values'), own('shape')], output),
  ]
}

const nameOf = (attribute: Buffer): string => [...readFields(attribute)].find(({ number }) => number === 1)?.bytes.toString() ?? ''

function node(operator: string, inputs: readonly string[], output: string, attributes: Readonly<Record<string, number>> = {}): Buffer {
  const settings = Object.entries(attributes).map(([name, value]) =>
    message(ATTRIBUTE, Buffer.concat([text(1, name), integer(3, value), integer(20, INT)])),
  )
  return message(NODE, Buffer.concat([...inputs.map((name) => text(1, name)), text(2, output), text(OPERATOR, operator), ...settings]))
}

function scalar(name: string, value: number): Buffer {
  const values = Buffer.alloc(8)
  values.writeBigInt64LE(BigInt(value))
  return message(INITIALIZER, Buffer.concat([integer(2, INT64), text(8, name), message(9, values)]))
}

// The two wire types of protobuf that are needed: varint, and length-delimited.
function varint(value: number): Buffer {
  const bytes: number[] = []
  let left = value
  for (; left >= 0x80; left = Math.floor(left / 0x80)) bytes.push((left % 0x80) | 0x80)
  return Buffer.from([...bytes, left])
}
const head = (field: number, length: number): Buffer => Buffer.concat([varint(field * 8 + 2), varint(length)])
const integer = (field: number, value: number): Buffer => Buffer.concat([varint(field * 8), varint(value)])
const message = (field: number, bytes: Buffer): Buffer => Buffer.concat([head(field, bytes.length), bytes])
const text = (field: number, value: string): Buffer => message(field, Buffer.from(value))
