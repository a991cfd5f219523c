// Computes one token and one confidence per cell from raw logits: guidance, softmax and choice. Pure.
// `scoreLiteral` is the published formula; `scoreFused` is used. They agree because the normalisers of the two rows shift all values of a
// cell equally and the last softmax removes such a shift: z = (1 + g)·c - g·u on raw logits suffices.

export const CODEBOOKS = 8
export const CLASSES = 1025
/** The id of an empty cell; never chosen as a token. */
export const MASK = CLASSES - 1

/** The logits of codebook c and frame t start at start + c * stride + t * CLASSES. */
export type LogitRow = { readonly values: Float32Array; readonly start: number; readonly stride: number }

/** Both indexed by codebook * frames + frame. Only empty cells are written. */
export type Scores = { readonly tokens: Int32Array; readonly confidences: Float64Array }

export type Scoring = {
  readonly conditional: LogitRow
  /** Null without guidance. */
  readonly unconditional: LogitRow | null
  readonly guidance: number
  readonly frames: number
  /** 1 for cells that already have a token. */
  readonly filled: Uint8Array
  /** Null chooses the most likely class. `values`: log-probabilities up to a constant. Must not return MASK. */
  readonly choose: ((values: Float64Array) => number) | null
}

export const createScores = (frames: number): Scores => ({
  tokens: new Int32Array(CODEBOOKS * frames),
  confidences: new Float64Array(CODEBOOKS * frames),
})

/** Classes this far below the best one together add less than 1e-10 to the sum, so their exponentials are skipped. */
const NEGLIGIBLE = -30

export function scoreFused(scoring: Scoring, out: Scores): void {
  const { conditional, unconditional, frames, filled, choose } = scoring
  const guidance = unconditional ? scoring.guidance : 0
  const c = conditional.values
  const u = unconditional?.values ?? c
  const keep = 1 + guidance
  const z = new Float64Array(CLASSES)
  for (let cell = 0; cell < filled.length; cell++) {
    if (filled[cell] === 1) continue
    const codebook = Math.floor(cell / frames)
    const frame = cell - codebook * frames
    const cAt = conditional.start + codebook * conditional.stride + frame * CLASSES
    const uAt = unconditional ? unconditional.start + codebook * unconditional.stride + frame * CLASSES : cAt
    let best = Number.NEGATIVE_INFINITY
    let token = 0
    for (let id = 0; id < MASK; id++) {
      const value = keep * c[cAt + id]! - guidance * u[uAt + id]!
      z[id] = value
      if (value > best) {
        best = value
        token = id
      }
    }
    const mask = keep * c[cAt + MASK]! - guidance * u[uAt + MASK]!
    z[MASK] = mask
    const top = mask > best ? mask : best
    let sum = 0
    for (let id = 0; id < CLASSES; id++) {
      const below = z[id]! - top
      if (!(below < NEGLIGIBLE)) sum += Math.exp(below) // the negation lets NaN enter the sum
    }
    out.tokens[cell] = choose ? choose(z) : token
    out.confidences[cell] = best - top - Math.log(sum)
  }
}

function logSoftmax(values: Float64Array): Float64Array {
  let top = Number.NEGATIVE_INFINITY
  for (let id = 0; id < CLASSES; id++) if (values[id]! > top) top = values[id]!
  let sum = 0
  for (let id = 0; id < CLASSES; id++) sum += Math.exp(values[id]! - top)
  const norm = top + Math.log(sum)
  const out = new Float64Array(CLASSES)
  for (let id = 0; id < CLASSES; id++) out[id] = values[id]! - norm
  return out
}

/** The published formula, the reference for tests and benchmarks. */
export function scoreLiteral({ conditional, unconditional, guidance, frames, filled, choose }: Scoring, out: Scores): void {
  const take = ({ values, start, stride }: LogitRow, codebook: number, frame: number) => {
    const at = start + codebook * stride + frame * CLASSES
    return new Float64Array(values.subarray(at, at + CLASSES))
  }
  for (let cell = 0; cell < filled.length; cell++) {
    if (filled[cell] === 1) continue
    const codebook = Math.floor(cell / frames)
    const frame = cell % frames
    const c = take(conditional, codebook, frame)
    let z = c
    if (unconditional && guidance !== 0) {
      const lc = logSoftmax(c)
      const lu = logSoftmax(take(unconditional, codebook, frame))
      z = new Float64Array(CLASSES)
      for (let id = 0; id < CLASSES; id++) z[id] = lc[id]! + guidance * (lc[id]! - lu[id]!)
    }
    const lp = logSoftmax(z)
    lp[MASK] = Number.NEGATIVE_INFINITY
    let token = 0
    for (let id = 1; id < CLASSES; id++) if (lp[id]! > lp[token]!) token = id
    out.tokens[cell] = choose ? choose(lp) : token
    out.confidences[cell] = lp[token]!
  }
}
