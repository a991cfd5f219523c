// The preset voices of Pocket-TTS: the memory of the speech network for each voice, so that no recording has to be encoded. File format:
// "PTVB1", a count, and per voice its name and named tensors, all little-endian.
// Sources for the format and for the conversion to states: scripts/export_voice_bins.py and inference-worker.js of the space
// KevinAHM/pocket-tts-web, as described by others.

import { longs, type Tensor } from '#agent/engine/runtimes/onnx/session.ts'
import { filledTensor, type Memory } from '#agent/engine/speech/autoregressive/states.ts'
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

/** The memory of the speech network for a stored voice. States without a stored tensor get their initial value from the bundle. */
export function voiceMemory(voice: StoredVoice, states: readonly VoiceState[]): Memory {
  return Object.fromEntries(
    states.map((state) => {
      const stored = voice.get(`${state.module}/${state.key}`)
      if (stored) return [state.input, expandToState(stored, state)]
      return [state.input, state.key === 'step' ? longs([stepOf(voice, state.module)], state.dims) : filledTensor(state)]
    }),
  )
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

/** A stored cache ends with the voice, while the state is larger: the stored values are a prefix along every dimension. */
function expandToState({ type, dims, bytes }: Stored, state: VoiceState): Tensor {
  const target = filledTensor(state)
  const isSame = dims.reduce((product, size) => product * size, 1) === target.values.length
  const fits = type === state.type && (isSame || (dims.length === state.dims.length && dims.every((size, at) => size <= state.dims[at]!)))
  if (!fits)
    throw new Failure('MODEL_NOT_DOWNLOADED', `A voice does not fit this model (${state.module}/${state.key}). Download the model again.`)
  const read = (at: number) =>
    type === 'float32' ? bytes.readFloatLE(at * 4) : type === 'int64' ? bytes.readBigInt64LE(at * 8) : bytes[at]!
  const values = target.values as { [at: number]: number | bigint }
  const copy = (level: number, from: number, to: number): void => {
    const [count, wide] = [dims[level] ?? 1, state.dims[level] ?? 1]
    const isLast = level >= dims.length - 1
    const [inner, outer] = [sizeAfter(dims, level), sizeAfter(state.dims, level)]
    for (let at = 0; at < Math.min(count, wide); at++) {
      if (isLast) values[to + at] = read(from + at)
      else copy(level + 1, from + at * inner, to + at * outer)
    }
  }
  if (isSame) for (let at = 0; at < target.values.length; at++) values[at] = read(at)
  else copy(0, 0, 0)
  return target
}
const sizeAfter = (dims: readonly number[], level: number) => dims.slice(level + 1).reduce((product, size) => product * size, 1)
