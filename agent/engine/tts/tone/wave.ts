// The audio of the test voice: a sine per character with a little noise, a pure function of text, seed and length.

export const TONE_SAMPLE_RATE = 16_000
const LOUDNESS = 0.3
const NOISE = 0.02

/** Seeded random numbers in [0, 1) (mulberry32). */
export function seededNoise(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Properties of a reference recording that the test voice imitates. */
export type ReferencePitch = { readonly hz: number; readonly peak: number }

/** Upward zero crossings per second, and the peak. */
export function measurePitch(samples: Float32Array, sampleRate: number): ReferencePitch {
  let [crossings, peak] = [0, 0]
  for (let at = 0; at < samples.length; at++) {
    peak = Math.max(peak, Math.abs(samples[at]!))
    if (at > 0 && samples[at - 1]! < 0 && samples[at]! >= 0) crossings++
  }
  return { hz: (crossings * sampleRate) / Math.max(1, samples.length), peak }
}

const pitchOf = (text: string, index: number): number => 200 + (text.charCodeAt(index) % 64) * 20

/** `length` samples for `text`, in pieces. The piece length does not affect the samples. */
export function* toneWave(
  text: string,
  seed: number,
  length: number,
  pieceLength: number,
  reference: ReferencePitch | null = null,
): Generator<Float32Array> {
  const noise = seededNoise(seed)
  for (let start = 0; start < length; start += pieceLength) {
    const piece = new Float32Array(Math.min(pieceLength, length - start))
    for (let at = 0; at < piece.length; at++) {
      const index = Math.min(text.length - 1, Math.floor(((start + at) * text.length) / length))
      const angle = (2 * Math.PI * (reference?.hz ?? pitchOf(text, index)) * (start + at)) / TONE_SAMPLE_RATE
      piece[at] = (reference?.peak ?? LOUDNESS) * Math.sin(angle) + NOISE * (2 * noise() - 1)
    }
    yield piece
  }
}

/** `count` samples as repetitions of one block, so that generating them costs almost nothing. */
export function* fillerWave(count: number, blockLength: number, seed: number): Generator<Float32Array> {
  const random = seededNoise(seed)
  const block = Float32Array.from({ length: Math.min(count, blockLength) }, () => random() - 0.5)
  for (let left = count; left > 0; left -= block.length) yield left >= block.length ? block : block.subarray(0, left)
}
