// Resamples a whole recording and yields to the event loop between blocks.

import { openResampler } from '#shared/audio/resampler.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'

const BLOCK_SAMPLES = 65_536

/** Mono samples. The duration is kept and nothing is shifted. Throws RangeError for rates that are not supported, and on abort. */
export async function resample(samples: Float32Array, from: number, to: number, signal: AbortSignal): Promise<Float32Array> {
  if (from === to || samples.length === 0) return samples
  const resampler = await openResampler(from, to)
  try {
    const out = new Float32Array(Math.round((samples.length * to) / from))
    let made = 0
    const take = (piece: Float32Array) => {
      // Rounding may make the last piece one sample too long.
      const part = piece.subarray(0, out.length - made)
      out.set(part, made)
      made += part.length
    }
    for (let at = 0; at < samples.length; at += BLOCK_SAMPLES) {
      take(resampler.push(samples.subarray(at, at + BLOCK_SAMPLES)))
      await nextTurn()
      signal.throwIfAborted()
    }
    take(resampler.flush())
    return out
  } finally {
    resampler.close()
  }
}
