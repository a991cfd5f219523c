// The networks of voices: phonemes in, frames of a spectrum out. Each is opened when it first speaks and kept, since it is small.

import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { isAllFinite } from '#agent/engine/runtimes/onnx/finite.ts'
import { floatOutput, floats, type Graph, type GraphContract, type GraphFactory, longs } from '#agent/engine/runtimes/onnx/session.ts'
import type { SymbolTable } from '#agent/engine/speech/kokoro-symbols.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { BINS, type HeartFrames } from './sound.ts'
import { heartAsset } from './voices.ts'

/** Symbols of one run; the network was trained with fewer than this. */
export const MAX_SYMBOLS = 400
const spectrum = (name: string) => ({ name, type: 'float32', rank: 3, dims: [null, BINS, null] }) as const
export const HEART_CONTRACT: GraphContract = {
  inputs: [
    { name: 'ids', type: 'int64', rank: 2 },
    { name: 'speed', type: 'float32', rank: 1 },
  ],
  outputs: [...['lh', 'theta', 'ln', 'lr', 'phi'].map(spectrum), { name: 'f0', type: 'float32', rank: 2 }],
}
const Vocabulary = z.record(z.string(), z.int())

export async function readHeartTable(): Promise<SymbolTable> {
  const json: unknown = JSON.parse(await readFile(heartAsset('vocab.json'), 'utf8'))
  return Vocabulary.parse(json)
}

/** The CPU alone: its 8-bit weights are slower elsewhere, and one thread computes the same on every machine. */
export const openHeart = (file: string, open: GraphFactory): Promise<Graph> =>
  open(file, { device: 'cpu', threads: 1, contract: HEART_CONTRACT })

/**
 * At a speed. The network rounds every sound to frames, and shortens silence more than speech, so that twice the speed is not half of the length:
 * frames are repeated or left out until it is. `spoken`: samples of the speech between its silent ends. Throws WORKER_FAILED, NON_FINITE_OUTPUT.
 */
export async function spectraAt(
  graph: Graph,
  ids: readonly number[],
  speed: number,
  spoken: (spectra: HeartFrames, speed: number) => number,
): Promise<HeartFrames> {
  const natural = await spectraOf(graph, ids, 1)
  if (speed === 1) return natural
  const changed = await spectraOf(graph, ids, speed)
  const share = spoken(natural, 1) / speed / Math.max(1, spoken(changed, speed))
  return withFrames(changed, Math.max(1, Math.round(changed.frames * share)))
}

/** The same spectra in another number of frames. */
export function withFrames(spectra: HeartFrames, count: number): HeartFrames {
  const { frames } = spectra
  const sources = Int32Array.from({ length: count }, (_, at) => Math.min(frames - 1, Math.floor(((at + 0.5) * frames) / count)))
  const rows = (values: Float32Array): Float32Array => {
    const stretched = new Float32Array((values.length / frames) * count)
    for (let row = 0; row * frames < values.length; row++)
      for (let at = 0; at < count; at++) stretched[row * count + at] = values[row * frames + sources[at]!]!
    return stretched
  }
  return {
    frames: count,
    pitch: rows(spectra.pitch),
    harmonics: rows(spectra.harmonics),
    turns: rows(spectra.turns),
    noise: rows(spectra.noise),
    free: rows(spectra.free),
    phases: rows(spectra.phases),
  }
}

/** Throws WORKER_FAILED, NON_FINITE_OUTPUT. */
export async function spectraOf(graph: Graph, ids: readonly number[], speed: number): Promise<HeartFrames> {
  const padded = [0, ...ids, 0]
  const found = await graph.run({ ids: longs(padded, [1, padded.length]), speed: floats([speed], [1]) })
  const pitch = floatOutput(found, 'f0')
  const values = (name: string) => floatOutput(found, name)
  const frames: HeartFrames = {
    frames: pitch.length,
    pitch,
    harmonics: values('lh'),
    turns: values('theta'),
    noise: values('ln'),
    free: values('lr'),
    phases: values('phi'),
  }
  if (!isAllFinite(pitch)) throw new Failure('NON_FINITE_OUTPUT', 'The network of the voice returned values that are not numbers.')
  if (frames.harmonics.length !== BINS * pitch.length)
    throw new Failure('WORKER_FAILED', 'The network of the voice returned another shape.')
  return frames
}
