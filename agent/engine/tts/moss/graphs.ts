// The five graphs of MOSS-TTS-Nano and the loop between them: the prompt is read once, then each step samples the codes of one frame within
// the graph from our random numbers and feeds them back.

import { isAllFinite } from '#agent/engine/runtimes/onnx/finite.ts'
import {
  type ExpectedTensor,
  floatOutput,
  floats,
  type Graph,
  type GraphContract,
  type GraphFactory,
  ints,
  type Tensor,
} from '#agent/engine/runtimes/onnx/session.ts'
import { devicesOf } from '#agent/engine/seam/devices.ts'
import type { SeededRandom } from '#agent/engine/seam/random.ts'
import { batches } from '#agent/engine/speech/autoregressive/batches.ts'
import { expectedInputs, expectedOutputs, initialMemory, type Memory, nextMemory } from '#agent/engine/speech/autoregressive/states.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'
import type { AudioCodes, MossPlan } from './manifest.ts'
import { toMossPrompt, toPromptRow } from './prompt.ts'

export type MossRequest = {
  readonly voice: AudioCodes
  readonly textIds: readonly number[]
  readonly random: SeededRandom
  readonly signal: AbortSignal
  /** Called when the model did not end within the limit. */
  readonly onCut: () => void
}
export type Moss = {
  readonly device: string
  readonly reason: string
  /** Streams mono samples. */
  readonly speak: (request: MossRequest) => AsyncGenerator<Float32Array>
  /** The codes of a voice. `samples`: mono at the rate of the model. */
  readonly encode: (samples: Float32Array) => Promise<AudioCodes>
  readonly close: () => Promise<void>
}

/** The largest single float below 1: a draw of 1 would be beyond the last class. */
const BELOW_ONE = 1 - 2 ** -24
const float = (name: string, rank: number, dims?: readonly (number | null)[]): ExpectedTensor => ({
  name,
  type: 'float32',
  rank,
  ...(dims && { dims }),
})
const whole = (name: string, rank: number, dims?: readonly (number | null)[]): ExpectedTensor => ({
  name,
  type: 'int32',
  rank,
  ...(dims && { dims }),
})

export function mossContracts({
  books,
  classes,
  hidden,
  channels,
  pasts,
  codecStates,
}: MossPlan): Record<keyof MossPlan['files'], GraphContract> {
  const rows = whole('input_ids', 3, [null, null, books + 1])
  const global = float('global_hidden', 3, [null, null, hidden])
  const presents = pasts.map(({ output }) => float(output, 4))
  return {
    prefill: { inputs: [rows, whole('attention_mask', 2)], outputs: [global, ...presents] },
    step: { inputs: [rows, whole('past_valid_lengths', 1), ...pasts.map(({ input }) => float(input, 4))], outputs: [global, ...presents] },
    frame: {
      inputs: [
        float('global_hidden', 2, [null, hidden]),
        whole('repetition_seen_mask', 3, [null, books, classes]),
        float('assistant_random_u', 1),
        float('audio_random_u', 2, [null, books]),
      ],
      outputs: [whole('should_continue', 2), whole('frame_token_ids', 2)],
    },
    encode: {
      inputs: [float('waveform', 3, [null, channels, null]), whole('input_lengths', 1)],
      outputs: [whole('audio_codes', 3), whole('audio_code_lengths', 1)],
    },
    decode: {
      inputs: [whole('audio_codes', 3, [null, null, books]), whole('audio_code_lengths', 1), ...expectedInputs(codecStates)],
      outputs: [float('audio', 3, [null, channels, null]), whole('audio_lengths', 1), ...expectedOutputs(codecStates)],
    },
  }
}

/** The language model runs on the best device; the codec is small and runs on the CPU. */
const MODEL_DEVICES = devicesOf('moss-tts-nano')
const DEVICES = { prefill: MODEL_DEVICES, step: MODEL_DEVICES, frame: MODEL_DEVICES, decode: 'cpu' } as const

export async function openMoss(plan: MossPlan, path: (name: string) => string, open: GraphFactory): Promise<Moss> {
  const contracts = mossContracts(plan)
  const graphs = new Map<string, Graph>()
  // The encoder is opened only for the first reference voice.
  let encoder: Promise<Graph> | null = null
  const close = async () => {
    for (const graph of graphs.values()) await graph.close()
    await encoder?.then((graph) => graph.close()).catch(() => {})
  }
  try {
    for (const [role, device] of Object.entries(DEVICES) as [keyof typeof DEVICES, string][]) {
      graphs.set(role, await open(path(plan.files[role]), { device, contract: contracts[role] }))
    }
  } catch (error) {
    await close()
    throw error
  }
  const [prefill, step, frame, decoder] = ['prefill', 'step', 'frame', 'decode'].map((role) => graphs.get(role)!) as [
    Graph,
    Graph,
    Graph,
    Graph,
  ]

  async function* frames({ voice, textIds, random, signal, onCut }: MossRequest): AsyncGenerator<Int32Array> {
    const prompt = toMossPrompt(plan, voice, textIds)
    let length = prompt.dims[1]!
    let outputs = await prefill.run({ input_ids: prompt, attention_mask: ints(new Int32Array(length).fill(1), [1, length]) })
    const usedCodes = new Int32Array(plan.books * plan.classes)
    const draws = new Float32Array(plan.books)
    for (let at = 0; at < plan.mostFrames; at++) {
      await nextTurn()
      signal.throwIfAborted()
      const first = Math.min(BELOW_ONE, random.unit())
      for (let book = 0; book < plan.books; book++) draws[book] = Math.min(BELOW_ONE, random.unit())
      const drawn = await frame.run({
        global_hidden: lastRow(outputs, plan.hidden),
        repetition_seen_mask: { type: 'int32', dims: [1, plan.books, plan.classes], values: usedCodes },
        assistant_random_u: floats([first], [1]),
        audio_random_u: floats(draws, [1, plan.books]),
      })
      if (integerOutput(drawn, 'should_continue', 1)[0]! <= 0) return
      const codes = integerOutput(drawn, 'frame_token_ids', plan.books)
      for (const [book, code] of codes.entries()) {
        if (!(code >= 0 && code < plan.classes)) throw new Failure('WORKER_FAILED', 'The model returned a code outside its range.')
        usedCodes[book * plan.classes + code] = 1
      }
      yield codes
      if (at + 1 === plan.mostFrames) break
      outputs = await step.run({
        input_ids: toPromptRow(plan, codes, plan.books),
        past_valid_lengths: ints([length], [1]),
        ...nextMemory(plan.pasts, outputs),
      })
      length++
    }
    onCut()
  }

  async function* speak(request: MossRequest): AsyncGenerator<Float32Array> {
    let memory = initialMemory(plan.codecStates)
    const decode = async (rows: readonly Int32Array[]): Promise<Float32Array> => {
      const [samples, next] = await decoded(rows, memory)
      memory = next
      return samples
    }
    const waiting = batches<Int32Array>()
    for await (const codes of frames(request)) {
      const full = waiting.add(codes)
      if (full) yield await decode(full)
    }
    const rest = waiting.rest()
    if (rest.length > 0) yield await decode(rest)
  }

  async function decoded(rows: readonly Int32Array[], memory: Memory): Promise<[Float32Array, Memory]> {
    const values = new Int32Array(rows.length * plan.books)
    for (const [at, codes] of rows.entries()) values.set(codes, at * plan.books)
    const outputs = await decoder.run({
      audio_codes: { type: 'int32', dims: [1, rows.length, plan.books], values },
      audio_code_lengths: ints([rows.length], [1]),
      ...memory,
    })
    const samples = mixed(floatOutput(outputs, 'audio'), plan.channels, integerOutput(outputs, 'audio_lengths', 1)[0]!)
    if (!isAllFinite(samples)) throw new Failure('NON_FINITE_OUTPUT', 'The codec returned samples that are not finite.')
    return [samples, nextMemory(plan.codecStates, outputs)]
  }

  async function encode(samples: Float32Array): Promise<AudioCodes> {
    encoder ??= open(path(plan.files.encode), { device: 'cpu', contract: contracts.encode }).catch((error) => {
      encoder = null
      throw error
    })
    const wave = new Float32Array(samples.length * plan.channels)
    for (let channel = 0; channel < plan.channels; channel++) wave.set(samples, channel * samples.length)
    const outputs = await (await encoder).run({
      waveform: { type: 'float32', dims: [1, plan.channels, samples.length], values: wave },
      input_lengths: ints([samples.length], [1]),
    })
    const [, , width = 0] = outputs['audio_codes']!.dims
    const count = integerOutput(outputs, 'audio_code_lengths', 1)[0]!
    const codes = integerOutput(outputs, 'audio_codes', count * width)
    if (count < 1) throw new Failure('INVALID_TASK_PARAMS', 'reference: The recording is too short.')
    if (width < plan.books || codes.some((code) => !(code >= 0 && code < plan.classes)))
      throw new Failure('WORKER_FAILED', 'The encoder returned codes outside its range.')
    return Array.from({ length: count }, (_, at) => [...codes.subarray(at * width, at * width + plan.books)])
  }
  const { device, reason } = step
  return { device, reason, speak, encode, close }
}

/** At least `count` integers of an output. Throws WORKER_FAILED. */
function integerOutput(outputs: Readonly<Record<string, Tensor>>, name: string, count: number): Int32Array {
  const values = outputs[name]?.values
  if (values instanceof Int32Array && values.length >= count) return values
  throw new Failure('WORKER_FAILED', `The graph returned too few numbers named ${name}.`)
}

function lastRow(outputs: Readonly<Record<string, Tensor>>, hidden: number): Tensor {
  const values = floatOutput(outputs, 'global_hidden')
  const row = values.subarray(values.length - hidden)
  if (row.length !== hidden || !isAllFinite(row)) throw new Failure('NON_FINITE_OUTPUT', 'The model returned values that are not numbers.')
  return floats(row, [1, hidden])
}

/** Mixes `channels` consecutive channels to mono. */
function mixed(audio: Float32Array, channels: number, length: number): Float32Array {
  const each = Math.floor(audio.length / channels)
  if (!(length >= 0 && length <= each)) throw new Failure('WORKER_FAILED', 'The codec returned fewer samples than it announced.')
  const mono = new Float32Array(length)
  for (let channel = 0; channel < channels; channel++) {
    for (let at = 0; at < length; at++) mono[at]! += audio[channel * each + at]! / channels
  }
  return mono
}
