// Blocks of sound as one WAV file that is never written: any range of it is read from the blocks. Beyond 4 GiB the header is RF64.

import type { Ranged } from '#control-plane/http/contract/respond.ts'
import { frameBytes, openBlocks } from '#control-plane/media/film/sound/blocks.ts'
import { wavHeader } from '#shared/audio/wav.ts'

const PIECE_BYTES = 256 * 1024
const MAX_RIFF_BYTES = 0xffff_ffff
const HEADER_BYTES = 44
const DS64_BYTES = 28

/** Header of 16-bit sound. `samples`: frames. Pure. */
export function longWavHeader(shape: { readonly sampleRate: number; readonly channels: number; readonly samples: number }): Uint8Array {
  const bytes = shape.samples * shape.channels * 2
  if (bytes + HEADER_BYTES - 8 <= MAX_RIFF_BYTES) return wavHeader(shape)
  const plain = wavHeader({ ...shape, samples: 0 })
  const header = Buffer.alloc(HEADER_BYTES + DS64_BYTES + 8)
  header.write('RF64', 0, 'latin1')
  header.writeUInt32LE(MAX_RIFF_BYTES, 4)
  header.write('WAVEds64', 8, 'latin1')
  header.writeUInt32LE(DS64_BYTES, 16)
  header.writeBigUInt64LE(BigInt(bytes + header.length - 8), 20)
  header.writeBigUInt64LE(BigInt(bytes), 28)
  header.writeBigUInt64LE(BigInt(shape.samples), 36)
  header.set(plain.subarray(12, HEADER_BYTES), 48)
  header.writeUInt32LE(MAX_RIFF_BYTES, header.length - 4)
  return header
}

/** Throws INPUT_UNAVAILABLE, INPUT_CORRUPT. */
export async function wavView(folder: string): Promise<Ranged> {
  const sound = await openBlocks(folder)
  const frame = frameBytes(sound)
  const header = longWavHeader(sound)
  async function* read(from: number, to: number): AsyncGenerator<Uint8Array> {
    if (from < header.length) yield header.subarray(from, Math.min(header.length, to + 1))
    for (let at = Math.max(0, from - header.length), end = to + 1 - header.length; at < end; ) {
      const first = Math.floor(at / frame)
      const frames = Math.ceil(Math.min(end - at, PIECE_BYTES) / frame) + 1
      const bytes = (await sound.read(first, frames)).subarray(at - first * frame)
      const piece = bytes.subarray(0, Math.min(bytes.length, end - at))
      yield piece
      at += piece.length
    }
  }
  return { size: header.length + sound.samples * frame, read }
}
