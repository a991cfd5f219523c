// Joins chunks of speech. Neighbouring chunks are uncorrelated, so their powers add: sine and cosine weights keep the loudness constant.
import { concat, NO_SAMPLES } from './stage.ts'

/**
 * A streaming join. A chunk is announced with its length and pushed in pieces of any size; `push` returns the samples that no later chunk
 * changes, `flush` the rest. Each join shortens the result by its overlap, which is at most half of either chunk, so that the two fades of
 * a short chunk never meet. 0 joins without overlap. Holds no more than the ends of two chunks.
 */
export function createCrossfade(crossfadeSamples: number) {
  let tail = NO_SAMPLES // the end of the last chunk, still open to be faded out
  let lastHalf = 0 // how much of the last chunk a join may use
  let fade = NO_SAMPLES // the part of the tail that the current chunk overlaps
  let nextTail = NO_SAMPLES
  let settled = NO_SAMPLES
  let length = 0
  let at = 0

  const close = () => {
    if (length > 0 && at === length) {
      tail = nextTail
      length = 0
    }
  }
  return {
    /** Starts the next chunk. The one before must be complete. An empty chunk leaves no trace. */
    begin(samples: number): void {
      if (samples === 0) return
      const half = samples >> 1
      const overlap = Math.min(crossfadeSamples, half, lastHalf)
      settled = tail.subarray(0, tail.length - overlap)
      fade = tail.subarray(tail.length - overlap)
      nextTail = new Float32Array(Math.min(crossfadeSamples, half))
      lastHalf = half
      length = samples
      at = 0
    },
    push(samples: Float32Array): Float32Array {
      const from = at
      const tailAt = length - nextTail.length
      const faded = samples.subarray(0, Math.max(0, fade.length - from))
      const middle = samples.subarray(faded.length, Math.max(faded.length, tailAt - from))
      const rest = samples.subarray(faded.length + middle.length)
      const joined = concat([settled, blend(fade.subarray(from, from + faded.length), faded, from, fade.length), middle])
      if (rest.length > 0) nextTail.set(rest, from + samples.length - rest.length - tailAt)
      settled = NO_SAMPLES
      at += samples.length
      close()
      return joined
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
  const whole = chunks.map((chunk) => {
    join.begin(chunk.length)
    return join.push(chunk)
  })
  return concat([...whole, join.flush()])
}

/** `from`: how far into a fade of `total` samples the two pieces start. */
function blend(out: Float32Array, into: Float32Array, from: number, total: number): Float32Array {
  return into.map((sample, i) => {
    const angle = ((from + i + 0.5) / total) * (Math.PI / 2)
    return out[i]! * Math.cos(angle) + sample * Math.sin(angle)
  })
}
