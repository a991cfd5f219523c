// A thread that converts WAV files to samples, one after the other and block by block, so that a large file is never in memory as a whole.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import { createDownmix } from '#shared/audio/channels/downmix.ts'
import { toS16 } from '#shared/audio/pcm.ts'
import { openResampler } from '#shared/audio/resampler.ts'
import { planWav } from '#shared/audio/wav.ts'
import { objectionTo, type RecordingFormat } from './recording.ts'

/** A file to read, or that the last samples are consumed. */
export type ToWavReader = { readonly path: string; readonly wanted: RecordingFormat } | 'taken'
/**
 * `refused`: the reason, for the sender of the file. `pcm`: the next samples; the thread waits until they are consumed. `missing`: seconds of sound that
 * the header announces and the file lacks.
 */
export type WavReading =
  | { readonly pcm: Uint8Array<ArrayBuffer> }
  | { readonly refused: string }
  | { readonly end: { readonly missing: number } }
type Take = (pcm: Uint8Array<ArrayBuffer>) => Promise<unknown>

/** Other programs put chunks before the samples, rarely larger than a picture. */
const HEAD_BYTES = 4 * 1024 * 1024
const STREAMED_BYTES = 0x7fff_0000
const BLOCK_FRAMES = 64 * 1024

export async function readWav(path: string, wanted: RecordingFormat, take: Take): Promise<WavReading> {
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    const head = Buffer.alloc(Math.min(size, HEAD_BYTES))
    readSync(file, head, 0, head.length, 0)
    const { channels, sampleRate, frameBytes, start, end, missing, read } = planWav(head, size)
    const frames = Math.floor((end - start) / frameBytes)
    const refused = objectionTo({ channels, sampleRate, seconds: frames / sampleRate }, wanted)
    if (refused) return { refused }
    // Programs that write to a pipe announce the maximum length of a WAV file.
    const lacking = end - start + missing < STREAMED_BYTES ? missing / frameBytes / sampleRate : 0
    const mixer = createDownmix(channels, sampleRate)
    const resampler = await openResampler(sampleRate, wanted.sampleRate)
    try {
      const block = Buffer.alloc(BLOCK_FRAMES * frameBytes)
      for (let done = 0; done < frames; ) {
        const bytes = readSync(file, block, 0, Math.min(BLOCK_FRAMES, frames - done) * frameBytes, start + done * frameBytes)
        const whole = Math.floor(bytes / frameBytes)
        if (whole === 0) break // The file was truncated while it was read.
        const samples = read(block.subarray(0, whole * frameBytes))
        if (!areFinite(samples)) return { refused: 'the recording has samples that are no numbers' }
        await take(new Uint8Array(toS16(resampler.push(mixer.push(samples)))))
        done += whole
      }
      await take(new Uint8Array(toS16(resampler.push(mixer.flush()))))
      await take(new Uint8Array(toS16(resampler.flush())))
      return { end: { missing: lacking } }
    } finally {
      resampler.close()
    }
  } catch (error) {
    if (error instanceof RangeError) return { refused: error.message }
    throw error
  } finally {
    closeSync(file)
  }
}

function areFinite(samples: Float32Array): boolean {
  // A loop, because a call for each sample takes longer than the conversion.
  for (let i = 0; i < samples.length; i++) if (!Number.isFinite(samples[i])) return false
  return true
}

if (parentPort) {
  const port = parentPort
  let taken = () => {}
  const take: Take = (pcm) =>
    new Promise<void>((resolve) => {
      taken = resolve
      port.postMessage({ pcm }, [pcm.buffer])
    })
  port.on('message', (message: ToWavReader) => {
    if (message === 'taken') taken()
    else void readWav(message.path, message.wanted, take).then((reading) => port.postMessage(reading))
  })
}
