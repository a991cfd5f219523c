// Reads the inputs and outputs that an ONNX file declares, without loading its weights: a file of gigabytes is skipped over, and no runtime
// is needed. Used for reports about files that a runtime refuses.
import { type FileHandle, open } from 'node:fs/promises'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'
import type { TensorSlot } from './session.ts'

export type Signature = { readonly inputs: readonly TensorSlot[]; readonly outputs: readonly TensorSlot[] }

const BLOCK_BYTES = 64 * 1024
/** Larger fields are weights or documentation, never the description of a tensor. */
const MAX_SLOT_BYTES = 64 * 1024
/** With the next two, the signature of any file is smaller than 4 MB. */
const MAX_NAME_BYTES = 1024
const MAX_SLOTS = 1_000
const MAX_DIMS = 64
const MAX_FIELDS = 2_000_000
/** After so many fields the thread does other work: those in a block need no reading, which would wait. */
const TURN_FIELDS = 2_000
/** TensorProto.DataType of the format, by number. */
const TYPES = ' float32 uint8 int8 uint16 int16 int32 int64 string bool float16 float64 uint32 uint64'.split(' ')
const GRAPH = 7
const [INITIALIZER, INPUT, OUTPUT] = [5, 11, 12]
const INITIALIZER_NAME = 8

type Field = { readonly number: number; readonly wire: number; readonly value: number; readonly from: number; readonly to: number }
/** Fields that may still be read; several files may share it. */
export type FieldBudget = { fields: number }
export const fieldBudget = (): FieldBudget => ({ fields: MAX_FIELDS })
type Bytes = { readonly size: number; readonly at: (position: number, length: number) => Promise<Buffer> }

/** Throws RangeError for a file that is not an ONNX model, the reason of the signal, and what reading throws. */
export async function readSignature(path: string, budget = fieldBudget(), signal?: AbortSignal): Promise<Signature> {
  const handle = await open(path)
  try {
    const bytes = await bufferedReader(handle, signal)
    for await (const field of fieldsOf(bytes, 0, bytes.size, budget))
      if (field.number === GRAPH && field.wire === 2) return await readGraph(bytes, field, budget)
    throw new RangeError('it contains no graph')
  } finally {
    await handle.close()
  }
}

async function readGraph(bytes: Bytes, graph: Field, budget: FieldBudget): Promise<Signature> {
  const inputs: TensorSlot[] = []
  const outputs: TensorSlot[] = []
  let hasInitializers = false
  for await (const field of fieldsOf(bytes, graph.from, graph.to, budget)) {
    if (field.wire !== 2) continue
    if (field.number === INITIALIZER) hasInitializers = true
    if (field.number !== INPUT && field.number !== OUTPUT) continue
    if (field.to - field.from > MAX_SLOT_BYTES || inputs.length + outputs.length >= MAX_SLOTS)
      throw new RangeError('its inputs and outputs are too large')
    const slots = field.number === INPUT ? inputs : outputs
    slots.push(await readSlot(bytes, field, budget))
  }
  if (!hasInitializers) return { inputs, outputs }
  // Old exports list their weights as inputs too. No names are kept: a graph may have any number of weights.
  const open = new Map(inputs.map((slot) => [slot.name, slot]))
  for await (const field of fieldsOf(bytes, graph.from, graph.to, budget))
    if (field.number === INITIALIZER && field.wire === 2) open.delete(await nameOf(bytes, field, budget))
  return { inputs: inputs.filter(({ name }) => open.has(name)), outputs }
}

/** The name of a tensor, which the format stores before its values. */
async function nameOf(bytes: Bytes, tensor: Field, budget: FieldBudget): Promise<string> {
  for await (const field of fieldsOf(bytes, tensor.from, tensor.to, budget))
    if (field.number === INITIALIZER_NAME && field.wire === 2) return await textOf(bytes, field)
  return ''
}

async function readSlot(bytes: Bytes, slot: Field, budget: FieldBudget): Promise<TensorSlot> {
  let name = ''
  let type = ''
  const dims: (number | null)[] = []
  for await (const part of fieldsOf(bytes, slot.from, slot.to, budget)) {
    if (part.number === 1) {
      if (part.to - part.from > MAX_NAME_BYTES) throw new RangeError('the name of an input or output is too long')
      name = await textOf(bytes, part)
    }
    if (part.number !== 2) continue
    for await (const kind of fieldsOf(bytes, part.from, part.to, budget)) {
      if (kind.number !== 1) continue // a sequence or a map, which no engine uses
      for await (const tensor of fieldsOf(bytes, kind.from, kind.to, budget)) {
        if (tensor.number === 1) type = TYPES[tensor.value] ?? `type ${tensor.value}`
        if (tensor.number !== 2) continue
        for await (const dim of fieldsOf(bytes, tensor.from, tensor.to, budget)) {
          if (dim.number !== 1) continue
          if (dims.length >= MAX_DIMS) throw new RangeError('a tensor has too many dimensions')
          let size: number | null = null
          for await (const value of fieldsOf(bytes, dim.from, dim.to, budget))
            if (value.number === 1 && value.wire === 0 && value.value > 0 && value.value < 2 ** 53) size = value.value
          dims.push(size)
        }
      }
    }
  }
  return { name, type, dims }
}

/** '' for one that is too long to be compared. */
const textOf = async (bytes: Bytes, { from, to }: Field): Promise<string> =>
  to - from > MAX_NAME_BYTES ? '' : (await bytes.at(from, to - from)).toString('utf8')

/** The fields of a message between two positions of the file. Throws RangeError for malformed bytes. */
async function* fieldsOf(bytes: Bytes, from: number, to: number, budget: FieldBudget): AsyncGenerator<Field> {
  let at = from
  const varint = async (): Promise<number> => {
    const head = await bytes.at(at, Math.min(10, to - at))
    let value = 0
    for (let index = 0; index < head.length; index++) {
      value += (head[index]! & 0x7f) * 2 ** (7 * index)
      if (head[index]! < 0x80) {
        at += index + 1
        return value
      }
    }
    throw new RangeError('it ends inside a number')
  }
  while (at < to) {
    if (--budget.fields < 0) throw new RangeError('it has too many fields')
    if (budget.fields % TURN_FIELDS === 0) await nextTurn()
    const tag = await varint()
    const [number, wire] = [Math.floor(tag / 8), tag % 8]
    if (number === 0) throw new RangeError('a field has no number')
    const value = wire === 0 ? await varint() : 0
    const length = wire === 2 ? await varint() : wire === 1 ? 8 : wire === 5 ? 4 : wire === 0 ? 0 : Number.NaN
    if (!(at + length <= to)) throw new RangeError('it ends inside a field')
    yield { number, wire, value, from: at, to: at + length }
    at += length
  }
}

/** Reads the file in blocks, because a graph has thousands of small fields. */
async function bufferedReader(handle: FileHandle, signal?: AbortSignal): Promise<Bytes> {
  const { size } = await handle.stat()
  let block: Buffer = Buffer.alloc(0)
  let start = 0
  return {
    size,
    async at(position, length) {
      if (position < start || position + length > start + block.length) {
        signal?.throwIfAborted()
        const wanted = Buffer.alloc(Math.min(Math.max(length, BLOCK_BYTES), Math.max(0, size - position)))
        const { bytesRead } = await handle.read(wanted, 0, wanted.length, position)
        block = wanted.subarray(0, bytesRead)
        start = position
      }
      return block.subarray(position - start, position - start + length)
    },
  }
}
