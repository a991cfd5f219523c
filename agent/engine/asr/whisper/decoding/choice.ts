// Chooses the next token from logits: the likeliest one, or at a temperature above 0 a random one. Pure.
import { Failure } from '#shared/protocol/failure.ts'

export type TokenChoice = {
  readonly token: number
  /** Natural logarithm of its probability at temperature 1, as the reference counts it. */
  readonly logProbability: number
}

/** `unit`: random numbers in [0, 1), used above temperature 0. Throws NON_FINITE_OUTPUT. */
export function chooseToken(logits: Float32Array, temperature: number, unit: () => number): TokenChoice {
  let best = 0
  for (let id = 1; id < logits.length; id++) if (logits[id]! > logits[best]!) best = id
  const highest = logits[best]!
  let sum = 0
  for (const logit of logits) sum += Math.exp(logit - highest)
  if (!Number.isFinite(sum)) throw new Failure('NON_FINITE_OUTPUT', 'The recogniser returned values that are not numbers.')
  const token = temperature > 0 ? sampled(logits, highest, temperature, unit()) : best
  return { token, logProbability: logits[token]! - highest - Math.log(sum) }
}

function sampled(logits: Float32Array, highest: number, temperature: number, unit: number): number {
  const weight = (logit: number) => Math.exp((logit - highest) / temperature)
  let total = 0
  for (const logit of logits) total += weight(logit)
  let left = unit * total
  let last = 0
  for (let id = 0; id < logits.length; id++) {
    const share = weight(logits[id]!)
    if (share === 0) continue
    last = id
    left -= share
    if (left < 0) break
  }
  return last
}

/** The probability of one token; 0 for an id outside of the vocabulary. Throws NON_FINITE_OUTPUT. */
export function probabilityOf(logits: Float32Array, token: number): number {
  let highest = Number.NEGATIVE_INFINITY
  for (const logit of logits) if (logit > highest) highest = logit
  let sum = 0
  for (const logit of logits) sum += Math.exp(logit - highest)
  if (!Number.isFinite(sum)) throw new Failure('NON_FINITE_OUTPUT', 'The recogniser returned values that are not numbers.')
  return token >= 0 && token < logits.length ? Math.exp(logits[token]! - highest) / sum : 0
}
