// The common contract of all resamplers: the result lasts as long as the input, to the sample.

export type Resampler = {
  readonly push: (samples: Float32Array) => Float32Array
  /** The remaining samples of the filter. */
  readonly flush: () => Float32Array
  readonly close: () => void
}
type Conversion = {
  readonly from: number
  readonly to: number
  readonly convert: (samples: Float32Array) => Float32Array
  /** Samples of silence at the rate `from` that bring everything out of the filter. */
  readonly tail: number
  readonly close: () => void
}

export function exactLength({ from, to, convert, tail, close }: Conversion): Resampler {
  let given = 0
  let made = 0
  return {
    push(samples) {
      const out = convert(samples)
      given += samples.length
      made += out.length
      return out
    },
    flush() {
      const missing = Math.max(0, Math.round((given * to) / from) - made)
      return convert(new Float32Array(tail + Math.ceil((missing * from) / to))).subarray(0, missing)
    },
    close,
  }
}
