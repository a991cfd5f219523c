// Joins chunks of speech. Neighbouring chunks are uncorrelated, so their powers add: sine and cosine weights keep the loudness constant.
import { concat, NO_SAMPLES } from './stage.ts'

/**
 * A streaming join: `push` returns the samples that no later chunk changes, `flush` the rest. Each join shortens the result by its overlap,
 * which is at most half of either chunk, so that the two fades of a short chunk never meet. 0 joins without overlap.
 */
export function createCrossfade(crossfadeSamples: number) {
  let tail = NO_SAMPLES // the end of the last chunk, still open to be faded out
  let lastHalf = 0 // how much of the last chunk a join may use
  return {
    push(chunk: Float32Array): Float32Array {
      if (chunk.length === 0) return NO_SAMPLES
      const half = chunk.length >> 1
      const overlap = Math.min(crossfadeSamples, half, lastHalf)
      const settled = tail.subarray(0, tail.length - overlap)
      const joined = blend(tail.subarray(tail.length - overlap), chunk.subarray(0, overlap))
      const keep = Math.min(crossfadeSamples, half)
      const middle = chunk.subarray(overlap, chunk.length - keep)
      tail = chunk.slice(chunk.length - keep)
      lastHalf = half
      return concat([settled, joined, middle])
    },
    flush(): Float32Array {
      const rest = tail
      tail = NO_SAMPLES
      lastHalf = 0
      return rest
    },
  }
}

/** Joins all chunks, as `createCrossfade` does. */
export function crossfade(chunks: readonly Float32Array[], crossfadeSamples: number): Float32Array {
  const join = createCrossfade(crossfadeSamples)
  return concat([...chunks.map(join.push), join.flush()])
}

function blend(out: Float32Array, into: Float32Array): Float32Array {
  return into.map((sample, i) => {
    const angle = ((i + 0.5) / into.length) * (Math.PI / 2)
    return out[i]! * Math.cos(angle) + sample * Math.sin(angle)
  })
}
