// A recording of any length through a network that hears a few seconds at once: window by window, each sharing some of its sound with the one
// before, cross-faded where two of them meet. Nothing is held but one window.
import { setImmediate as turn } from 'node:timers/promises'
import { isAllFinite } from '#agent/engine/runtimes/onnx/finite.ts'
import { Failure } from '#shared/protocol/failure.ts'

export type Stereo = readonly [left: Float32Array, right: Float32Array]
/** The next `count` samples, or fewer at the end; then none. */
export type StereoSource = (count: number) => Stereo
export type SeparatedPiece = { readonly vocals: Float32Array; readonly rest: Float32Array }

export type Separator = {
  /** Samples of a window. */
  readonly length: number
  /** So many at each end of a window are given to the network and not used of what it gives. */
  readonly trim: number
  /** So many are made by two windows, from the one to the other in a straight line. */
  readonly fade: number
  /** The voice in a window, in mono and as long as that. */
  readonly voiceIn: (mix: Stereo) => Promise<Float32Array>
}

/** Mono pieces of the voice and of everything else, `total` samples in all. The end of a recording is heard as if silence followed. */
export async function* separateWindows(
  source: StereoSource,
  total: number,
  separator: Separator,
  signal: AbortSignal,
): AsyncGenerator<SeparatedPiece> {
  const { length, trim, fade, voiceIn } = separator
  const useful = length - 2 * trim
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
    const heard = (await voiceIn(mix)).slice(trim, trim + useful)
    if (!isAllFinite(heard)) throw new Failure('NON_FINITE_OUTPUT', 'the separation network gave numbers that are not finite')
    if (tail) for (let i = 0; i < fade; i++) heard[i] = tail[i]! + ((heard[i]! - tail[i]!) * (i + 0.5)) / fade
    const isLast = start + useful >= total
    const vocals = heard.slice(0, isLast ? total - start : step)
    const [left, right] = mix
    const rest = new Float32Array(vocals.length)
    for (let i = 0; i < rest.length; i++) rest[i] = (left[trim + i]! + right[trim + i]!) / 2 - vocals[i]!
    yield { vocals, rest }
    if (isLast) return
    tail = heard.slice(step)
    for (const channel of mix) channel.copyWithin(0, step)
    fill(length - step)
  }
}

/** What is heard of two channels from one loudspeaker. */
export function toMono([left, right]: Stereo): Float32Array {
  const made = new Float32Array(left.length)
  for (let i = 0; i < made.length; i++) made[i] = (left[i]! + right[i]!) / 2
  return made
}
