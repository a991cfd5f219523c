// Ranges of stored sound as channels of samples.
import { fromS16, toS16 } from '#shared/audio/pcm.ts'
import type { SoundReader } from './blocks.ts'

/** All channels from a position; zeros outside of the sound. */
export async function readChannels(sound: SoundReader, from: number, count: number): Promise<Float32Array[]> {
  const bytes = await sound.read(from, count)
  const samples =
    sound.encoding === 's16' ? fromS16(bytes) : new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
  if (sound.channels === 1) return [samples]
  const [left, right] = [new Float32Array(count), new Float32Array(count)]
  for (let i = 0; i < count; i++) {
    left[i] = samples[2 * i]!
    right[i] = samples[2 * i + 1]!
  }
  return [left, right]
}

/** Two channels of mono or stereo sound. */
export async function readStereo(sound: SoundReader, from: number, count: number): Promise<readonly [Float32Array, Float32Array]> {
  const [left, right = left] = await readChannels(sound, from, count)
  return [left!, right!]
}

/** Two channels as interleaved s16le. */
export function interleaved(left: Float32Array, right: Float32Array): Uint8Array<ArrayBuffer> {
  const samples = new Float32Array(2 * left.length)
  for (let i = 0; i < left.length; i++) {
    samples[2 * i] = left[i]!
    samples[2 * i + 1] = right[i]!
  }
  return toS16(samples)
}
