// The interface between engines and ONNX graphs. Engines contain only host arithmetic and receive a GraphFactory; `openGraph` is the only
// place that creates sessions. The native library is loaded by the first call, so importing this file costs the agent nothing; only engine
// hosts call it.

import { open, readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { libraryMessage } from '#agent/engine/runtimes/without-folders.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { fromHalf, toHalf } from './half.ts'
import { loadOnnx, type OnnxLibrary } from './library.ts'

export type TensorType = 'float32' | 'int64' | 'int32' | 'bool' | 'uint8'
export type Tensor = {
  readonly type: TensorType
  readonly dims: readonly number[]
  readonly values: Float32Array | BigInt64Array | Int32Array | Uint8Array
}
/** An input or output as the file declares it. A dynamic dimension is null. */
export type TensorSlot = { readonly name: string; readonly type: string; readonly dims: readonly (number | null)[] }
/**
 * An input or output that an engine needs. `optional`: the graph may lack it. `dims`: fixed sizes, null where any size is accepted.
 * `orHalf`: the graph may use half precision; the engine still passes and receives `type`. `aliases`: names of the same tensor in other exports;
 * the engine still uses `name`. `orWhole`: the graph may take whole numbers (int32) for floats, which are rounded.
 */
export type ExpectedTensor = {
  readonly name: string
  readonly type: TensorType
  readonly rank: number
  readonly dims?: readonly (number | null)[]
  readonly optional?: boolean
  readonly orHalf?: boolean
  readonly orWhole?: boolean
  readonly aliases?: readonly string[]
}
/** Must name every input of the graph. Outputs that are not named are not computed. */
export type GraphContract = { readonly inputs: readonly ExpectedTensor[]; readonly outputs: readonly ExpectedTensor[] }

export type Graph = {
  readonly inputs: readonly TensorSlot[]
  readonly outputs: readonly TensorSlot[]
  /** The execution provider, such as `cpu`. */
  readonly device: string
  /** Reason why a preferred device was not used, for users; '' when the first choice was used. */
  readonly reason: string
  /** Computes `outputs`, by default every output of the contract. Blocks the thread and cannot be interrupted. */
  readonly run: (inputs: Readonly<Record<string, Tensor>>, outputs?: readonly string[]) => Promise<Record<string, Tensor>>
  readonly close: () => Promise<void>
}
export type GraphOptions = {
  readonly device: string
  /** 0: as many as the runtime chooses. */
  readonly threads?: number
  readonly contract: GraphContract
  /**
   * Unpacks 8-bit weights once, when the graph is opened, instead of in each run where an operator has no 8-bit form. Needs the memory of the
   * plain weights.
   */
  readonly unpacksOnce?: boolean
  /** Returns memory to the system after each run instead of keeping that of the largest one. */
  readonly keepsNoMemory?: boolean
  /** Changes the bytes of the file before it is opened. Throws RangeError for bytes that it cannot read. Not for graphs with separate weights. */
  readonly rewrite?: (model: Buffer) => Buffer
}
export type GraphFactory = (file: string, options: GraphOptions) => Promise<Graph>

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

/** The values of an output that the contract declares as floats. Throws WORKER_FAILED. */
export function floatOutput(outputs: Readonly<Record<string, Tensor>>, name: string): Float32Array {
  const values = outputs[name]?.values
  if (values instanceof Float32Array) return values
  throw new Failure('WORKER_FAILED', `The graph returned no floats named ${name}.`)
}

const HALF = 'float16'
const WHOLE = 'int32'

/** The slot of a graph that a contract means. */
export const slotFor = (slots: readonly TensorSlot[], { name, aliases = [] }: ExpectedTensor): TensorSlot | undefined =>
  [name, ...aliases].map((each) => slots.find((slot) => slot.name === each)).find((slot) => slot !== undefined)

/** Differences between a graph and the contract, one phrase each; empty when it fits. */
export function contractDifferences(
  graph: { inputs: readonly TensorSlot[]; outputs: readonly TensorSlot[] },
  contract: GraphContract,
): string[] {
  const compare = (side: string, slots: readonly TensorSlot[], expected: readonly ExpectedTensor[]) =>
    expected.flatMap((tensor) => {
      const { name, type, rank, dims, optional, orHalf, orWhole } = tensor
      const slot = slotFor(slots, tensor)
      if (!slot) return optional ? [] : [`${side} ${name} is missing`]
      const found: string[] = []
      if (slot.type !== type && !(orHalf && slot.type === HALF) && !(orWhole && slot.type === WHOLE))
        found.push(`${side} ${name} is ${slot.type}, not ${type}`)
      // An output without a declared shape is listed with no dimensions; its real shape is known only when it runs.
      if (side === 'output' && slot.dims.length === 0) return found
      if (slot.dims.length !== rank) found.push(`${side} ${name} has ${slot.dims.length} dimensions, not ${rank}`)
      else if (dims?.some((size, at) => size !== null && slot.dims[at] !== null && slot.dims[at] !== size)) {
        found.push(`${side} ${name} is [${formatDims(slot.dims)}], not [${formatDims(dims)}]`)
      }
      return found
    })
  const unknown = graph.inputs.filter((slot) => !contract.inputs.some((expected) => slotFor(graph.inputs, expected) === slot))
  return [
    ...compare('input', graph.inputs, contract.inputs),
    ...unknown.map(({ name }) => `input ${name} is unknown to this engine`),
    ...compare('output', graph.outputs, contract.outputs),
  ]
}
const formatDims = (dims: readonly (number | null)[]) => dims.map((size) => size ?? '?').join(', ')

const SEVERITY_FATAL = 4 as const
type Provider = string | { name: string }
const PROVIDERS: Readonly<Record<string, Provider>> = { directml: 'dml' }

/**
 * Opens the file on exactly `options.device`, without a silent fallback. Throws MODEL_NOT_DOWNLOADED (not a graph, an incomplete graph, the
 * wrong export), MODEL_NOT_INSTALLED (no runtime), INSUFFICIENT_MEMORY.
 */
export async function openGraph(file: string, options: GraphOptions): Promise<Graph> {
  await refuseWrongFile(file)
  const ort = await loadOnnx().catch((cause) => {
    throw new Failure('MODEL_NOT_INSTALLED', 'onnxruntime cannot be loaded on this machine. Install the packages of this program again.', {
      cause,
    })
  })
  const settings = {
    executionProviders: [PROVIDERS[options.device] ?? options.device],
    logSeverityLevel: SEVERITY_FATAL,
    ...(options.threads === undefined ? {} : { intraOpNumThreads: options.threads }),
    ...(options.keepsNoMemory && { enableCpuMemArena: false }),
    // A spinning thread pool would take the cores from the agent and from other hosts between two steps.
    extra: { session: { intra_op: { allow_spinning: '0' }, ...(options.unpacksOnce && { disable_quant_qdq: '1' }) } },
  }
  const { rewrite } = options
  const opening = rewrite
    ? ort.InferenceSession.create(await rewritten(file, rewrite), settings)
    : ort.InferenceSession.create(file, settings)
  const session = await opening.catch((error) => {
    throw toFailure(error, `The graph ${basename(file)} cannot be opened on ${options.device}`, 'MODEL_NOT_DOWNLOADED', file)
  })
  const slot = (meta: { name: string; isTensor: boolean; type?: string; shape?: readonly (number | string)[] }): TensorSlot => ({
    name: meta.name,
    type: meta.isTensor ? meta.type! : 'no tensor',
    dims: (meta.shape ?? []).map((size) => (typeof size === 'number' ? size : null)),
  })
  const inputs = session.inputMetadata.map(slot)
  const outputs = session.outputMetadata.map(slot)
  const wrong = contractDifferences({ inputs, outputs }, options.contract)
  if (wrong.length > 0) {
    await session.release()
    throw new Failure(
      'MODEL_NOT_DOWNLOADED',
      `The graph ${basename(file)} is the wrong export: ${wrong.slice(0, 8).join('; ')}. Download the model again.`,
      {
        detail: { wrong },
      },
    )
  }
  const outputNames = new Map(
    options.contract.outputs.flatMap((expected) => {
      const own = slotFor(outputs, expected)?.name
      return own === undefined ? [] : [[expected.name, own]]
    }),
  )
  const contractNames = new Map([...outputNames].map(([name, own]) => [own, name]))
  const slots = new Map(options.contract.inputs.map((expected) => [expected.name, slotFor(inputs, expected)]))
  return {
    inputs,
    outputs,
    device: options.device,
    reason: '',
    async run(values, requested = [...outputNames.keys()]) {
      const feeds = Object.fromEntries(
        Object.entries(values).map(([name, { type, dims, values }]) => {
          const { name: own = name, type: declared = type } = slots.get(name) ?? {}
          if (!(values instanceof Float32Array)) return [own, new ort.Tensor(type, values as Int32Array, dims)]
          if (declared === HALF) return [own, halfTensor(ort, toHalf(values), dims)]
          if (declared === WHOLE) return [own, new ort.Tensor(WHOLE, Int32Array.from(values, Math.round), dims)]
          return [own, new ort.Tensor(type, values, dims)]
        }),
      )
      const fetches = requested.map((name) => outputNames.get(name) ?? name)
      const results = await session.run(feeds, fetches).catch((error) => {
        throw toFailure(error, `The graph ${basename(file)} failed on ${options.device}`, 'WORKER_FAILED', file)
      })
      return Object.fromEntries(
        Object.entries(results).map(([own, value]) => {
          const name = contractNames.get(own) ?? own
          const { type, dims, data } = value as { type: TensorType | typeof HALF; dims: readonly number[]; data: Float32Array }
          if (type !== HALF) return [name, { type, dims, values: data }]
          // The array type depends on the version of Node; the bytes do not.
          return [name, { type: 'float32', dims, values: fromHalf(new Uint16Array(data.buffer, data.byteOffset, data.length)) }]
        }),
      )
    },
    close: () => session.release(),
  }
}

async function rewritten(file: string, rewrite: (model: Buffer) => Buffer): Promise<Buffer> {
  try {
    return rewrite(await readFile(file))
  } catch (cause) {
    if (cause instanceof Failure) throw cause
    throw new Failure(
      'MODEL_NOT_DOWNLOADED',
      `The graph ${basename(file)} cannot be read: ${libraryMessage(cause, [file], 300)}. Download the model again.`,
      {
        cause,
      },
    )
  }
}

/**
 * Tensors of the runtime convert the bits to a Float16Array where Node has one (24 and later), which its native part cannot read. It
 * accepts the bits on every version.
 */
function halfTensor(ort: OnnxLibrary, bits: Uint16Array, dims: readonly number[]): InstanceType<OnnxLibrary['Tensor']> {
  const tensor = new ort.Tensor(HALF, bits, dims)
  return Object.assign(tensor, { cpuData: bits })
}

const OUT_OF_MEMORY = /out of memory|failed to allocate|bad_alloc|bad allocation|alloc.{0,60}failed/i
function toFailure(cause: unknown, what: string, code: 'MODEL_NOT_DOWNLOADED' | 'WORKER_FAILED', file: string): Failure {
  const text = libraryMessage(cause, [file], 300)
  return new Failure(OUT_OF_MEMORY.test(text) ? 'INSUFFICIENT_MEMORY' : code, `${what}: ${text}.`, { cause })
}

/** Recognises common wrong files by their first bytes, because the messages of the parser do not help users. */
async function refuseWrongFile(file: string): Promise<void> {
  const refuse = (what: string, cause?: unknown): never => {
    throw new Failure('MODEL_NOT_DOWNLOADED', `The file ${basename(file)} ${what}. Download the model again.`, { cause })
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
    // Exporters write field 1 (ir_version) first; some write the producer or the opset first.
    if (![0x08, 0x12, 0x1a, 0x22, 0x3a, 0x42].includes(head[0]!)) refuse('is not an ONNX graph')
  } finally {
    await handle.close()
  }
}
