// The preset voices of Pocket-TTS: the memory of the speech network for each voice, so that no recording has to be encoded. File format:
// "PTVB1", a count, and per voice its name and named tensors, all little-endian.
// Sources for the format and for the conversion to states: pocket_tts_onnx.py of KevinAHM/pocket-tts-onnx and inference-worker.js of the space
// KevinAHM/pocket-tts-web.

import { longs, type Tensor } from '#agent/engine/runtimes/onnx/session.ts'
import { elementCount, filledTensor, type Memory, type StateType } from '#agent/engine/speech/autoregressive/states.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { VoiceState } from './bundle.ts'

const MAGIC = 'PTVB1'
const MAX_VOICES = 256
const MAX_TENSORS = 1_024
const TYPES = [
  { type: 'float32', width: 4 },
  { type: 'int64', width: 8 },
  { type: 'bool', width: 1 },
] as const

type Stored = { readonly type: 'float32' | 'int64' | 'bool'; readonly dims: readonly number[]; readonly bytes: Buffer }
/** "module/key" -> tensor. */
export type StoredVoice = ReadonlyMap<string, Stored>

/** Throws MODEL_NOT_DOWNLOADED. The tensors are views into `bytes`. */
export function readVoices(bytes: Buffer, name: string): Map<string, StoredVoice> {
  const invalidFile = (what: string, cause?: unknown) =>
    new Failure('MODEL_NOT_DOWNLOADED', `The file ${name} is not a voice file (${what}). Download the model again.`, { cause })
  let at = 0
  const take = (length: number): Buffer => {
    if (length > bytes.length - at) throw invalidFile('it ends early')
    at += length
    return bytes.subarray(at - length, at)
  }
  const byte = () => take(1).readUInt8()
  const short = () => take(2).readUInt16LE()
  const long = () => take(4).readUInt32LE()
  if (bytes.length < MAGIC.length || take(MAGIC.length).toString('latin1') !== MAGIC) throw invalidFile('its signature is wrong')
  const count = long()
  if (count > MAX_VOICES) throw invalidFile('it has too many voices')
  const voices = new Map<string, StoredVoice>()
  for (let voice = 0; voice < count; voice++) {
    const id = take(short()).toString()
    const tensors = new Map<string, Stored>()
    const tensorCount = short()
    if (tensorCount > MAX_TENSORS) throw invalidFile('a voice has too many tensors')
    for (let tensor = 0; tensor < tensorCount; tensor++) {
      const key = take(short()).toString()
      const kind = TYPES[byte()]
      if (!kind) throw invalidFile('a tensor is of an unknown type')
      const dims = Array.from({ length: byte() }, long)
      const body = take(long())
      if (body.length !== dims.reduce((product, size) => product * size, kind.width))
        throw invalidFile(`the size of ${key.slice(0, 64)} is wrong`)
      tensors.set(key, { type: kind.type, dims, bytes: body })
    }
    voices.set(id, tensors)
  }
  return voices
}

export type VoiceMemory = {
  readonly memory: Memory
  /** Number of states whose stored tensor has another rank and was not used. */
  readonly unused: number
}

/**
 * The memory of the speech network for a stored voice, by the rules of the reference: a state without a stored tensor, or with one of
 * another rank and size, keeps the initial value of the bundle.
 */
export function voiceMemory(voice: StoredVoice, states: readonly VoiceState[]): VoiceMemory {
  let unused = 0
  const memory = Object.fromEntries(
    states.map((state): [string, Tensor] => {
      const stored = voice.get(`${state.module}/${state.key}`)
      if (!stored) return [state.input, state.key === 'step' ? longs([stepOf(voice, state.module)], state.dims) : filledTensor(state)]
      const adapted = adaptToState(stored, state)
      if (!adapted) unused++
      return [state.input, adapted ?? filledTensor(state)]
    }),
  )
  return { memory, unused }
}

/** Number of used positions of a memory. */
export function usedLength(memory: Memory, states: readonly VoiceState[]): number {
  const steps = states.filter(({ key }) => key === 'step').map(({ input }) => Number(memory[input]!.values[0] ?? 0))
  return Math.max(0, ...steps)
}

/** Older voice files store the end position in other ways. */
function stepOf(voice: StoredVoice, module: string): number {
  const offset = voice.get(`${module}/offset`)
  if (offset && !voice.has(`${module}/end_offset`) && offset.type === 'int64' && offset.bytes.length >= 8)
    return Number(offset.bytes.readBigInt64LE())
  return voice.get(`${module}/current_end`)?.dims[0] ?? 0
}

/**
 * A tensor of the same size is read in order, also with another shape. Otherwise the common prefix along every dimension is copied, because a
 * stored cache ends with the voice while the state is larger. Null when the ranks differ.
 */
function adaptToState({ type, dims, bytes }: Stored, state: VoiceState): Tensor | null {
  const target = filledTensor(state)
  const values = target.values as { [at: number]: number | bigint }
  const read = converter(type, state.type, bytes)
  if (elementCount(dims) === target.values.length) {
    for (let at = 0; at < target.values.length; at++) values[at] = read(at)
    return target
  }
  if (dims.length !== state.dims.length) return null
  const copy = (level: number, from: number, to: number): void => {
    const count = Math.min(dims[level]!, state.dims[level]!)
    const [inner, outer] = [elementCount(dims.slice(level + 1)), elementCount(state.dims.slice(level + 1))]
    for (let at = 0; at < count; at++) {
      if (level === dims.length - 1) values[to + at] = read(from + at)
      else copy(level + 1, from + at * inner, to + at * outer)
    }
  }
  copy(0, 0, 0)
  return target
}

/** Reads an element of a stored tensor as the type of a state. A whole number has no fraction, and 0 for a value that is not finite. */
function converter(from: Stored['type'], to: StateType, bytes: Buffer): (at: number) => number | bigint {
  const long = (at: number) => bytes.readBigInt64LE(at * 8)
  const number = (at: number) => (from === 'float32' ? bytes.readFloatLE(at * 4) : from === 'int64' ? Number(long(at)) : bytes[at]!)
  const whole = (at: number) => (Number.isFinite(number(at)) ? Math.trunc(number(at)) : 0)
  if (to === 'float32') return number
  if (to === 'bool') return (at) => Number(number(at) !== 0)
  if (to === 'int32') return whole
  return from === 'int64' ? long : (at) => BigInt(whole(at))
}
