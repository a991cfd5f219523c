// Makes the random numbers of a graph an input of it. The operator RandomNormalLike draws from a generator of the runtime that no caller can seed
// for a run, so the same task would never have the same samples. Each use of it is replaced by a part of the input `noise`. Pure.

import { readFields } from '#agent/engine/text/protobuf.ts'
import { Failure } from '#shared/protocol/failure.ts'
import {
  attributeNames,
  FLOAT,
  GRAPH_INPUT,
  GRAPH_NODE,
  INT64,
  integer,
  message,
  nodeField,
  numberAttribute,
  readNode,
  tensorField,
  textField,
  withGraph,
} from './model-bytes.ts'

export const NOISE = 'noise'
/** Standard normal values of the input: more than a sentence needs. A longer run takes them again from the start. */
export const NOISE_VALUES = 2 ** 18
/** The operators of a graph take their values from different places. */
const STRIDE = 2 ** 14
const RANDOM = 'RandomNormalLike'

/** The model with the input `noise`, a vector of NOISE_VALUES floats; the same buffer for a graph without random numbers. Throws RangeError, MODEL_NOT_DOWNLOADED. */
export const withSeededNoise = (model: Buffer): Buffer => withGraph(model, rewrittenGraph)

/** Null for a graph without random numbers. */
function rewrittenGraph(graph: Buffer): Buffer[] | null {
  let count = 0
  const fields = [...readFields(graph)].flatMap(({ number, bytes, raw }) => {
    const made = number === GRAPH_NODE ? replacement(bytes, count) : null
    if (made) count++
    return made ?? [raw]
  })
  if (count === 0) return null
  const type = message(2, message(1, Buffer.concat([integer(1, FLOAT), message(2, message(1, integer(1, NOISE_VALUES)))])))
  const numbers = [scalar('noise_one', 1), scalar('noise_count', NOISE_VALUES), ...starts(count)]
  return [...fields, ...numbers, message(GRAPH_INPUT, Buffer.concat([textField(1, NOISE), type]))]
}

const starts = (count: number): Buffer[] => Array.from({ length: count }, (_, at) => scalar(`noise_start_${at}`, at * STRIDE))

/** The nodes that give as many values of the input as the random ones, in the same shape; null for any other node. */
function replacement(bytes: Buffer, at: number): Buffer[] | null {
  const random = readNode(bytes)
  const { operator } = random
  if (!operator.startsWith('Random')) return null
  const [like = ''] = random.inputs
  const [output = ''] = random.outputs
  // Mean, deviation and a seed of its own would change the values.
  if (operator !== RANDOM || attributeNames(random).some((name) => name !== 'dtype') || like === '' || output === '')
    throw new Failure('MODEL_NOT_DOWNLOADED', `The graph draws random numbers in a way that cannot be seeded (${operator.slice(0, 32)}).`)
  const own = (name: string) => `noise_${name}_${at}`
  const node = (operator: string, inputs: readonly string[], output: string, attributes: readonly Buffer[] = []) =>
    nodeField({ operator, inputs, outputs: [output], attributes })
  return [
    node('Size', [like], own('size')),
    node('Add', [own('size'), own('start')], own('end')),
    node('Range', [own('start'), own('end'), 'noise_one'], own('places')),
    node('Mod', [own('places'), 'noise_count'], own('indices')),
    node('Gather', [NOISE, own('indices')], own('values'), [numberAttribute('axis', 0)]),
    node('Shape', [like], own('shape')),
    node('Reshape', [own('values'), own('shape')], output),
  ]
}

function scalar(name: string, value: number): Buffer {
  const values = Buffer.alloc(8)
  values.writeBigInt64LE(BigInt(value))
  return tensorField(name, INT64, [], values)
}
