// A recording of any length through a network that reads six seconds: chunk by chunk, each with some of its neighbours around it, cross-faded
// where two of them meet. Nothing is held but one chunk.
import { setImmediate as turn } from 'node:timers/promises'
import { Failure } from '#shared/protocol/failure.ts'
import { isAllFinite } from '../onnx/finite.ts'
import type { MdxModel } from './models.ts'
import { createSpectrum, type Stereo } from './spectrum.ts'

/** The next `count` samples, or fewer at the end; then none. */
export type Source = (count: number) => Stereo
export type Piece = { readonly vocals: Float32Array; readonly rest: Float32Array }
/** The network: [4, bins, frames] in and out. */
export type Network = (values: Float32Array) => Promise<Float32Array>

/** The networks were made to be used without the lowest bins: there is nothing but rumble in them. */
const SILENT_BINS = 3

/** Mono pieces of the voice and of everything else, `total` samples in all. */
export async function* separate(
  source: Source,
  total: number,
  { geometry, compensation }: MdxModel,
  network: Network,
  signal: AbortSignal,
): AsyncGenerator<Piece> {
  const { bins, frames, fftSize } = geometry
  const { length, analyse, synthesise } = createSpectrum(geometry)
  // At its edges a chunk has heard nothing of its neighbours.
  const trim = fftSize / 2
  const useful = length - 2 * trim
  const fade = Math.min(fftSize, useful >> 2)
  const step = useful - fade
  const mix: Stereo = [new Float32Array(length), new Float32Array(length)]
  const fill = (from: number) => {
    const given = source(length - from)
    for (const [at, channel] of mix.entries()) {
      channel.set(given[at]!, from)
      channel.fill(0, from + given[at]!.length)
    }
  }
  let tail: Float32Array | null = null
  fill(trim)
  for (let start = 0; start < total; start += step) {
    await turn()
    signal.throwIfAborted()
    const values = analyse(mix)
    for (let plane = 0; plane < 4; plane++) values.fill(0, plane * bins * frames, (plane * bins + SILENT_BINS) * frames)
    const found = await network(values)
    if (!isAllFinite(found)) throw new Failure('NON_FINITE_OUTPUT', 'the separation network gave numbers that are not finite')
    const heard = mono(synthesise(found), trim, useful, compensation)
    if (tail) for (let i = 0; i < fade; i++) heard[i] = tail[i]! + ((heard[i]! - tail[i]!) * (i + 0.5)) / fade
    const count = start + useful >= total ? total - start : step
    const vocals = heard.slice(0, count)
    const whole = mono(mix, trim, count, 1)
    yield { vocals, rest: whole.map((sample, i) => sample - vocals[i]!) }
    if (count < step || start + useful >= total) return
    tail = heard.slice(step)
    for (const channel of mix) channel.copyWithin(0, step)
    fill(length - step)
  }
}

const mono = ([left, right]: Stereo, from: number, count: number, factor: number): Float32Array =>
  Float32Array.from({ length: count }, (_, i) => ((left[from + i]! + right[from + i]!) / 2) * factor)
