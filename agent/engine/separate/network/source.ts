// A stereo source at the rate of a network, which reads the recording in blocks on demand.

import type { BlockAudioInput } from '#agent/engine/audio/audio-input.ts'
import type { Resampler } from '#shared/audio/resampling/exact-length.ts'
import { concat } from '#shared/audio/stage.ts'
import type { StereoSource } from './windows.ts'

/** Frames of the recording per read. */
const BLOCK = 65_536

/** `resamplers`: one per distinct channel of the recording. */
export function stereoSource(recorded: BlockAudioInput, resamplers: readonly Resampler[]): StereoSource {
  let ready: readonly Float32Array[] = resamplers.map(() => new Float32Array(0))
  let at = 0
  let isOver = false
  return (count) => {
    while (ready[0]!.length < count && !isOver) {
      isOver = at >= recorded.frames
      const given = isOver ? null : recorded.read(at, BLOCK)
      at += BLOCK
      ready = resamplers.map((resampler, channel) => concat([ready[channel]!, given ? resampler.push(given[channel]!) : resampler.flush()]))
    }
    const pieces = ready.map((samples) => samples.subarray(0, count))
    ready = ready.map((samples) => samples.slice(count))
    return [pieces[0]!, pieces.at(-1)!]
  }
}
