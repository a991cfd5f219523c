// The network of a Piper voice (VITS): ids of a sentence in, samples out. Its noise is an input, so that a seed repeats a take.

import { finiteFloats } from '#agent/engine/runtimes/onnx/finite.ts'
import { NOISE, NOISE_VALUES, withSeededNoise } from '#agent/engine/runtimes/onnx/seeded-noise.ts'
import { floatOutput, floats, type Graph, type GraphContract, type GraphFactory, longs } from '#agent/engine/runtimes/onnx/session.ts'
import type { SeededRandom } from '#agent/engine/seam/random.ts'
import type { PiperConfig } from './config.ts'

const SPEAKER = 'sid'
const SAMPLES = 'output'
/** Contract of the file. */
export const PIPER_CONTRACT: GraphContract = {
  inputs: [
    { name: 'input', type: 'int64', rank: 2 },
    { name: 'input_lengths', type: 'int64', rank: 1 },
    { name: 'scales', type: 'float32', rank: 1 },
    { name: SPEAKER, type: 'int64', rank: 1, optional: true },
  ],
  outputs: [{ name: SAMPLES, type: 'float32', rank: 4 }],
}
const OPENED: GraphContract = {
  ...PIPER_CONTRACT,
  inputs: [...PIPER_CONTRACT.inputs, { name: NOISE, type: 'float32', rank: 1, dims: [NOISE_VALUES], optional: true }],
}
/** The CPU is many times faster than real time. The number of threads changes the last digits of samples, so it is the same on every machine. */
const PLACE = { device: 'cpu', threads: 2 }

export const openPiper = (file: string, open: GraphFactory): Promise<Graph> =>
  open(file, { ...PLACE, contract: OPENED, rewrite: withSeededNoise })

const hasSpeakers = ({ inputs }: Graph): boolean => inputs.some(({ name }) => name === SPEAKER)

const HOP_SAMPLES = 256
/** Measured with en_US-joe-medium: length of a symbol, and the part of a frame by which each is rounded up to whole frames. */
const SYMBOL_SECONDS = 0.0244
const ROUNDED_FRAMES = 0.45

/**
 * The scale of lengths that gives this speed. The network rounds the length of every symbol up, so half of the scale is 1.6 times as fast and not
 * twice. 1 at speed 1. `rate` in Hz.
 */
export function lengthScale(speed: number, rate: number): number {
  const frames = (SYMBOL_SECONDS * rate) / HOP_SAMPLES
  return (frames / speed - ROUNDED_FRAMES) / (frames - ROUNDED_FRAMES)
}

/** `speaker` is ignored by a voice that has one. */
type Sentence = { readonly ids: readonly number[]; readonly speaker: number; readonly speed: number; readonly random: SeededRandom }

/** At the level of the network; piper-tts raises each sentence to a peak of 1. Throws NON_FINITE_OUTPUT. */
export async function speakIds(graph: Graph, { inference, audio }: PiperConfig, sentence: Sentence): Promise<Float32Array> {
  const { ids, speaker, speed, random } = sentence
  const { noise_scale, length_scale, noise_w } = inference
  const feeds = {
    input: longs(ids, [1, ids.length]),
    input_lengths: longs([ids.length], [1]),
    scales: floats([noise_scale, length_scale * lengthScale(speed, audio.sample_rate), noise_w], [3]),
    ...(hasSpeakers(graph) && { [SPEAKER]: longs([speaker], [1]) }),
    ...(graph.inputs.some(({ name }) => name === NOISE) && {
      [NOISE]: floats(Float32Array.from({ length: NOISE_VALUES }, random.gaussian), [NOISE_VALUES]),
    }),
  }
  const { samples } = await finiteFloats(async () => floatOutput(await graph.run(feeds), SAMPLES), null, 'piper')
  return samples
}
