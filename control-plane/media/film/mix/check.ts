// Measures a finished voice track line by line: loudness, clipped samples of the takes, and what is left of the original voice in the mix.
import { open } from 'node:fs/promises'
import { LEAK_WINDOW_SECONDS, leakMargin, leakOf, leakOfWindow } from '#shared/audio/dub/leak.ts'
import { fromS16 } from '#shared/audio/pcm.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { openBlocks, type SoundReader } from '../sound/blocks.ts'
import type { ThreadContext } from '../sound/messages.ts'
import { readChannels, readStereo } from '../sound/samples.ts'
import { speechLoudness } from './loudness.ts'
import type { SoundSpan, TakeFile } from './plan.ts'

export type MeasuredPart = {
  /** Place of the line in the track. */
  readonly placed: SoundSpan
  /** Take as the engine spoke it; null if that file is gone. */
  readonly take: TakeFile | null
  /** Part of the original that this line replaces, without the joints. */
  readonly replaced: SoundSpan | null
}
export type CheckPlan = {
  /** A folder of sound. */
  readonly voice: string
  /** Folders of sound on the same time line; null when the original voice was not isolated. */
  readonly leak: { readonly vocals: string; readonly mix: string } | null
  readonly lines: readonly MeasuredPart[]
}
export type MeasuredLine = {
  /** LUFS; null for silence. */
  readonly loudness: number | null
  /** Samples in runs at full scale; null without the take. */
  readonly clipped: number | null
  /** dB of the original voice; null if none was found. */
  readonly leakDb: number | null
}

const FULL = 32_766 / 32_768
/** Fewer samples in a row are peaks. */
const MIN_RUN = 3

/** One result for each line. Throws INPUT_UNAVAILABLE for sound that was deleted, and the reason of the signal. */
export async function checkVoice(work: CheckPlan, { signal, progress }: ThreadContext): Promise<MeasuredLine[]> {
  const voice = await openBlocks(work.voice)
  const leak = work.leak && { vocals: await openBlocks(work.leak.vocals), mix: await openBlocks(work.leak.mix) }
  const results: MeasuredLine[] = []
  for (const { placed, take, replaced } of work.lines) {
    signal.throwIfAborted()
    results.push({
      loudness: await speechLoudness([placed], (from, count) => readChannels(voice, from, count), signal),
      clipped: take && clippedSamples(await readTake(take)),
      leakDb: leak && replaced && leakOf(await leakWindows(leak, replaced, signal)),
    })
    progress((placed.to * 1e6) / voice.sampleRate)
  }
  return results
}

/** Samples in runs of three or more at full scale with one sign. */
export function clippedSamples(samples: Float32Array): number {
  let [clipped, run, sign] = [0, 0, 0]
  const end = () => {
    if (run >= MIN_RUN) clipped += run
  }
  for (const sample of samples) {
    const now = Math.abs(sample) >= FULL ? Math.sign(sample) : 0
    if (now === sign && now !== 0) run++
    else {
      end()
      run = now === 0 ? 0 : 1
      sign = now
    }
  }
  end()
  return clipped
}

async function readTake({ path, offsetBytes, samples }: TakeFile): Promise<Float32Array> {
  const missing = (cause: unknown) => new Failure('INPUT_UNAVAILABLE', 'A spoken line was deleted. Generate the dub again.', { cause })
  const file = await open(path, 'r').catch((cause: unknown) => {
    throw missing(cause)
  })
  try {
    const bytes = Buffer.alloc(2 * samples)
    const { bytesRead } = await file.read(bytes, 0, bytes.length, offsetBytes)
    return fromS16(bytes.subarray(0, bytesRead))
  } finally {
    await file.close()
  }
}

async function leakWindows(
  { vocals, mix }: { readonly vocals: SoundReader; readonly mix: SoundReader },
  span: SoundSpan,
  signal: AbortSignal,
) {
  const { sampleRate } = vocals
  const [width, margin] = [Math.round(LEAK_WINDOW_SECONDS * sampleRate), leakMargin(sampleRate)]
  const levels: (number | null)[] = []
  for (let at = span.from; at + width <= span.to; at += width) {
    signal.throwIfAborted()
    const voice = toMono(await readStereo(vocals, at, width))
    levels.push(leakOfWindow(voice, toMono(await readStereo(mix, at - margin, width + 2 * margin)), sampleRate))
  }
  return levels
}
const toMono = ([left, right]: readonly [Float32Array, Float32Array]): Float32Array => left.map((sample, at) => (sample + right[at]!) / 2)
