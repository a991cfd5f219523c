// Sound for tests of films, as folders of blocks.
import { join } from 'node:path'
import { openBlocks, type SoundFormat, writeBlocks } from '#control-plane/media/film/sound/blocks.ts'
import { folder } from './corpus.ts'

export const RATE = 48_000
let count = 0
/** A name that no other sound has. */
export const newPath = (name = 'sound'): string => join(folder, `${name}-${count++}`)

/** Samples from a function of time in seconds. */
export function tone(seconds: number, of: (time: number) => number): Float32Array {
  const samples = new Float32Array(Math.round(seconds * RATE))
  for (let i = 0; i < samples.length; i++) samples[i] = of(i / RATE)
  return samples
}

/** Stereo, 16 bit. */
export async function stereo(left: Float32Array, right = left): Promise<string> {
  const bytes = Buffer.alloc(left.length * 4)
  left.forEach((sample, i) => {
    bytes.writeInt16LE(Math.round(Math.max(-1, Math.min(0.99996, sample)) * 32768), 4 * i)
    bytes.writeInt16LE(Math.round(Math.max(-1, Math.min(0.99996, right[i]!)) * 32768), 4 * i + 2)
  })
  return await stored(bytes, { sampleRate: RATE, channels: 2, encoding: 's16' })
}
/** Mono, 32 bit, as a voice track is. */
export const monoTrack = (samples: Float32Array): Promise<string> =>
  stored(Buffer.from(samples.buffer, samples.byteOffset, samples.length * 4), { sampleRate: RATE, channels: 1, encoding: 'f32' })

async function stored(bytes: Buffer, format: SoundFormat): Promise<string> {
  const path = newPath()
  const writer = await writeBlocks(path, format)
  await writer.write(bytes)
  await writer.seal()
  return path
}

/** One channel of stored sound. */
export async function channelOf(path: string, channel = 0): Promise<Float32Array> {
  const sound = await openBlocks(path)
  const bytes = await sound.read(0, sound.samples)
  const size = sound.encoding === 's16' ? 2 : 4
  const samples = new Float32Array(sound.samples)
  for (let i = 0; i < samples.length; i++) {
    const at = (i * sound.channels + channel) * size
    samples[i] = size === 2 ? bytes.readInt16LE(at) / 32768 : bytes.readFloatLE(at)
  }
  return samples
}

/** Seconds at which a click begins after a tenth of a second of quiet. */
export function clicksIn(samples: Float32Array, sampleRate = RATE): number[] {
  const found: number[] = []
  let quiet = sampleRate
  samples.forEach((sample, i) => {
    const isLoud = Math.abs(sample) > 0.05
    if (isLoud && quiet > sampleRate / 10) found.push(i / sampleRate)
    quiet = isLoud ? 0 : quiet + 1
  })
  return found
}
