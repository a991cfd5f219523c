// Mixes one region of a film: bed and voice, marked and limited, joined with the original sound at both ends.
import { createStereoLimiter } from '../master/stereo-limiter.ts'
import { createTruePeakLimiter } from '../master/true-peak-limiter.ts'
import { chain, concat, type Stage } from '../stage.ts'
import { type DubRegion, JOINT_SECONDS, shareAt } from './regions.ts'

/** One channel, or left and right. */
export type ChannelSamples = readonly [left: Float32Array, right?: Float32Array]
export type RegionMixing = {
  readonly region: DubRegion
  /** Position of the first samples that are pushed: at or before the region, as the mark requires. */
  readonly start: number
  readonly sampleRate: number
  /** Factors. */
  readonly bedGain: number
  readonly voiceGain: number
  /** A stage that marks one channel, for each channel; null for none. It begins at `start`. */
  readonly mark: (() => Stage) | null
  /** Highest true peak, a factor of full scale. */
  readonly ceiling: number
  /** Channels of everything that is pushed except the voice. Two equal channels are mixed as one, to the same samples. */
  readonly channels: 1 | 2
}

/** Pieces are pushed from `start` to the end of the region. Returns the samples of the region only, as many as it has once flushed. */
export function createRegionMixer({ region, start, sampleRate, bedGain, voiceGain, mark, ceiling, channels }: RegionMixing) {
  const finish = channels === 1 ? finishMono(mark, ceiling, sampleRate) : finishStereo(mark, ceiling, sampleRate)
  const originals: ChannelSamples[] = []
  const joint = Math.ceil(JOINT_SECONDS * sampleRate)
  /** The part of the region with the new sound only. */
  const inner = { from: region.from + joint, to: region.to - joint }
  let originalAt = 0 // samples of the first waiting original that are used
  let position = start

  /** Joins samples of the new sound with the originals at the same place, which wait since they were pushed. */
  const join = (fresh: ChannelSamples): ChannelSamples => {
    const { length } = fresh[0]
    const out = fresh.map(() => new Float32Array(length))
    for (let done = 0; done < length; ) {
      while (originalAt >= originals[0]![0].length) {
        originals.shift()
        originalAt = 0
      }
      const upTo = Math.min(length, done + originals[0]![0].length - originalAt)
      for (const [channel, to] of out.entries()) blend(to, originals[0]![channel]!, originalAt - done, fresh[channel]!, done, upTo)
      originalAt += upTo - done
      done = upTo
    }
    const early = Math.min(length, Math.max(0, region.from - position))
    position += length
    return out.map((samples) => samples.subarray(early)) as unknown as ChannelSamples
  }
  /** The original of sample `i` is at `offset + i`. */
  const blend = (out: Float32Array, original: Float32Array, offset: number, fresh: Float32Array, from: number, to: number) => {
    for (let i = from; i < to; i++) {
      const place = position + i
      const share = place >= inner.from && place < inner.to ? 1 : shareAt(region, place, sampleRate)
      const old = original[offset + i]!
      out[i] = old + share * (fresh[i]! - old)
    }
  }
  const mixed = (bed: Float32Array, voice: Float32Array): Float32Array => {
    const sum = new Float32Array(bed.length)
    for (let i = 0; i < sum.length; i++) sum[i] = bed[i]! * bedGain + voice[i]! * voiceGain
    return sum
  }

  return {
    push(original: ChannelSamples, bed: ChannelSamples, voice: Float32Array): ChannelSamples {
      originals.push(original)
      return join(finish.push(mixed(bed[0], voice), ...(channels === 1 ? [] : [mixed(bed[1]!, voice)])))
    },
    flush: (): ChannelSamples => join(finish.flush()),
  }
}

type Finish = { readonly push: (...samples: ChannelSamples) => ChannelSamples; readonly flush: () => ChannelSamples }

/** The mark and the limiter. */
function finishStereo(mark: RegionMixing['mark'], ceiling: number, sampleRate: number): Finish {
  const limiter = createStereoLimiter(ceiling, sampleRate)
  if (!mark) return { push: (left, right) => limiter.push(left, right!), flush: limiter.flush }
  const [left, right] = [mark(), mark()]
  return {
    push: (one, other) => limiter.push(left.push(one), right.push(other!)),
    flush() {
      const [rest, last] = [limiter.push(left.flush(), right.flush()), limiter.flush()]
      return [concat([rest[0], last[0]]), concat([rest[1], last[1]])]
    },
  }
}

/** Same as `finishStereo` with equal channels. */
function finishMono(mark: RegionMixing['mark'], ceiling: number, sampleRate: number): Finish {
  const stage = chain([...(mark ? [mark()] : []), createTruePeakLimiter(ceiling, sampleRate)])
  return { push: (samples) => [stage.push(samples)], flush: () => [stage.flush()] }
}
