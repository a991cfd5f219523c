// 16-bit little-endian bytes <-> samples in [-1, 1]. Reading and writing are exact inverses, so unchanged audio keeps its bits.

export const S16_SCALE = 32768

/** A sample as a 16-bit integer: rounded, and clamped to [-1, 1]. NaN becomes 0. Three times as fast as `Math.round`, with the same results. */
export const s16Of = (sample: number): number => {
  const value = sample * S16_SCALE
  if (value >= S16_SCALE - 1) return S16_SCALE - 1
  // Above zero, cutting off the rest is rounding down.
  if (value > -S16_SCALE) return ((value + S16_SCALE + 0.5) | 0) - S16_SCALE
  return value <= -S16_SCALE ? -S16_SCALE : 0
}

/** Samples as s16le bytes: rounded, and clamped to [-1, 1]. NaN becomes silence. */
export function toS16(samples: Float32Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(samples.length * 2)
  for (let i = 0; i < samples.length; i++) {
    const value = s16Of(samples[i]!)
    bytes[2 * i] = value
    bytes[2 * i + 1] = value >> 8
  }
  return bytes
}

/** s16le bytes as samples; ignores a trailing odd byte. */
export function fromS16(bytes: Uint8Array): Float32Array {
  const samples = new Float32Array(bytes.length >> 1)
  // The shifts extend bit 15 into the sign.
  for (let i = 0; i < samples.length; i++) samples[i] = (((bytes[2 * i]! | (bytes[2 * i + 1]! << 8)) << 16) >> 16) / S16_SCALE
  return samples
}

/**
 * s16le bytes as integers, in place: they share the memory of `bytes`, except at an odd address. Ignores a trailing odd byte. Without a copy of
 * floats, which takes twice the memory of the bytes.
 */
export function s16In(bytes: Uint8Array): Int16Array {
  const aligned = bytes.byteOffset % 2 === 0 ? bytes : bytes.slice()
  return new Int16Array(aligned.buffer, aligned.byteOffset, bytes.length >> 1)
}

/** Reads s16le from chunks with any boundaries, also within a sample. */
export function createS16Reader(): { push: (bytes: Uint8Array) => Float32Array } {
  let odd = -1
  return {
    push(bytes) {
      let whole = bytes
      if (odd >= 0 && bytes.length > 0) {
        whole = new Uint8Array(bytes.length + 1)
        whole[0] = odd
        whole.set(bytes, 1)
        odd = -1
      }
      if (whole.length % 2) odd = whole.at(-1)!
      return fromS16(whole)
    },
  }
}
