// The four graphs of Supertonic-3 and the arithmetic between them: duration predictor, text encoder, denoising in steps, vocoder.

import { finiteFloats } from '#agent/engine/runtimes/onnx/finite.ts'
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
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'

const TEXT_IDS: ExpectedTensor = { name: 'text_ids', type: 'int64', rank: 2 }
const TEXT_MASK: ExpectedTensor = { name: 'text_mask', type: 'float32', rank: 3 }
const STYLE_TTL: ExpectedTensor = { name: 'style_ttl', type: 'float32', rank: 3 }
const STYLE_DP: ExpectedTensor = { name: 'style_dp', type: 'float32', rank: 3 }
export const SUPERTONIC_CONTRACTS = {
  duration_predictor: {
    inputs: [TEXT_IDS, STYLE_DP, TEXT_MASK],
    outputs: [{ name: 'duration', type: 'float32', rank: 1 }],
  },
  text_encoder: {
    inputs: [TEXT_IDS, STYLE_TTL, TEXT_MASK],
    outputs: [{ name: 'text_emb', type: 'float32', rank: 3 }],
  },
  vector_estimator: {
    inputs: [
      { name: 'noisy_latent', type: 'float32', rank: 3 },
      { name: 'text_emb', type: 'float32', rank: 3 },
      STYLE_TTL,
      { name: 'latent_mask', type: 'float32', rank: 3 },
      TEXT_MASK,
      { name: 'current_step', type: 'float32', rank: 1 },
      { name: 'total_step', type: 'float32', rank: 1 },
    ],
    outputs: [{ name: 'denoised_latent', type: 'float32', rank: 3 }],
  },
  vocoder: {
    inputs: [{ name: 'latent', type: 'float32', rank: 3 }],
    outputs: [{ name: 'wav_tts', type: 'float32', rank: 2 }],
  },
} as const satisfies Record<string, GraphContract>
export type SupertonicGraph = keyof typeof SUPERTONIC_CONTRACTS

/** CPU only: upstream refuses a GPU as untested, and no GPU run with the real weights has been compared with the CPU. */
const DEVICE = 'cpu'

export type SupertonicShape = { readonly rate: number; readonly chunk: number; readonly channels: number }
export type SupertonicStyle = { readonly ttl: Tensor; readonly dp: Tensor }
export type SupertonicRequest = {
  readonly ids: readonly number[]
  readonly style: SupertonicStyle
  readonly speed: number
  readonly steps: number
  readonly random: SeededRandom
  readonly signal: AbortSignal
}
export type Supertonic = {
  readonly device: string
  readonly reason: string
  readonly seconds: (ids: readonly number[], style: SupertonicStyle) => Promise<number>
  readonly speak: (take: SupertonicRequest) => Promise<Float32Array>
  readonly close: () => Promise<void>
}

/** Upper limit for a piece. A longer prediction is an error, and its noise would fill the memory. */
const LONGEST_SECONDS = 120

export async function openSupertonic(
  path: (name: SupertonicGraph) => string,
  shape: SupertonicShape,
  open: GraphFactory,
): Promise<Supertonic> {
  const graphs = new Map<SupertonicGraph, Graph>()
  const close = async () => {
    await Promise.all([...graphs.values()].map((graph) => graph.close()))
  }
  try {
    for (const name of Object.keys(SUPERTONIC_CONTRACTS) as SupertonicGraph[]) {
      graphs.set(name, await open(path(name), { device: DEVICE, contract: SUPERTONIC_CONTRACTS[name] }))
    }
  } catch (error) {
    await close()
    throw error
  }
  const graph = (name: SupertonicGraph) => graphs.get(name)!
  const textOf = (ids: readonly number[]) => ({
    text_ids: longs(ids, [1, ids.length]),
    text_mask: floats(new Float32Array(ids.length).fill(1), [1, 1, ids.length]),
  })

  async function seconds(ids: readonly number[], style: SupertonicStyle): Promise<number> {
    const made = floatOutput(await graph('duration_predictor').run({ ...textOf(ids), style_dp: style.dp }), 'duration')
    const { samples } = await finiteFloats(async () => made, null, 'the duration predictor of supertonic3')
    return Math.min(LONGEST_SECONDS, Math.max(0, samples[0]!))
  }

  async function speak({ ids, style, speed, steps, random, signal }: SupertonicRequest): Promise<Float32Array> {
    const { rate, chunk, channels } = shape
    const length = Math.max(1, Math.floor(((await seconds(ids, style)) / speed) * rate))
    const frames = Math.ceil(length / chunk)
    const text = textOf(ids)
    const encoded = await graph('text_encoder').run({ ...text, style_ttl: style.ttl })
    const fixed = {
      text_emb: encoded['text_emb']!,
      style_ttl: style.ttl,
      text_mask: text.text_mask,
      latent_mask: floats(new Float32Array(frames).fill(1), [1, 1, frames]),
      total_step: floats([steps], [1]),
    }
    const noise = new Float32Array(channels * frames)
    for (let at = 0; at < noise.length; at++) noise[at] = random.gaussian()
    let latent = floats(noise, [1, channels, frames])
    for (let step = 0; step < steps; step++) {
      await nextTurn()
      signal.throwIfAborted()
      const made = await graph('vector_estimator').run({ ...fixed, noisy_latent: latent, current_step: floats([step], [1]) })
      latent = floats(floatOutput(made, 'denoised_latent'), [1, channels, frames])
    }
    const sound = async () => floatOutput(await graph('vocoder').run({ latent }), 'wav_tts')
    const { samples } = await finiteFloats(sound, null, 'supertonic3')
    return samples.subarray(0, length)
  }
  const { device, reason } = graph('vector_estimator')
  return { device, reason, seconds, speak, close }
}
