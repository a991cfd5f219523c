// MP3 in a media thread: the encoder is compiled once for each thread, and its instances are reused by later streams.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createEncoder, type WasmMediaEncoder } from 'wasm-media-encoders'

export type Mp3 = {
  readonly push: (samples: Float32Array) => Uint8Array<ArrayBuffer>
  readonly flush: () => Uint8Array<ArrayBuffer>
  /** Returns the encoder for reuse, also before the end. */
  readonly close: () => void
}

// MPEG-1 and MPEG-2 only: not every player supports the lower rates of MPEG 2.5.
const RATES = [16000, 22050, 24000, 32000, 44100, 48000] as const
const BITRATES = [32, 40, 48, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320] as const
const HIGHEST_MPEG2_KBPS = 160
const LOWEST_MPEG1_RATE = 32000

const nearest = <T extends number>(wanted: number, offered: readonly T[]): T =>
  offered.reduce((best, next) => (Math.abs(next - wanted) < Math.abs(best - wanted) ? next : best))

const idle: WasmMediaEncoder<'audio/mpeg'>[] = []
let compiled: WebAssembly.Module | null = null

async function take(): Promise<WasmMediaEncoder<'audio/mpeg'>> {
  const waiting = idle.pop()
  if (waiting) return waiting
  const program = compiled ?? readFileSync(fileURLToPath(import.meta.resolve('wasm-media-encoders/wasm/mp3')))
  return createEncoder('audio/mpeg', program, (module) => {
    compiled = module
  })
}

/** Compiles the encoder before the first stream. */
export async function warmMp3(): Promise<void> {
  idle.push(await take())
}

/** Constant bitrate, the nearest valid one; a sample rate that MPEG lacks becomes the next higher one. */
export async function openMp3(sampleRate: number, kbps: number): Promise<Mp3> {
  const encoder = await take()
  const outputSampleRate = RATES.find((rate) => rate >= sampleRate) ?? 48000
  const bitrate = nearest(kbps, outputSampleRate < LOWEST_MPEG1_RATE ? BITRATES.filter((rate) => rate <= HIGHEST_MPEG2_KBPS) : BITRATES)
  encoder.configure({ channels: 1, sampleRate, bitrate, outputSampleRate })
  let open = true
  return {
    // The encoder returns views of its own memory, which the next call overwrites, so the bytes are copied.
    push: (samples) => encoder.encode([samples]).slice() as Uint8Array<ArrayBuffer>,
    flush: () => encoder.finalize().slice() as Uint8Array<ArrayBuffer>,
    close: () => {
      if (open) idle.push(encoder)
      open = false
    },
  }
}
