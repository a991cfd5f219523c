// Ranges of stored sound as channels of samples. Typed arrays read and write them in the order of bytes of the processor, which is little-endian.
import { fromS16, S16_SCALE, s16In, s16Of } from '#shared/audio/pcm.ts'
import type { SoundReader } from './blocks.ts'

/** All channels from a position; zeros outside of the sound. */
export async function readChannels(sound: SoundReader, from: number, count: number): Promise<Float32Array[]> {
  const bytes = await sound.read(from, count)
  if (sound.channels === 1) return [sound.encoding === 's16' ? fromS16(bytes) : floats(bytes)]
  const [left, right] = [new Float32Array(count), new Float32Array(count)]
  if (sound.encoding === 'f32') {
    const samples = floats(bytes)
    for (let i = 0; i < count; i++) {
      left[i] = samples[2 * i]!
      right[i] = samples[2 * i + 1]!
    }
    return [left, right]
  }
  const samples = s16In(bytes)
  for (let i = 0; i < count; i++) {
    left[i] = samples[2 * i]! / S16_SCALE
    right[i] = samples[2 * i + 1]! / S16_SCALE
  }
  return [left, right]
}

const floats = (bytes: Buffer): Float32Array => new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)

/** The first channel only. */
export async function readLeft(sound: SoundReader, from: number, count: number): Promise<Float32Array> {
  if (sound.channels === 1) return (await readChannels(sound, from, count))[0]!
  const bytes = await sound.read(from, count)
  const left = new Float32Array(count)
  if (sound.encoding === 'f32') {
    const samples = floats(bytes)
    for (let i = 0; i < count; i++) left[i] = samples[2 * i]!
    return left
  }
  const samples = s16In(bytes)
  for (let i = 0; i < count; i++) left[i] = samples[2 * i]! / S16_SCALE
  return left
}

/** Two channels of mono or stereo sound. */
export async function readStereo(sound: SoundReader, from: number, count: number): Promise<readonly [Float32Array, Float32Array]> {
  const [left, right = left] = await readChannels(sound, from, count)
  return [left!, right!]
}

/** Two channels as interleaved s16le; one for both sides. */
export function interleaved(left: Float32Array, right?: Float32Array): Uint8Array<ArrayBuffer> {
  const samples = new Int16Array(2 * left.length)
  for (let i = 0; i < left.length; i++) {
    const value = s16Of(left[i]!)
    samples[2 * i] = value
    samples[2 * i + 1] = right ? s16Of(right[i]!) : value
  }
  return new Uint8Array(samples.buffer)
}

/** True if both channels are equal in a range. */
export async function isMono(sound: SoundReader, from: number, count: number): Promise<boolean> {
  if (sound.channels === 1) return true
  const bytes = await sound.read(from, count)
  const samples = sound.encoding === 's16' ? s16In(bytes) : floats(bytes)
  for (let at = 0; at < samples.length; at += 2) if (samples[at] !== samples[at + 1]) return false
  return true
}
