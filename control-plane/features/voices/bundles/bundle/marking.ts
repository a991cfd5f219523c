// Marks what leaves the studio in a bundle: the sample that anyone may hear, and recordings that an engine made. A human recording is not
// marked, because it would be called synthetic.
import { readFile } from 'node:fs/promises'
import type { WatermarkApi } from '#control-plane/features/base/watermark/api.ts'
import { REFERENCE } from '#control-plane/media/recording.ts'
import { fromS16, toS16 } from '#shared/audio/pcm.ts'
import { planWav, WAV_HEADER_BYTES } from '#shared/audio/wav.ts'
import { Failure } from '#shared/protocol/failure.ts'

export type BundlePreview = {
  readonly wav: Buffer
  readonly seconds: number
  /** True if the mark is found in the finished preview. Very short and silent recordings cannot hold one. */
  readonly isMarked: boolean
  /** True if it is the whole recording. */
  readonly isWhole: boolean
}
export type Marking = ReturnType<typeof createMarking>

const PREVIEW_SECONDS = 8
const FADE_SECONDS = 0.05
const { sampleRate } = REFERENCE

/** The first 8 s of 16-bit samples at the rate of REFERENCE. */
export const previewPart = (pcm: Buffer): Buffer => pcm.subarray(0, 2 * PREVIEW_SECONDS * sampleRate)

/** 16-bit samples whose last 50 ms fade to silence. */
export function fadedOut(pcm: Buffer): Uint8Array {
  const samples = fromS16(pcm)
  const fade = Math.min(Math.round(FADE_SECONDS * sampleRate), samples.length)
  for (let i = 0; i < fade; i++) samples[samples.length - 1 - i]! *= i / fade
  return toS16(samples)
}

export function createMarking({ marked, hasMark }: Pick<WatermarkApi, 'marked' | 'hasMark'>) {
  return {
    /** A WAV file of samples with a mark: the one they have, or a new one. */
    marked: (pcm: Buffer, digest: string, signal: AbortSignal): Promise<Buffer> => marked(pcm, sampleRate, digest, signal),
    /** `digest` identifies the recording. */
    async preview(pcm: Buffer, digest: string, signal: AbortSignal): Promise<BundlePreview> {
      const beginning = previewPart(pcm)
      const wav = await marked(beginning, sampleRate, digest, signal)
      // After the mark, which moves sound within its frames.
      const faded = fadedOut(wav.subarray(WAV_HEADER_BYTES))
      return {
        wav: Buffer.concat([wav.subarray(0, WAV_HEADER_BYTES), faded]),
        seconds: faded.length / 2 / sampleRate,
        isMarked: await hasMark(faded, sampleRate, signal),
        isWhole: beginning.length === pcm.length,
      }
    },
  }
}

/** The samples of a canonical recording. Throws VOICE_UNAVAILABLE if its file is missing or damaged. */
export async function samplesOf(path: string): Promise<Buffer> {
  try {
    const bytes = await readFile(path)
    const { start, end } = planWav(bytes, bytes.length)
    if (end <= start) throw new RangeError('there is no sound in it')
    return bytes.subarray(start, end)
  } catch (cause) {
    throw new Failure('VOICE_UNAVAILABLE', 'The recording of this voice cannot be read. Set the recording of the voice again.', { cause })
  }
}
