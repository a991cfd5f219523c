// Faster and slower speech at the same pitch, and speech of an exact length.
import { createShared } from '../shared-instance.ts'

export const SLOWEST_TEMPO = 0.5
export const FASTEST_TEMPO = 3
/** Below this difference, the words are as well said at their own speed. */
const MIN_CHANGE = 1e-4
const FADE_SECONDS = 0.03
/** A cut moves into a pause that begins at most this long before it. */
const PAUSE_SEARCH_SECONDS = 0.15
const PAUSE_FRAME_SECONDS = 0.01
const PAUSE_LEVEL = 10 ** (-45 / 20)

const MAX_KEPT_BYTES = 32 * 2 ** 20
/** One instance for a thread: each takes 8 ms to make and 16 MiB, for which V8 collects the whole heap. A call leaves nothing there. */
const sonicOfThread = createShared(async () => (await import('@echogarden/sonic-wasm')).default())

/**
 * Mono samples in 1 / `tempo` of their time. The length differs from that by up to 15 ms. 1 returns the argument. Throws RangeError for a tempo
 * outside SLOWEST_TEMPO to FASTEST_TEMPO.
 */
export async function changeTempo(samples: Float32Array, sampleRate: number, tempo: number): Promise<Float32Array> {
  if (!(tempo >= SLOWEST_TEMPO && tempo <= FASTEST_TEMPO)) throw new RangeError(`a tempo of ${tempo} is not supported`)
  if (Math.abs(tempo - 1) < MIN_CHANGE || samples.length === 0) return samples
  const sonic = await sonicOfThread()
  // The result is written over the input; the library may add some periods of the voice.
  const room = Math.ceil(samples.length * Math.max(1, 1 / tempo)) + sampleRate
  const at = sonic._malloc(room * 4)
  try {
    // The memory may have grown, so the view is read each time.
    sonic.HEAPF32.set(samples, at >> 2)
    const count = sonic._sonicChangeFloatSpeed(at, samples.length, tempo, 1, 1, 1, 0, sampleRate, 1)
    return sonic.HEAPF32.slice(at >> 2, (at >> 2) + Math.min(count, room))
  } finally {
    sonic._free(at)
    // Memory never becomes smaller, and a line of minutes is rare.
    if (sonic.HEAPF32.byteLength > MAX_KEPT_BYTES) sonicOfThread.drop()
  }
}

/**
 * Exactly `length` samples: with silence at the end, or cut with a fade of 30 ms, in a pause when one lies within 150 ms before the cut. `cut`: samples
 * of sound that were removed.
 */
export function fitLength(
  samples: Float32Array,
  length: number,
  sampleRate: number,
): { readonly samples: Float32Array; readonly cut: number } {
  const out = new Float32Array(length)
  if (samples.length <= length) {
    out.set(samples)
    return { samples: out, cut: 0 }
  }
  const end = cutBefore(samples, length, sampleRate)
  out.set(samples.subarray(0, end))
  const fade = Math.min(end, Math.round(FADE_SECONDS * sampleRate))
  for (let i = 0; i < fade; i++) out[end - fade + i]! *= 0.5 * (1 + Math.cos((Math.PI * (i + 0.5)) / fade))
  return { samples: out, cut: samples.length - end }
}

/** The end of the last pause before `length`, or `length`. */
function cutBefore(samples: Float32Array, length: number, sampleRate: number): number {
  const frame = Math.max(1, Math.round(PAUSE_FRAME_SECONDS * sampleRate))
  const earliest = Math.max(frame, length - Math.round(PAUSE_SEARCH_SECONDS * sampleRate))
  const limit = PAUSE_LEVEL * PAUSE_LEVEL * frame
  for (let end = length; end >= earliest; end -= frame) {
    let energy = 0
    for (let i = end - frame; i < end; i++) energy += samples[i]! * samples[i]!
    if (energy < limit) return end
  }
  return length
}
