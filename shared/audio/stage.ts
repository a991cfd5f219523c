// The interface of all audio processing: samples in, samples out, a rest at the end.

/**
 * A streaming step over mono samples in [-1, 1]. It may delay samples, but returns as many as it received once flushed, and the
 * samples are the same however the input was cut. An argument is never kept or changed. After `flush` the stage is used up.
 */
export type Stage = {
  readonly push: (samples: Float32Array) => Float32Array
  readonly flush: () => Float32Array
}

export const NO_SAMPLES = new Float32Array(0)

/** Stages in sequence; an empty list is the identity. */
export const chain = (stages: readonly Stage[]): Stage => ({
  push: (samples) => stages.reduce<Float32Array>((flow, stage) => stage.push(flow), samples),
  flush: () => stages.reduce<Float32Array>((rest, stage) => concat([stage.push(rest), stage.flush()]), NO_SAMPLES),
})

export function concat(parts: readonly Float32Array[]): Float32Array {
  const whole = new Float32Array(parts.reduce((total, part) => total + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** A loop, because a function for each sample takes four times as long. */
export function multiplied(samples: Float32Array, factor: number): Float32Array<ArrayBuffer> {
  const out = new Float32Array(samples.length)
  for (let i = 0; i < out.length; i++) out[i] = samples[i]! * factor
  return out
}

/** Splits chunks of any size into blocks of exactly `size`; the remainder waits for the next chunk. */
export function createBlocks(size: number) {
  const block = new Float32Array(size)
  let filled = 0
  return {
    /** Calls `take` for every full block. The block is reused: copy it to keep it. */
    push(samples: Float32Array, take: (block: Float32Array) => void): void {
      for (let at = 0; at < samples.length; ) {
        const count = Math.min(size - filled, samples.length - at)
        block.set(samples.subarray(at, at + count), filled)
        filled += count
        at += count
        if (filled < size) return
        filled = 0
        take(block)
      }
    },
    /** The remainder: fewer than `size` samples. */
    rest(): Float32Array {
      const rest = block.slice(0, filled)
      filled = 0
      return rest
    },
  }
}
