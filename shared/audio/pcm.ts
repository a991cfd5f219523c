// 16-bit little-endian bytes <-> samples in [-1, 1]. Reading and writing are exact inverses, so audio that nobody changes keeps its bits.

const SCALE = 32768

/** Samples as s16le bytes: rounded, and clamped where they leave [-1, 1]. A sample that is not a number becomes silence. */
export function toS16(samples: Float32Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(samples.length * 2)
  for (let i = 0; i < samples.length; i++) {
    const value = Math.max(-SCALE, Math.min(SCALE - 1, Math.round(samples[i]! * SCALE))) | 0
    bytes[2 * i] = value
    bytes[2 * i + 1] = value >> 8
  }
  return bytes
}

/** s16le bytes as samples; a last odd byte is left out. */
export function fromS16(bytes: Uint8Array): Float32Array {
  const samples = new Float32Array(bytes.length >> 1)
  // The shifts carry bit 15 into the sign.
  for (let i = 0; i < samples.length; i++) samples[i] = (((bytes[2 * i]! | (bytes[2 * i + 1]! << 8)) << 16) >> 16) / SCALE
  return samples
}

/** Reads s16le from pieces that may be cut anywhere, also through the middle of a sample. */
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
