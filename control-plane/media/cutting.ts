// Cuts a long recording at its quietest moment near the end of a part, so that no word is split. Pure.
import { s16In } from '#shared/audio/pcm.ts'

export type Cutting = {
  readonly sampleRate: number
  /** The maximum length of a part. */
  readonly longestSeconds: number
  /** The quietest moment is searched in this time before the maximum. */
  readonly searchSeconds: number
}
export const PART_CUTTING: Cutting = { sampleRate: 16_000, longestSeconds: 900, searchSeconds: 120 }
const FRAME_SECONDS = 0.02
/** Seconds of quiet that are a pause and not the closure of a consonant. */
const PAUSE_FRAMES = 20

/** Index of the sample in the middle of the quietest pause at the end of `samples`; the last one of several. */
export function quietestMoment(samples: Int16Array, { sampleRate, searchSeconds }: Cutting): number {
  const frame = Math.round(FRAME_SECONDS * sampleRate)
  const from = Math.max(0, samples.length - Math.round(searchSeconds * sampleRate))
  const count = Math.floor((samples.length - from) / frame)
  const energies = Float64Array.from({ length: count }, (_, at) => {
    let sum = 0
    for (const sample of samples.subarray(from + at * frame, from + (at + 1) * frame)) sum += sample * sample
    return sum
  })
  const width = Math.min(PAUSE_FRAMES, count)
  let [best, least, sum] = [0, Number.POSITIVE_INFINITY, 0]
  for (let at = 0; at < count; at++) {
    sum += energies[at]! - (at >= width ? energies[at - width]! : 0)
    if (at + 1 < width || sum > least) continue
    best = at + 1 - width
    least = sum
  }
  return from + best * frame + Math.floor((width * frame) / 2)
}

/** Takes s16le in pieces of any size and returns the parts as they become complete. */
export function createCutter(cutting: Cutting) {
  const longestBytes = Math.round(cutting.longestSeconds * cutting.sampleRate) * 2
  let waiting: Uint8Array[] = []
  let size = 0
  const all = () => Buffer.concat(waiting, size)
  return {
    *push(bytes: Uint8Array): Generator<Buffer> {
      waiting.push(bytes)
      size += bytes.length
      while (size > longestBytes) {
        const here = all()
        const longest = here.subarray(0, longestBytes)
        const end = quietestMoment(s16In(longest), cutting) * 2
        yield longest.subarray(0, end)
        waiting = [here.subarray(end)]
        size -= end
      }
    },
    /** The last part; empty when there is none. Half a sample at its end is dropped. */
    flush: (): Buffer => all().subarray(0, size - (size % 2)),
  }
}
