// Runs a network with a window of a few seconds over a recording of any length. Windows overlap and are cross-faded; only one window is in
// memory.

import { isAllFinite } from '#agent/engine/runtimes/onnx/finite.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'

export type Stereo = readonly [left: Float32Array, right: Float32Array]
/** Returns the next `count` samples, fewer at the end, then none. */
export type StereoSource = (count: number) => Stereo
export type SeparatedPiece = { readonly vocals: Float32Array; readonly rest: Float32Array }
/** Shape of one window. */
type Windows = Pick<MonoSeparator, 'length' | 'trim' | 'fade' | 'centresLast'>

export type MonoSeparator = {
  /** Samples of a window. */
  readonly length: number
  /** Samples at each end of a window whose output is not used. */
  readonly trim: number
  /** Samples that two windows share, cross-faded linearly with the weights of Demucs: k / (fade + 1) for the k-th of them. */
  readonly fade: number
  /**
   * True if the last window has the end of the recording in its middle, with sound that was used before on its left, as Demucs has it; else the
   * end of the recording is at its start. What the recording does not fill is silence.
   */
  readonly centresLast: boolean
  /** The voice in a window, mono and of the same length. */
  readonly voiceIn: (mix: Stereo) => Promise<Float32Array>
}
export type Separator = MonoSeparator & {
  /** Same as `voiceIn` with both channels. */
  readonly voicesIn: (mix: Stereo) => Promise<Stereo>
}

/** Mono pieces of the voice and of the rest, `total` samples in all. */
export async function* separateWindows(
  source: StereoSource,
  total: number,
  separator: MonoSeparator,
  signal: AbortSignal,
): AsyncGenerator<SeparatedPiece> {
  const voices = async (mix: Stereo) => [await separator.voiceIn(mix)]
  for await (const { pieces, mix } of windows(source, total, separator, voices, signal)) {
    const vocals = pieces[0]!
    yield { vocals, rest: toMono(mix).map((sample, at) => sample - vocals[at]!) }
  }
}

/** Pieces of both channels of the voice, `total` samples in all. */
export async function* separateStereo(
  source: StereoSource,
  total: number,
  separator: Separator,
  signal: AbortSignal,
): AsyncGenerator<Stereo> {
  for await (const { pieces } of windows(source, total, separator, separator.voicesIn, signal)) yield [pieces[0]!, pieces[1]!]
}

/** Pieces of what `voices` returns for each window, cross-faded, and the part of the recording that they belong to. */
async function* windows(
  source: StereoSource,
  total: number,
  { length, trim, fade, centresLast }: Windows,
  voices: (mix: Stereo) => Promise<readonly Float32Array[]>,
  signal: AbortSignal,
): AsyncGenerator<{ readonly pieces: readonly Float32Array[]; readonly mix: Stereo }> {
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
  /** Samples of a window before the part that is new; only the last window has some. */
  const leadAt = (start: number): number => (centresLast ? Math.floor(Math.max(0, useful - (total - start)) / 2) : 0)
  let tails: readonly Float32Array[] | null = null
  let lead = leadAt(0)
  fill(trim + lead)
  for (let start = 0; start < total; start += step) {
    await nextTurn()
    signal.throwIfAborted()
    const from = trim + lead
    const found = (await voices(mix)).map((voice) => voice.slice(from, trim + useful))
    if (!found.every(isAllFinite)) throw new Failure('NON_FINITE_OUTPUT', 'The separation network returned values that are not finite.')
    for (const [at, tail] of (tails ?? []).entries()) crossFade(tail, found[at]!, fade)
    const isLast = start + useful >= total
    const count = isLast ? total - start : step
    const part: Stereo = [mix[0].subarray(from, from + count), mix[1].subarray(from, from + count)]
    yield { pieces: found.map((voice) => voice.slice(0, count)), mix: part }
    if (isLast) return
    tails = found.map((voice) => voice.slice(step))
    lead = leadAt(start + step)
    for (const channel of mix) channel.copyWithin(0, step - lead)
    fill(length - step + lead)
  }
}

function crossFade(tail: Float32Array, voice: Float32Array, fade: number): void {
  for (let i = 0; i < fade; i++) voice[i] = tail[i]! + ((voice[i]! - tail[i]!) * (i + 1)) / (fade + 1)
}

/** The mean of both channels. */
export function toMono([left, right]: Stereo): Float32Array {
  const mono = new Float32Array(left.length)
  for (let i = 0; i < mono.length; i++) mono[i] = (left[i]! + right[i]!) / 2
  return mono
}
