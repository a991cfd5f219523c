// A recording as a network asks for it: both channels at the network's own rate, read only as far as they are wanted.
import type { Resampler } from '#shared/audio/resampler.ts'
import type { Recorded } from '../audio-input.ts'
import type { Source } from './windows.ts'

/** Frames of the recording that are read at once. */
const BLOCK = 65_536

export function sourceOf(recorded: Recorded, left: Resampler, right: Resampler): Source {
  const ready = [new Float32Array(0), new Float32Array(0)] as [Float32Array, Float32Array]
  let at = 0
  let isOver = false
  return (count) => {
    while (ready[0].length < count && !isOver) {
      isOver = at >= recorded.frames
      const given = isOver ? null : recorded.read(at, BLOCK)
      at += BLOCK
      for (const [channel, resampler] of [left, right].entries())
        ready[channel] = joined(ready[channel]!, given ? resampler.push(given[channel]!) : resampler.flush())
    }
    const piece = [ready[0].subarray(0, count), ready[1].subarray(0, count)] as const
    ready[0] = ready[0].slice(count)
    ready[1] = ready[1].slice(count)
    return piece
  }
}

function joined(first: Float32Array, second: Float32Array): Float32Array {
  const whole = new Float32Array(first.length + second.length)
  whole.set(first)
  whole.set(second, first.length)
  return whole
}
