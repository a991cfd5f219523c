// Mixes one region of a film: bed and voice, marked and limited, joined with the original sound at both ends.
import { createStereoLimiter } from '../master/stereo-limiter.ts'
import type { Stage } from '../stage.ts'
import { type DubRegion, JOINT_SECONDS, shareAt } from './regions.ts'

export type StereoSamples = readonly [Float32Array, Float32Array]
export type RegionMixing = {
  readonly region: DubRegion
  /** Where the first samples that are pushed lie: at or before the region, as the mark requires. */
  readonly start: number
  readonly sampleRate: number
  /** Factors. */
  readonly bedGain: number
  readonly voiceGain: number
  /** A stage that marks one channel, for each channel; null for none. It begins at `start`. */
  readonly mark: (() => Stage) | null
  /** Highest true peak, a factor of full scale. */
  readonly ceiling: number
}

/** Pieces are pushed from `start` to the end of the region. Returns the samples of the region only, as many as it has once flushed. */
export function createRegionMixer({ region, start, sampleRate, bedGain, voiceGain, mark, ceiling }: RegionMixing) {
  const marks = mark ? [mark(), mark()] : null
  const limiter = createStereoLimiter(ceiling, sampleRate)
  const originals: [Float32Array, Float32Array][] = []
  const joint = Math.ceil(JOINT_SECONDS * sampleRate)
  /** Where only the new sound is heard. */
  const inner = { from: region.from + joint, to: region.to - joint }
  let originalAt = 0 // samples of the first waiting original that are used
  let position = start

  /** Joins samples of the new sound with the originals at the same place, which wait since they were pushed. */
  const join = ([left, right]: StereoSamples): StereoSamples => {
    const out: StereoSamples = [new Float32Array(left.length), new Float32Array(right.length)]
    const [outLeft, outRight] = out
    for (let done = 0; done < left.length; ) {
      while (originalAt >= originals[0]![0].length) {
        originals.shift()
        originalAt = 0
      }
      const [oldLeft, oldRight] = originals[0]!
      const from = originalAt - done
      const upTo = Math.min(left.length, done + oldLeft.length - originalAt)
      for (let i = done; i < upTo; i++) {
        const place = position + i
        const share = place >= inner.from && place < inner.to ? 1 : shareAt(region, place, sampleRate)
        outLeft[i] = oldLeft[from + i]! + share * (left[i]! - oldLeft[from + i]!)
        outRight[i] = oldRight[from + i]! + share * (right[i]! - oldRight[from + i]!)
      }
      originalAt += upTo - done
      done = upTo
    }
    const early = Math.min(left.length, Math.max(0, region.from - position))
    position += left.length
    return [out[0].subarray(early), out[1].subarray(early)]
  }
  const mixed = (bed: Float32Array, voice: Float32Array): Float32Array => {
    const sum = new Float32Array(bed.length)
    for (let i = 0; i < sum.length; i++) sum[i] = bed[i]! * bedGain + voice[i]! * voiceGain
    return sum
  }
  const limited = (left: Float32Array, right: Float32Array): StereoSamples =>
    join(marks ? limiter.push(marks[0]!.push(left), marks[1]!.push(right)) : limiter.push(left, right))

  return {
    push(original: StereoSamples, bed: StereoSamples, voice: Float32Array): StereoSamples {
      originals.push([original[0], original[1]])
      return limited(mixed(bed[0], voice), mixed(bed[1], voice))
    },
    flush(): StereoSamples {
      const rest = marks ? limiter.push(marks[0]!.flush(), marks[1]!.flush()) : null
      const [first, last] = [rest ? join(rest) : null, join(limiter.flush())]
      return first ? [concatTwo(first[0], last[0]), concatTwo(first[1], last[1])] : last
    },
  }
}

function concatTwo(first: Float32Array, second: Float32Array): Float32Array {
  const whole = new Float32Array(first.length + second.length)
  whole.set(first)
  whole.set(second, first.length)
  return whole
}
