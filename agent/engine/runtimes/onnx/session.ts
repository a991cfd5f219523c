// The seam between engines and neural graphs. Engines hold host maths only and get a GraphFactory as an argument; `openGraph` is the one
// place where an ONNX file becomes something that runs. The native library is loaded by the first call, so naming this file costs the agent
// nothing; only engine hosts call it.

import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Tensor as OrtTensor } from 'onnxruntime-node'
import { Failure } from '#shared/protocol/failure.ts'
import { fromHalf, toHalf } from './half.ts'

export type TensorType = 'float32' | 'int64' | 'int32' | 'bool' | 'uint8'
export type Tensor = {
  readonly type: TensorType
  readonly dims: readonly number[]
  readonly values: Float32Array | BigInt64Array | Int32Array | Uint8Array
}
/** One input or output of a graph as its file declares it. A dimension that is not fixed is null. */
export type TensorSlot = { readonly name: string; readonly type: string; readonly dims: readonly (number | null)[] }
/**
 * What an engine needs of a slot. `optional`: the graph may lack it. `dims`: the fixed ones, null where any size will do. `orHalf`: the graph
 * may have half the precision there; the engine gives and gets `type` all the same.
 */
export type ExpectedTensor = {
  readonly name: string
  readonly type: TensorType
  readonly rank: number
  readonly dims?: readonly (number | null)[]
  readonly optional?: boolean
  readonly orHalf?: boolean
}
/** Every input of the graph must be named here, or nobody would feed it; outputs that are not named are never asked for. */
export type GraphContract = { readonly inputs: readonly ExpectedTensor[]; readonly outputs: readonly ExpectedTensor[] }

export type Graph = {
  readonly inputs: readonly TensorSlot[]
  readonly outputs: readonly TensorSlot[]
  /** The provider that took the graph, such as `cpu`. */
  readonly device: string
  /** Why it is this device, in words for people; '' when it is the one that was wished for. */
  readonly reason: string
  /** Computes `outputs`, or without them every output of the contract. It blocks the thread for its whole length, and cannot be stopped. */
  readonly run: (inputs: Readonly<Record<string, Tensor>>, outputs?: readonly string[]) => Promise<Record<string, Tensor>>
  readonly close: () => Promise<void>
}
export type GraphOptions = { readonly device: string; readonly threads?: number; readonly contract: GraphContract }
export type GraphFactory = (file: string, wish: GraphOptions) => Promise<Graph>

export const floats = (values: Float32Array | readonly number[], dims: readonly number[]): Tensor => ({
  type: 'float32',
  dims,
  values: values instanceof Float32Array ? values : Float32Array.from(values),
})
export const longs = (values: ArrayLike<number | bigint>, dims: readonly number[]): Tensor => ({
  type: 'int64',
  dims,
  values: BigInt64Array.from({ length: values.length }, (_, at) => BigInt(values[at]!)),
})
export const ints = (values: ArrayLike<number>, dims: readonly number[]): Tensor => ({
  type: 'int32',
  dims,
  values: Int32Array.from(values),
})
export const bools = (values: ArrayLike<number>, dims: readonly number[]): Tensor => ({
  type: 'bool',
  dims,
  values: Uint8Array.from(values),
})

/** The values of an output that the contract promises to be floats. */
export function floatOutput(outputs: Readonly<Record<string, Tensor>>, name: string): Float32Array {
  const values = outputs[name]?.values
  if (values instanceof Float32Array) return values
  throw new Failure('WORKER_FAILED', `the graph gave no floats named ${name}`)
}

const HALF = 'float16'

/** What differs between a graph and the contract, one sentence each; empty when it fits. */
export function contractDifferences(
  graph: { inputs: readonly TensorSlot[]; outputs: readonly TensorSlot[] },
  contract: GraphContract,
): string[] {
  const compare = (side: string, slots: readonly TensorSlot[], wanted: readonly ExpectedTensor[]) =>
    wanted.flatMap(({ name, type, rank, dims, optional, orHalf }) => {
      const slot = slots.find((candidate) => candidate.name === name)
      if (!slot) return optional ? [] : [`${side} ${name} is missing`]
      const found: string[] = []
      if (slot.type !== type && !(orHalf && slot.type === HALF)) found.push(`${side} ${name} is ${slot.type}, not ${type}`)
      // An export that leaves an output's shape open is told as if it had no dimensions; what it really gives shows when it runs.
      if (side === 'output' && slot.dims.length === 0) return found
      if (slot.dims.length !== rank) found.push(`${side} ${name} has ${slot.dims.length} dimensions, not ${rank}`)
      else if (dims?.some((size, at) => size !== null && slot.dims[at] !== null && slot.dims[at] !== size)) {
        found.push(`${side} ${name} is [${shown(slot.dims)}], not [${shown(dims)}]`)
      }
      return found
    })
  const unknown = graph.inputs.filter(({ name }) => !contract.inputs.some((wanted) => wanted.name === name))
  return [
    ...compare('input', graph.inputs, contract.inputs),
    ...unknown.map(({ name }) => `input ${name} is not known to this engine`),
    ...compare('output', graph.outputs, contract.outputs),
  ]
}
const shown = (dims: readonly (number | null)[]) => dims.map((size) => size ?? '?').join(', ')

const SEVERITY_FATAL = 4
type Provider = string | { name: string }
const PROVIDERS: Readonly<Record<string, Provider>> = { directml: 'dml' }

/**
 * Opens the file on exactly `wish.device`; a device that cannot take it is a failure, never a silent fallback.
 * Failures: MODEL_NOT_DOWNLOADED (no graph, half a graph, the wrong export), MODEL_NOT_INSTALLED (no runtime), INSUFFICIENT_MEMORY.
 */
export async function openGraph(file: string, wish: GraphOptions): Promise<Graph> {
  await refuseOtherFiles(file)
  const ort = await import('onnxruntime-node').catch((cause) => {
    throw new Failure('MODEL_NOT_INSTALLED', 'onnxruntime cannot be loaded on this machine', { cause })
  })
  const session = await ort.InferenceSession.create(file, {
    executionProviders: [PROVIDERS[wish.device] ?? wish.device],
    logSeverityLevel: SEVERITY_FATAL,
    ...(wish.threads === undefined ? {} : { intraOpNumThreads: wish.threads }),
    // A spinning pool takes the cores from the agent and from other hosts between two steps.
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  }).catch((error) => {
    throw asFailure(error, `${basename(file)} cannot be opened on ${wish.device}`, 'MODEL_NOT_DOWNLOADED', file)
  })
  const slot = (meta: { name: string; isTensor: boolean; type?: string; shape?: readonly (number | string)[] }): TensorSlot => ({
    name: meta.name,
    type: meta.isTensor ? meta.type! : 'no tensor',
    dims: (meta.shape ?? []).map((size) => (typeof size === 'number' ? size : null)),
  })
  const inputs = session.inputMetadata.map(slot)
  const outputs = session.outputMetadata.map(slot)
  const wrong = contractDifferences({ inputs, outputs }, wish.contract)
  if (wrong.length > 0) {
    await session.release()
    throw new Failure('MODEL_NOT_DOWNLOADED', `${basename(file)} is the wrong export: ${wrong.slice(0, 8).join('; ')}`, {
      detail: { wrong },
    })
  }
  const promised = wish.contract.outputs.filter(({ name }) => outputs.some((output) => output.name === name)).map(({ name }) => name)
  const halves = new Set(inputs.flatMap(({ name, type }) => (type === HALF ? [name] : [])))
  return {
    inputs,
    outputs,
    device: wish.device,
    reason: '',
    async run(fed, asked = promised) {
      const feeds = Object.fromEntries(
        Object.entries(fed).map(([name, { type, dims, values }]) => [
          name,
          halves.has(name) && values instanceof Float32Array
            ? halfTensor(ort, toHalf(values), dims)
            : new ort.Tensor(type, values as Float32Array, dims),
        ]),
      )
      const made = await session.run(feeds, asked).catch((error) => {
        throw asFailure(error, `${basename(file)} failed on ${wish.device}`, 'WORKER_FAILED', file)
      })
      return Object.fromEntries(
        Object.entries(made).map(([name, value]) => {
          const { type, dims, data } = value as { type: TensorType | typeof HALF; dims: readonly number[]; data: Float32Array }
          if (type !== HALF) return [name, { type, dims, values: data }]
          // Of what type the array is depends on the version of Node; its bytes do not.
          return [name, { type: 'float32', dims, values: fromHalf(new Uint16Array(data.buffer, data.byteOffset, data.length)) }]
        }),
      )
    },
    close: () => session.release(),
  }
}

/**
 * The runtime's tensors turn the bits into a Float16Array where Node has one (24), which its own native part does not know: it finds no bytes
 * in it. The bits themselves it takes everywhere.
 */
function halfTensor(ort: typeof import('onnxruntime-node'), bits: Uint16Array, dims: readonly number[]): OrtTensor {
  const tensor = new ort.Tensor(HALF, bits, dims)
  return Object.assign(tensor, { cpuData: bits })
}

const OUT_OF_MEMORY = /out of memory|failed to allocate|bad_alloc|bad allocation|alloc.*failed/i
function asFailure(cause: unknown, what: string, code: 'MODEL_NOT_DOWNLOADED' | 'WORKER_FAILED', file: string): Failure {
  const text = (cause instanceof Error ? cause.message : String(cause)).split('\n')[0]!.replaceAll(file, basename(file)).slice(0, 300)
  return new Failure(OUT_OF_MEMORY.test(text) ? 'INSUFFICIENT_MEMORY' : code, `${what}: ${text}`, { cause })
}

/** The files people take for graphs, told apart by their first bytes: the parser's own words for them help nobody. */
async function refuseOtherFiles(file: string): Promise<void> {
  const refuse = (what: string, cause?: unknown): never => {
    throw new Failure('MODEL_NOT_DOWNLOADED', `${basename(file)} ${what}; download the model again`, { cause })
  }
  const handle = await open(file, 'r').catch((cause) => refuse('cannot be read', cause))
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(256), 0, 256, 0)
    const head = buffer.subarray(0, bytesRead)
    const text = head.toString('latin1')
    if (bytesRead === 0) refuse('is empty')
    if (text.startsWith('PK\x03\x04')) refuse('is a zip archive (or a PyTorch checkpoint in one), not an ONNX graph')
    if (head[0] === 0x80 && head[1]! >= 2 && head[1]! <= 5) refuse('is a Python pickle, not an ONNX graph')
    if (head[0] === 0x1f && head[1] === 0x8b) refuse('is a gzip archive, not an ONNX graph')
    if (text.startsWith('GGUF')) refuse('is a GGUF model, not an ONNX graph')
    if (text.startsWith('version https://git-lfs')) refuse('is a Git LFS pointer, not the graph itself')
    if (/^\s*(?:<|\{)/.test(text)) refuse('is a text document (perhaps an error page), not an ONNX graph')
    // Field 1 (ir_version) as a varint opens every model that an exporter writes; some put the producer or the opset first.
    if (![0x08, 0x12, 0x1a, 0x22, 0x3a, 0x42].includes(head[0]!)) refuse('is not an ONNX graph')
  } finally {
    await handle.close()
  }
}
