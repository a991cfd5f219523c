// Computes 8-bit convolutions in single precision. The runtime spends most of the time of a quantised voice in ConvInteger; the same weights in
// single precision take about 0.6 of the whole time and need four times their memory. The result differs from the 8-bit one as far as that one
// rounds what goes into a convolution, and is the more exact one. Pure.

import { readFields } from '#agent/engine/text/protobuf.ts'
import {
  FLOAT,
  GRAPH_INITIALIZER,
  GRAPH_NODE,
  GRAPH_OUTPUT,
  type ModelNode,
  type ModelTensor,
  nameOfValue,
  namesRead,
  nodeField,
  readNode,
  readTensor,
  tensorField,
  valuesOf,
  withGraph,
} from './model-bytes.ts'

const CONVOLUTION = 'ConvInteger'

/** The model without 8-bit convolutions of this form; the same buffer where there is none. Throws RangeError for bytes that are no model. */
export const withFloatConvolutions = (model: Buffer): Buffer =>
  withGraph(model, (graph) => (graph.includes(CONVOLUTION) ? rewrittenGraph(graph) : null))

type Scene = {
  readonly tensors: ReadonlyMap<string, ModelTensor>
  /** The node that makes a value. */
  readonly makerOf: ReadonlyMap<string, ModelNode>
  /** The only node that reads a value; undefined if there are several or none. */
  readonly readerOf: (name: string) => ModelNode | undefined
}
/** `at`: the node in whose place the convolution is computed. */
type Converted = { readonly at: ModelNode; readonly node: ModelNode; readonly weights: Buffer }

function rewrittenGraph(graph: Buffer): Buffer[] | null {
  const fields = [...readFields(graph)]
  const rawOf = new Map(fields.flatMap(({ number, bytes, raw }) => (number === GRAPH_NODE ? [[readNode(bytes), raw] as const] : [])))
  const nodes = [...rawOf.keys()]
  const tensors = new Map(
    fields.flatMap(({ number, bytes }) => (number === GRAPH_INITIALIZER ? [readTensor(bytes)] : [])).map((tensor) => [tensor.name, tensor]),
  )
  const outputs = fields.filter(({ number }) => number === GRAPH_OUTPUT).map(({ bytes }) => nameOfValue(bytes))
  const makerOf = new Map(nodes.flatMap((node) => node.outputs.map((name) => [name, node] as const)))
  const readers = new Map<string, ModelNode[]>()
  for (const node of nodes) for (const name of new Set(namesRead(node))) readers.set(name, [...(readers.get(name) ?? []), node])
  const readerOf = (name: string) => (readers.get(name)?.length === 1 && !outputs.includes(name) ? readers.get(name)![0] : undefined)
  const converted = nodes
    .filter(({ operator }) => operator === CONVOLUTION)
    .flatMap((node) => convert(node, { tensors, makerOf, readerOf }) ?? [])
  if (converted.length === 0) return null
  const places = new Map(converted.map(({ at, node }) => [at, node]))
  const kept = usedNodes(
    nodes.map((node) => places.get(node) ?? node),
    outputs,
  )
  const used = new Set(kept.flatMap(namesRead))
  let next = 0
  const rest = fields.flatMap(({ number, bytes, raw }) => {
    if (number === GRAPH_NODE) return next++ === 0 ? kept.map((node) => rawOf.get(node) ?? nodeField(node)) : []
    return number === GRAPH_INITIALIZER && !used.has(readTensor(bytes).name) ? [] : [raw]
  })
  return [...rest, ...converted.map(({ weights }) => weights)]
}

/** Converts the part from quantised input to scaled output, as the quantiser of the runtime writes it; null for another form. */
function convert(node: ModelNode, { tensors, makerOf, readerOf }: Scene): Converted | null {
  const [quantised = '', weightsName = '', , zeroName = ''] = node.inputs
  const source = makerOf.get(quantised)
  if (source?.operator !== 'DynamicQuantizeLinear') return null
  let last = node
  let reader = readerOf(last.outputs[0]!)
  let bias: string | null = null
  if (reader?.operator === 'Add') {
    bias = biasOf(reader.inputs.find((name) => name !== last.outputs[0]) ?? '', makerOf)
    if (bias === null || !tensors.has(bias)) return null
    last = reader
    reader = readerOf(last.outputs[0]!)
  }
  if (reader?.operator !== 'Cast') return null
  const product = readerOf(reader.outputs[0]!)
  if (product?.operator !== 'Mul') return null
  const scales = makerOf.get(product.inputs.find((name) => name !== reader.outputs[0]) ?? '')
  if (scales?.operator !== 'Mul') return null
  const [scaleName, ...others] = scales.inputs.filter((name) => tensors.has(name))
  const weights = tensors.get(weightsName)
  const scale = scaleName === undefined || others.length > 0 ? undefined : tensors.get(scaleName)
  if (!weights || scale?.type !== FLOAT || !scales.inputs.includes(source.outputs[1]!)) return null
  const floats = inFloats(weights, scale, tensors.get(zeroName))
  if (floats === null) return null
  const name = `${weightsName}_in_floats`
  const inputs = [source.inputs[0]!, name, ...(bias === null ? [] : [bias])]
  return {
    at: product,
    node: { operator: 'Conv', inputs, outputs: product.outputs, attributes: node.attributes },
    weights: tensorField(name, FLOAT, weights.dims, Buffer.from(floats.buffer)),
  }
}

/** The bias in single precision, from which the runtime makes the whole numbers that it adds; null for another form. */
function biasOf(name: string, makerOf: ReadonlyMap<string, ModelNode>): string | null {
  let node = makerOf.get(name)
  for (let steps = 0; node && steps < 5; steps++) {
    if (node.operator === 'Div') return node.inputs[0] ?? null
    node = makerOf.get(node.inputs[0] ?? '')
  }
  return null
}

/** Weights are numbers minus a zero, times a scale; both are one for all, or one for each output channel. */
function inFloats(weights: ModelTensor, scale: ModelTensor, zero: ModelTensor | undefined): Float32Array<ArrayBuffer> | null {
  const values = valuesOf(weights)
  const scales = valuesOf(scale)
  const zeros = zero === undefined ? new Int8Array(1) : valuesOf(zero)
  const channels = weights.dims[0] ?? 0
  if (values === null || scales === null || zeros === null || channels === 0 || values instanceof Float32Array) return null
  if (values.length !== weights.dims.reduce((product, size) => product * size, 1)) return null
  if (![scales, zeros].every(({ length }) => length === 1 || length === channels)) return null
  const floats = new Float32Array(values.length)
  const size = values.length / channels
  for (let channel = 0; channel < channels; channel++) {
    const [factor, origin] = [scales[scales.length === 1 ? 0 : channel]!, zeros[zeros.length === 1 ? 0 : channel]!]
    for (let at = channel * size; at < (channel + 1) * size; at++) floats[at] = (values[at]! - origin) * factor
  }
  return floats
}

/** Leaves out nodes whose values nothing reads. */
function usedNodes(nodes: readonly ModelNode[], outputs: readonly string[]): ModelNode[] {
  const counts = new Map<string, number>(outputs.map((name) => [name, 1]))
  for (const node of nodes) for (const name of namesRead(node)) counts.set(name, (counts.get(name) ?? 0) + 1)
  const kept: ModelNode[] = []
  // A node is read by later ones only.
  for (const node of nodes.toReversed()) {
    if (node.outputs.some((name) => (counts.get(name) ?? 0) > 0)) kept.push(node)
    else for (const name of namesRead(node)) counts.set(name, counts.get(name)! - 1)
  }
  return kept.toReversed()
}
