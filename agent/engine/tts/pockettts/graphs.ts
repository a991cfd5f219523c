// The five graphs of Pocket-TTS and the loop between them: the speech network reads the voice and the text once, then each step gives a
// condition for the next 80 ms, the flow network turns noise into a latent in one or more steps, and the codec decodes latents to samples.
// Sources disagree on the names of single outputs, so those are read by position.

import { isAllFinite } from '#agent/engine/runtimes/onnx/finite.ts'
import {
  type ExpectedTensor,
  floatOutput,
  floats,
  type Graph,
  type GraphContract,
  type GraphFactory,
  longs,
  type Tensor,
} from '#agent/engine/runtimes/onnx/session.ts'
import type { SeededRandom } from '#agent/engine/seam/random.ts'
import { batches } from '#agent/engine/speech/autoregressive/batches.ts'
import { expectedInputs, expectedOutputs, initialMemory, type Memory, nextMemory } from '#agent/engine/speech/autoregressive/states.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'
import type { Bundle } from './bundle.ts'
import { usedLength } from './voices.ts'

export type PocketRequest = {
  readonly voice: Memory
  readonly ids: readonly number[]
  readonly tail: number
  /** Number of flow steps from noise to a latent. */
  readonly steps: number
  /** The variance of the noise. */
  readonly temperature: number
  readonly random: SeededRandom
  readonly signal: AbortSignal
  /** Called when the model did not end within the limit. */
  readonly onCut: () => void
}
export type Pocket = {
  readonly device: string
  readonly reason: string
  readonly speak: (request: PocketRequest) => AsyncGenerator<Float32Array>
  /** The memory of the speech network for a voice. `samples`: mono at the rate of the model. */
  readonly encode: (samples: Float32Array, bos: Float32Array | null) => Promise<Memory>
  readonly close: () => Promise<void>
}
export type PocketGraph = 'text_conditioner' | 'flow_lm_main' | 'flow_lm_flow' | 'mimi_decoder' | 'mimi_encoder'

/** A larger logit means that the model ends the speech. */
const END_LOGIT = -4
/** Before speech starts, the logit of some voices passes the limit; a short text would then end before its word. */
const FRAMES_WITHOUT_END = 6
/** Milliseconds at the start of a piece that are faded in: a fresh codec starts with a small step, which is heard as a click. */
const FADE_IN_MS = 5
/** Limits the length of a piece: its tokens at a slow pace plus a margin. */
const TOKENS_PER_SECOND = 3
const SPARE_SECONDS = 2

const float = (name: string, rank: number, dims?: readonly (number | null)[]): ExpectedTensor => ({
  name,
  type: 'float32',
  rank,
  ...(dims && { dims }),
})

export function pocketContracts({ latent_dim, conditioning_dim, speechStates, codecStates }: Bundle): Record<PocketGraph, GraphContract> {
  return {
    text_conditioner: { inputs: [{ name: 'token_ids', type: 'int64', rank: 2 }], outputs: [] },
    flow_lm_main: {
      inputs: [
        float('sequence', 3, [null, null, latent_dim]),
        float('text_embeddings', 3, [null, null, conditioning_dim]),
        ...expectedInputs(speechStates),
      ],
      outputs: [float('conditioning', 2), float('eos_logit', 2), ...expectedOutputs(speechStates)],
    },
    flow_lm_flow: { inputs: [float('c', 2), float('s', 2), float('t', 2), float('x', 2, [null, latent_dim])], outputs: [] },
    mimi_decoder: {
      inputs: [float('latent', 3, [null, null, latent_dim]), ...expectedInputs(codecStates)],
      outputs: expectedOutputs(codecStates),
    },
    mimi_encoder: { inputs: [float('audio', 3)], outputs: [] },
  }
}

export async function openPocket(bundle: Bundle, path: (role: PocketGraph) => string, open: GraphFactory): Promise<Pocket> {
  const { latent_dim: width, conditioning_dim, speechStates, codecStates } = bundle
  const contracts = pocketContracts(bundle)
  const graphs = new Map<PocketGraph, Graph>()
  let encoder: Promise<Graph> | null = null
  const close = async () => {
    for (const graph of graphs.values()) await graph.close()
    await encoder?.then((graph) => graph.close()).catch(() => {})
  }
  // Steps are too small to benefit from a GPU.
  const openRole = (role: PocketGraph) => open(path(role), { device: 'cpu', contract: contracts[role] })
  try {
    for (const role of ['text_conditioner', 'flow_lm_main', 'flow_lm_flow', 'mimi_decoder'] as const) graphs.set(role, await openRole(role))
  } catch (error) {
    await close()
    throw error
  }
  const graph = (role: PocketGraph) => graphs.get(role)!
  const main = graph('flow_lm_main')
  const noFrames = floats(new Float32Array(0), [1, 0, width])
  const noText = floats(new Float32Array(0), [1, 0, conditioning_dim])
  const start = floats(new Float32Array(width).fill(Number.NaN), [1, 1, width])
  const stateNames = speechStates.map(({ output }) => output)

  /** Reshapes to [1, n, conditioning_dim], because the rank differs between exports. */
  const embedded = (values: Float32Array, what: string): Tensor => {
    const rows = values.length / conditioning_dim
    if (!Number.isInteger(rows) || !isAllFinite(values))
      throw new Failure('NON_FINITE_OUTPUT', `The ${what} returned rows that are not ${conditioning_dim} wide.`)
    return floats(values, [1, rows, conditioning_dim])
  }
  const read = async (memory: Memory, text: Tensor): Promise<Memory> =>
    nextMemory(speechStates, await main.run({ sequence: noFrames, text_embeddings: text, ...memory }, stateNames))

  async function latentOf(conditioning: Tensor, { steps, temperature, random }: PocketRequest): Promise<Float32Array> {
    const x = new Float32Array(width)
    for (let at = 0; at < width; at++) x[at] = random.gaussian() * Math.sqrt(temperature)
    for (let step = 0; step < steps; step++) {
      const [s, t] = [floats([step / steps], [1, 1]), floats([(step + 1) / steps], [1, 1])]
      const direction = await only(graph('flow_lm_flow'), { c: conditioning, s, t, x: floats(x, [1, width]) })
      if (direction.length !== width) throw new Failure('WORKER_FAILED', 'The flow network returned a direction of another size.')
      for (let at = 0; at < width; at++) x[at]! += direction[at]! / steps
    }
    if (!isAllFinite(x)) throw new Failure('NON_FINITE_OUTPUT', 'The flow network returned values that are not numbers.')
    return x
  }

  async function* frames(request: PocketRequest): AsyncGenerator<Float32Array> {
    const { voice, ids, tail, signal, onCut } = request
    const text = embedded(await only(graph('text_conditioner'), { token_ids: longs(ids, [1, ids.length]) }), 'text conditioner')
    const room = bundle.capacity - usedLength(voice, speechStates) - ids.length
    const maxFrames = Math.min(room, Math.ceil((ids.length / TOKENS_PER_SECOND + SPARE_SECONDS) * bundle.frame_rate))
    if (maxFrames < 1) throw new Failure('INVALID_TASK_PARAMS', 'reference: It leaves no room for the text. Use a shorter recording.')
    let memory = await read(voice, text)
    let sequence = start
    let end: number | null = null
    for (let at = 0; at < maxFrames; at++) {
      await nextTurn()
      signal.throwIfAborted()
      const made = await main.run({ sequence, text_embeddings: noText, ...memory })
      memory = nextMemory(speechStates, made)
      const logit = floatOutput(made, 'eos_logit')[0]!
      if (Number.isNaN(logit)) throw new Failure('NON_FINITE_OUTPUT', 'The speech network returned values that are not numbers.')
      if (end === null && logit > END_LOGIT && at >= FRAMES_WITHOUT_END) end = at
      if (end !== null && at >= end + tail) return
      const latent = await latentOf(made['conditioning']!, request)
      yield latent
      sequence = floats(latent, [1, 1, width])
    }
    if (end === null) onCut()
  }

  async function* speak(request: PocketRequest): AsyncGenerator<Float32Array> {
    let memory = initialMemory(codecStates)
    const decoder = graph('mimi_decoder')
    const sound = decoder.outputs[0]!.name
    const outputNames = [sound, ...codecStates.map(({ output }) => output)]
    const decode = async (latents: readonly Float32Array[]): Promise<Float32Array> => {
      const values = new Float32Array(latents.length * width)
      for (const [at, latent] of latents.entries()) values.set(latent, at * width)
      const made = await decoder.run({ latent: floats(values, [1, latents.length, width]), ...memory }, outputNames)
      memory = nextMemory(codecStates, made)
      const samples = floatOutput(made, sound)
      if (samples.length !== latents.length * bundle.samples_per_frame)
        throw new Failure('WORKER_FAILED', `The codec returned ${samples.length} samples for ${latents.length} frames.`)
      if (!isAllFinite(samples)) throw new Failure('NON_FINITE_OUTPUT', 'The codec returned samples that are not finite.')
      return samples
    }
    const waiting = batches<Float32Array>()
    let isFirst = true
    for await (const latent of frames(request)) {
      const full = waiting.add(latent)
      if (!full) continue
      yield isFirst ? fadedIn(await decode(full), bundle.sample_rate) : await decode(full)
      isFirst = false
    }
    const rest = waiting.rest()
    if (rest.length > 0) yield await decode(rest)
  }

  async function encode(samples: Float32Array, bos: Float32Array | null): Promise<Memory> {
    encoder ??= openRole('mimi_encoder').catch((error) => {
      encoder = null
      throw error
    })
    const encoded = await only(await encoder, { audio: floats(samples, [1, 1, samples.length]) })
    if (encoded.length === 0) throw new Failure('INVALID_TASK_PARAMS', 'reference: The recording is too short.')
    const all = new Float32Array((bos?.length ?? 0) + encoded.length)
    if (bos) all.set(bos)
    all.set(encoded, bos?.length ?? 0)
    const voice = embedded(all, 'encoder')
    // The network has a fixed number of positions and fails beyond them.
    if (voice.dims[1]! >= bundle.capacity)
      throw new Failure('INVALID_TASK_PARAMS', 'reference: It leaves no room for the text. Use a shorter recording.')
    return await read(initialMemory(speechStates), voice)
  }
  const { device, reason } = main
  return { device, reason, speak, encode, close }
}

function fadedIn(samples: Float32Array, rate: number): Float32Array {
  const fade = Math.floor((FADE_IN_MS * rate) / 1000)
  return samples.map((sample, at) => (at < fade ? (sample * at) / (fade - 1) : sample))
}

/** The first output of a graph. */
async function only(graph: Graph, fed: Readonly<Record<string, Tensor>>): Promise<Float32Array> {
  const name = graph.outputs[0]?.name ?? ''
  return floatOutput(await graph.run(fed, [name]), name)
}
