// Mixes one region of a film: bed and voice, marked and limited, joined with the original sound at both ends.
import { createStereoLimiter, type StereoStage } from '../master/stereo-limiter.ts'
import { createTruePeakLimiter } from '../master/true-peak-limiter.ts'
import { chain, concat, type Stage } from '../stage.ts'
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
  /** Whether both channels of all that is pushed are equal: they are then mixed once, to the same samples. */
  readonly isMono: boolean
}

/** Pieces are pushed from `start` to the end of the region. Returns the samples of the region only, as many as it has once flushed. */
export function createRegionMixer({ region, start, sampleRate, bedGain, voiceGain, mark, ceiling, isMono }: RegionMixing) {
  const finish = isMono ? finishMono(mark, ceiling, sampleRate) : finishStereo(mark, ceiling, sampleRate)
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

  return {
    push(original: StereoSamples, bed: StereoSamples, voice: Float32Array): StereoSamples {
      originals.push([original[0], original[1]])
      const left = mixed(bed[0], voice)
      return join(finish.push(left, isMono ? left : mixed(bed[1], voice)))
    },
    flush: (): StereoSamples => join(finish.flush()),
  }
}

/** The mark and the limiter. */
function finishStereo(mark: RegionMixing['mark'], ceiling: number, sampleRate: number): StereoStage {
  const limiter = createStereoLimiter(ceiling, sampleRate)
  if (!mark) return limiter
  const [left, right] = [mark(), mark()]
  return {
    push: (one, other) => limiter.push(left.push(one), right.push(other)),
    flush() {
      const [rest, last] = [limiter.push(left.flush(), right.flush()), limiter.flush()]
      return [concat([rest[0], last[0]]), concat([rest[1], last[1]])]
    },
  }
}

/** What `finishStereo` does with equal channels. */
function finishMono(mark: RegionMixing['mark'], ceiling: number, sampleRate: number): StereoStage {
  const stage = chain([...(mark ? [mark()] : []), createTruePeakLimiter(ceiling, sampleRate)])
  const both = (samples: Float32Array) => [samples, samples] as const
  return { push: (left) => both(stage.push(left)), flush: () => both(stage.flush()) }
}
