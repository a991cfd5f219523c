// RIFF/WAVE: writes exact headers, reads the variants that other programs write.
import { downmixed } from './channels/downmix.ts'

export type WavShape = { readonly sampleRate: number; readonly channels: number; readonly samples: number; readonly format?: 's16' }
export type Wav = { readonly sampleRate: number; readonly channels: number; readonly samples: Float32Array }

/** Length of the header that `wavHeader` writes. */
export const WAV_HEADER_BYTES = 44
const [PCM, FLOAT, EXTENSIBLE] = [1, 3, 0xfffe]

/** The 44-byte header for `samples` frames of s16le. The length must be exact: players and Python's `wave` rely on it. */
export function wavHeader({ sampleRate, channels, samples }: WavShape): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(WAV_HEADER_BYTES)
  const view = new DataView(bytes.buffer)
  const sampleBytes = samples * channels * 2
  const text = (at: number, word: string) =>
    bytes.set(
      [...word].map((letter) => letter.charCodeAt(0)),
      at,
    )
  text(0, 'RIFF')
  view.setUint32(4, WAV_HEADER_BYTES - 8 + sampleBytes, true)
  text(8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  view.setUint16(20, PCM, true)
  view.setUint16(22, channels, true)
  view.setUint32(24, sampleRate, true)
  view.setUint32(28, sampleRate * channels * 2, true)
  view.setUint16(32, channels * 2, true)
  view.setUint16(34, 16, true)
  text(36, 'data')
  view.setUint32(40, sampleBytes, true)
  return bytes
}

/** The most bytes of samples that a header of 32 bits can announce. */
export const MAX_WAV_BYTES = 2 ** 32 - 1 - WAV_HEADER_BYTES

/** The header of an RF64 file (EBU Tech 3306), for sound of any length: WAV with sizes of 64 bits. */
export function rf64Header({ sampleRate, channels, samples }: WavShape): Uint8Array<ArrayBuffer> {
  const plain = wavHeader({ sampleRate, channels, samples: 0 })
  const sampleBytes = samples * channels * 2
  const sizes = new Uint8Array(36)
  const bytes = new Uint8Array(plain.length + sizes.length)
  const view = new DataView(sizes.buffer)
  sizes.set([0x64, 0x73, 0x36, 0x34]) // ds64
  view.setUint32(4, sizes.length - 8, true)
  view.setBigUint64(8, BigInt(bytes.length - 8 + sampleBytes), true)
  view.setBigUint64(16, BigInt(sampleBytes), true)
  view.setBigUint64(24, BigInt(samples), true)
  bytes.set(plain.subarray(0, 12))
  bytes.set([0x52, 0x46, 0x36, 0x34, 0xff, 0xff, 0xff, 0xff]) // RF64, and a size that is in ds64
  bytes.set(sizes, 12)
  bytes.set(plain.subarray(12), 12 + sizes.length)
  bytes.fill(0xff, bytes.length - 4)
  return bytes
}

/**
 * Reads s16, s24 or f32 with any number of channels, mixed down to mono. Unknown chunks are skipped; a data size that is unknown
 * (0xFFFFFFFF, or 0 with bytes after it) or larger than the file means "to the end". Throws a RangeError that says what is wrong with the file.
 */
export function parseWav(bytes: Uint8Array): Wav {
  const { view, start, end, layout } = locate(bytes, bytes.length)
  const { sampleRate, channels } = layout
  return { sampleRate, channels, samples: downmixed(samplesOf(view, start, end, layout), channels, sampleRate) }
}

/** The position and format of the samples, from the first bytes of a file: for files that are too large for memory. */
export type WavPlan = {
  readonly sampleRate: number
  readonly channels: number
  readonly frameBytes: number
  readonly start: number
  readonly end: number
  /** Bytes of audio that the header announces but the file lacks. */
  readonly missing: number
  /** The samples of whole frames, of all channels in turn. */
  readonly read: (frames: Uint8Array) => Float32Array
  /** Whole frames of one channel. */
  readonly readChannel: (frames: Uint8Array, channel: number) => Float32Array
}
/** Throws as parseWav. */
export function planWav(head: Uint8Array, fileBytes: number): WavPlan {
  const { start, end, missing, layout } = locate(head, fileBytes)
  return {
    sampleRate: layout.sampleRate,
    channels: layout.channels,
    frameBytes: layout.channels * layout.sampleBytes,
    start,
    end,
    missing,
    read: (frames) => samplesOf(viewOf(frames), 0, frames.length, layout),
    readChannel(frames, channel) {
      const { channels, sampleBytes, read } = layout
      const view = viewOf(frames)
      const samples = new Float32Array(Math.floor(frames.length / (channels * sampleBytes)))
      for (let i = 0; i < samples.length; i++) samples[i] = read(view, (i * channels + channel) * sampleBytes)
      return samples
    },
  }
}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

function locate(bytes: Uint8Array, fileBytes: number): { view: DataView; start: number; end: number; missing: number; layout: Layout } {
  const view = viewOf(bytes)
  const word = (at: number) => String.fromCharCode(...bytes.subarray(at, at + 4))
  if (bytes.length < 12 || word(0) !== 'RIFF' || word(8) !== 'WAVE') throw new RangeError('not a WAV file')
  let layout: Layout | null = null
  for (let at = 12; at + 8 <= bytes.length; ) {
    const size = view.getUint32(at + 4, true)
    const body = at + 8
    if (word(at) === 'fmt ') layout = readLayout(view, body, size)
    if (word(at) === 'data') {
      if (!layout) throw new RangeError('the WAV file has no format before its samples')
      const streamed = size === 0xffffffff || (size === 0 && body < fileBytes)
      const end = streamed ? fileBytes : Math.min(body + size, fileBytes)
      return { view, start: body, end, missing: streamed ? 0 : body + size - end, layout }
    }
    at = body + size + (size % 2)
  }
  throw new RangeError('the WAV file has no samples')
}

type Layout = {
  readonly sampleRate: number
  readonly channels: number
  readonly sampleBytes: number
  readonly read: (view: DataView, at: number) => number
}

const READERS: Readonly<Record<string, Layout['read']>> = {
  [`${PCM}/16`]: (view, at) => view.getInt16(at, true) / 2 ** 15,
  [`${PCM}/24`]: (view, at) => (view.getUint16(at, true) | (view.getInt8(at + 2) << 16)) / 2 ** 23,
  [`${FLOAT}/32`]: (view, at) => view.getFloat32(at, true),
}

function readLayout(view: DataView, at: number, size: number): Layout {
  if (size < 16 || at + size > view.byteLength) throw new RangeError('the format of the WAV file is cut off')
  const tag = view.getUint16(at, true)
  // An extensible header has the real tag in the first two bytes of a GUID.
  const kind = tag === EXTENSIBLE && size >= 26 ? view.getUint16(at + 24, true) : tag
  const channels = view.getUint16(at + 2, true)
  const sampleRate = view.getUint32(at + 4, true)
  const bits = view.getUint16(at + 14, true)
  const read = READERS[`${kind}/${bits}`]
  if (!read) throw new RangeError(`WAV with ${bits} bits of kind ${kind} is not supported: use 16 or 24 bit PCM, or 32 bit float`)
  if (channels < 1 || sampleRate < 1) throw new RangeError('the WAV file names no channel or no sample rate')
  return { sampleRate, channels, sampleBytes: bits / 8, read }
}

function samplesOf(view: DataView, start: number, end: number, { channels, sampleBytes, read }: Layout): Float32Array {
  const samples = new Float32Array(Math.floor((end - start) / (channels * sampleBytes)) * channels)
  const offset = view.byteOffset + start
  if (read === READERS[`${PCM}/16`] && offset % 2 === 0) {
    // The usual format, without a call for each sample.
    const words = new Int16Array(view.buffer, offset, samples.length)
    for (let i = 0; i < samples.length; i++) samples[i] = words[i]! / 2 ** 15
    return samples
  }
  for (let i = 0, at = start; i < samples.length; i++, at += sampleBytes) samples[i] = read(view, at)
  return samples
}
