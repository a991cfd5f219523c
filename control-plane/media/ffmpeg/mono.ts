// Turns the output of ffmpeg into one channel. ffmpeg itself takes the mean of the channels, which is silence where one of them is upside
// down.
import { createDownmix } from '#shared/audio/channels/downmix.ts'
import { createS16Reader, toS16 } from '#shared/audio/pcm.ts'
import { planWav, type WavPlan } from '#shared/audio/wav.ts'

/** The format of the output: mono sound stays mono, everything else becomes stereo. */
export const monoArguments = (sampleRate: number): readonly string[] => [
  ...['-map', '0:a:0', '-af', 'aformat=channel_layouts=mono|stereo', '-ar', String(sampleRate), '-c:a', 'pcm_s16le'],
  ...['-map_metadata', '-1', '-fflags', '+bitexact', '-f', 'wav'],
]

/** s16le mono from an output with `monoArguments`, in pieces that may end within a sample. */
export async function* monoOutput(output: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const pieces = output[Symbol.asyncIterator]()
  let head: Uint8Array = new Uint8Array(0)
  let plan: WavPlan | null = null
  while (!plan) {
    const { value, done } = await pieces.next()
    if (done) return
    head = Buffer.concat([head, value])
    plan = planOf(head)
  }
  const { start, channels, sampleRate } = plan
  const rest = { [Symbol.asyncIterator]: () => pieces }
  yield* channels === 1 ? after(head.subarray(start), rest) : mixed(after(head.subarray(start), rest), channels, sampleRate)
}

async function* after(first: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (first.length > 0) yield first
  yield* rest
}

async function* mixed(pieces: AsyncIterable<Uint8Array>, channels: number, sampleRate: number): AsyncGenerator<Uint8Array> {
  const [reader, mixer] = [createS16Reader(), createDownmix(channels, sampleRate)]
  for await (const piece of pieces) {
    const mono = mixer.push(reader.push(piece))
    if (mono.length > 0) yield toS16(mono)
  }
  const mono = mixer.flush()
  if (mono.length > 0) yield toS16(mono)
}

/** Null before the header is complete. */
function planOf(head: Uint8Array): WavPlan | null {
  try {
    return planWav(head, Number.MAX_SAFE_INTEGER)
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}
