// Another sample rate for a whole recording, in pieces between which the event loop gets a turn.
import { setImmediate as turn } from 'node:timers/promises'
import { openResampler } from '#shared/audio/resampler.ts'

const PIECE = 65_536

/** Mono. Seconds in are seconds out, and nothing is shifted. `signal` is looked at between pieces; RangeError for rates that do not go. */
export async function resample(samples: Float32Array, from: number, to: number, signal: AbortSignal): Promise<Float32Array> {
  if (from === to || samples.length === 0) return samples
  const resampler = await openResampler(from, to)
  try {
    const out = new Float32Array(Math.round((samples.length * to) / from))
    let made = 0
    const take = (piece: Float32Array) => {
      // What the rate of the last piece rounds up to may be a sample more than the whole has.
      const part = piece.subarray(0, out.length - made)
      out.set(part, made)
      made += part.length
    }
    for (let at = 0; at < samples.length; at += PIECE) {
      take(resampler.push(samples.subarray(at, at + PIECE)))
      await turn()
      signal.throwIfAborted()
    }
    take(resampler.flush())
    return out
  } finally {
    resampler.close()
  }
}
