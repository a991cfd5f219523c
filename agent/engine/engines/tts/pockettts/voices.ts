// The voices that come with a Pocket-TTS: for each one what the speech network remembers after it heard it, so that no recording has to be
// encoded. They lie in a file of their own kind: "PTVB1", a count, and per voice its name and named tensors, all little-endian.
// The sources for the format and for how its tensors become states are scripts/export_voice_bins.py and inference-worker.js of the space
// KevinAHM/pocket-tts-web, as others describe them.

import { longs, type Tensor } from '#agent/engine/runtimes/onnx/session.ts'
import { filledTensor, type Memory } from '#agent/engine/speech/autoregressive/states.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { VoiceState } from './bundle.ts'

const MAGIC = 'PTVB1'
const MOST_VOICES = 256
const MOST_TENSORS = 1_024
const TYPES = [
  { type: 'float32', width: 4 },
  { type: 'int64', width: 8 },
  { type: 'bool', width: 1 },
] as const

type Stored = { readonly type: 'float32' | 'int64' | 'bool'; readonly dims: readonly number[]; readonly bytes: Buffer }
/** Module and key, with a slash between them -> tensor. */
export type StoredVoice = ReadonlyMap<string, Stored>

/** MODEL_NOT_DOWNLOADED when the file is broken. The tensors stay where they are in it. */
export function readVoices(bytes: Buffer, name: string): Map<string, StoredVoice> {
  const broken = (what: string, cause?: unknown) =>
    new Failure('MODEL_NOT_DOWNLOADED', `${name} is not a file of voices (${what}); download the model again`, { cause })
  let at = 0
  const take = (length: number): Buffer => {
    if (length > bytes.length - at) throw broken('it ends early')
    at += length
    return bytes.subarray(at - length, at)
  }
  const byte = () => take(1).readUInt8()
  const short = () => take(2).readUInt16LE()
  const long = () => take(4).readUInt32LE()
  if (bytes.length < MAGIC.length || take(MAGIC.length).toString('latin1') !== MAGIC) throw broken('it begins with something else')
  const count = long()
  if (count > MOST_VOICES) throw broken('it has too many voices')
  const voices = new Map<string, StoredVoice>()
  for (let voice = 0; voice < count; voice++) {
    const id = take(short()).toString()
    const tensors = new Map<string, Stored>()
    const tensorCount = short()
    if (tensorCount > MOST_TENSORS) throw broken('a voice has too many tensors')
    for (let tensor = 0; tensor < tensorCount; tensor++) {
      const key = take(short()).toString()
      const kind = TYPES[byte()]
      if (!kind) throw broken('a tensor is of an unknown type')
      const dims = Array.from({ length: byte() }, long)
      const body = take(long())
      if (body.length !== dims.reduce((product, size) => product * size, kind.width))
        throw broken(`${key.slice(0, 64)} has another size than it says`)
      tensors.set(key, { type: kind.type, dims, bytes: body })
    }
    voices.set(id, tensors)
  }
  return voices
}

/** The memory that the speech network has of a stored voice. What the voice does not say keeps the beginning that the bundle tells. */
export function voiceMemory(voice: StoredVoice, states: readonly VoiceState[]): Memory {
  return Object.fromEntries(
    states.map((state) => {
      const stored = voice.get(`${state.module}/${state.key}`)
      if (stored) return [state.input, fitted(stored, state)]
      return [state.input, state.key === 'step' ? longs([stepOf(voice, state.module)], state.dims) : filledTensor(state)]
    }),
  )
}

/** How many positions a memory has used. */
export function usedLength(memory: Memory, states: readonly VoiceState[]): number {
  const steps = states.filter(({ key }) => key === 'step').map(({ input }) => Number(memory[input]!.values[0] ?? 0))
  return Math.max(0, ...steps)
}

/** Older voices say where they end in other ways. */
function stepOf(voice: StoredVoice, module: string): number {
  const offset = voice.get(`${module}/offset`)
  if (offset && !voice.has(`${module}/end_offset`) && offset.type === 'int64' && offset.bytes.length >= 8)
    return Number(offset.bytes.readBigInt64LE())
  return voice.get(`${module}/current_end`)?.dims[0] ?? 0
}

/** A stored cache ends where the voice ends; the state goes on behind it, so the stored values are the beginning along every dimension. */
function fitted({ type, dims, bytes }: Stored, state: VoiceState): Tensor {
  const target = filledTensor(state)
  const isSame = dims.reduce((product, size) => product * size, 1) === target.values.length
  const fits = type === state.type && (isSame || (dims.length === state.dims.length && dims.every((size, at) => size <= state.dims[at]!)))
  if (!fits)
    throw new Failure('MODEL_NOT_DOWNLOADED', `a voice does not fit this model (${state.module}/${state.key}); download the model again`)
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
