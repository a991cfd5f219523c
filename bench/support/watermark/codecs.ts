// Lossy codecs and other changes for the benchmark of the mark: ffmpeg as a separate process, there and back.
import { execFileSync } from 'node:child_process'
import { fromS16, toS16 } from '#shared/audio/pcm.ts'

export type Codec = { readonly name: string; readonly args: readonly string[] | null; readonly container: string }

const codec = (name: string, encoder: string, kbps: number, container: string): Codec => ({
  name,
  args: ['-c:a', encoder, '-b:a', `${kbps}k`],
  container,
})
export const CODECS: readonly Codec[] = [
  { name: 'plain', args: null, container: '' },
  codec('Opus 24k', 'libopus', 24, 'ogg'),
  codec('Opus 32k', 'libopus', 32, 'ogg'),
  codec('AAC 32k', 'aac', 32, 'adts'),
  codec('MP3 32k', 'libmp3lame', 32, 'mp3'),
]

/** The samples after encoding and decoding, at the same rate. Codecs may add a delay. */
export function throughCodec({ args, container }: Codec, samples: Float32Array, sampleRate: number): Float32Array {
  const raw = ['-f', 's16le', '-ar', String(sampleRate), '-ac', '1']
  if (args === null) return fromS16(toS16(samples))
  const encoded = execFileSync('ffmpeg', ['-v', 'error', ...raw, '-i', '-', ...args, '-f', container, '-'], {
    input: toS16(samples),
    maxBuffer: 2 ** 26,
  })
  const decoder = container === 'adts' ? 'aac' : container
  return fromS16(execFileSync('ffmpeg', ['-v', 'error', '-f', decoder, '-i', '-', ...raw, '-'], { input: encoded, maxBuffer: 2 ** 26 }))
}

/** Filters of ffmpeg that people apply to finished speech. */
export const CHANGES: readonly { readonly name: string; readonly filter: (sampleRate: number) => string }[] = [
  { name: 'equaliser, bass +6 dB, treble -6 dB', filter: () => 'bass=g=6:f=150,treble=g=-6:f=3500' },
  { name: 'loudnorm to -16 LUFS', filter: (rate) => `loudnorm=I=-16:TP=-1.5:LRA=11,aresample=${rate}` },
]

export function changed(filter: string, samples: Float32Array, sampleRate: number): Float32Array {
  const raw = ['-f', 's16le', '-ar', String(sampleRate), '-ac', '1']
  const output = execFileSync('ffmpeg', ['-v', 'error', ...raw, '-i', '-', '-af', filter, ...raw, '-'], {
    input: toS16(samples),
    maxBuffer: 2 ** 26,
  })
  return fromS16(output)
}
