// Sound of a client as s16le mono at 16 kHz.
import { createS16Reader, toS16 } from '#shared/audio/pcm.ts'
import { openResampler } from '#shared/audio/resampler.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { LIVE_RATE } from '../live/audio/source.ts'
import type { RealtimeSession } from './realtime.contract.ts'

export type InputFormat = RealtimeSession['audio']['input']['format']
export type InputDecoder = Awaited<ReturnType<typeof openDecoder>>
const RATES = { 'audio/pcm': 24_000, 'audio/pcmu': 8_000, 'audio/pcma': 8_000 } as const
const S16 = 32_768

/** ITU-T G.711, the law of North America and Japan. */
function fromMuLaw(byte: number): number {
  const bits = ~byte & 0xff
  const size = (((bits & 0x0f) << 3) + 0x84) << ((bits & 0x70) >> 4)
  return (bits & 0x80 ? 0x84 - size : size - 0x84) / S16
}
/** ITU-T G.711, the law of the rest of the world. */
function fromALaw(byte: number): number {
  const bits = byte ^ 0x55
  const exponent = (bits & 0x70) >> 4
  const mantissa = ((bits & 0x0f) << 4) + 8
  const size = exponent === 0 ? mantissa : (mantissa + 0x100) << (exponent - 1)
  return (bits & 0x80 ? size : -size) / S16
}
const tableOf = (law: (byte: number) => number): Float32Array => Float32Array.from({ length: 256 }, (_, byte) => law(byte))

/** The bytes of base64. Throws BAD_REQUEST: Buffer.from skips every character that is not base64. */
function bytesFrom(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64')
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  if (bytes.length > 0 && Math.ceil((bytes.length * 4) / 3) === text.length - padding) return bytes
  throw new Failure('BAD_REQUEST', 'The audio is not valid base64.')
}

/** Must be closed. */
export async function openDecoder({ type }: InputFormat) {
  const resampler = await openResampler(RATES[type], LIVE_RATE)
  const reader = createS16Reader()
  const table = type === 'audio/pcm' ? null : tableOf(type === 'audio/pcmu' ? fromMuLaw : fromALaw)
  return {
    decode(base64: string): Buffer {
      const bytes = bytesFrom(base64)
      const samples = table ? Float32Array.from(bytes, (byte) => table[byte]!) : reader.push(bytes)
      return Buffer.from(toS16(resampler.push(samples)).buffer)
    },
    close: () => resampler.close(),
  }
}
