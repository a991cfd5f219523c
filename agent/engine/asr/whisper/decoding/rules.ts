// The rules of Whisper for the next token, as in its reference: timestamps come in pairs and ascend, so no output can repeat a time for
// ever. Pure, except for the logits, which are edited in place.

export type Vocabulary = {
  /** Ids below it are text, ids between it and the first timestamp are other special tokens. */
  readonly endOfText: number
  /** The token of 0 s; each following id is 0.02 s later. */
  readonly timestampBegin: number
}
export const SECONDS_PER_STAMP = 0.02
/** The first timestamp is at most 1 s. */
const MAX_INITIAL_STAMP = 50

const forbid = (logits: Float32Array, from: number, to: number): void => {
  if (to > from) logits.fill(Number.NEGATIVE_INFINITY, from, to)
}

/** Forbids the tokens that may not follow `tokens`, the output so far without its prefix. */
export function applyRules(logits: Float32Array, tokens: readonly number[], { endOfText, timestampBegin }: Vocabulary): void {
  forbid(logits, endOfText + 1, timestampBegin)
  if (tokens.length === 0) {
    forbid(logits, 0, timestampBegin)
    forbid(logits, timestampBegin + MAX_INITIAL_STAMP + 1, logits.length)
    return
  }
  const isStamp = (token: number | undefined) => token !== undefined && token >= timestampBegin
  const isAfterStamp = isStamp(tokens.at(-1))
  const isAfterPair = isAfterStamp && (tokens.length < 2 || isStamp(tokens.at(-2)))
  if (isAfterPair) forbid(logits, timestampBegin, logits.length)
  else if (isAfterStamp) forbid(logits, 0, endOfText)
  const last = tokens.findLast(isStamp)
  // A sentence ends at least one step after its start. The start of the next one may equal the end of the last one.
  if (last !== undefined) forbid(logits, timestampBegin, isAfterStamp && !isAfterPair ? last : last + 1)
  if (isStampLikelier(logits, timestampBegin)) forbid(logits, 0, timestampBegin)
}

/** True if all timestamps together are likelier than the likeliest other token. */
function isStampLikelier(logits: Float32Array, timestampBegin: number): boolean {
  let likeliestText = Number.NEGATIVE_INFINITY
  for (let id = 0; id < timestampBegin; id++) if (logits[id]! > likeliestText) likeliestText = logits[id]!
  let likeliestStamp = Number.NEGATIVE_INFINITY
  for (let id = timestampBegin; id < logits.length; id++) if (logits[id]! > likeliestStamp) likeliestStamp = logits[id]!
  if (likeliestStamp === Number.NEGATIVE_INFINITY) return false
  let sum = 0
  for (let id = timestampBegin; id < logits.length; id++) sum += Math.exp(logits[id]! - likeliestStamp)
  return likeliestStamp + Math.log(sum) > likeliestText
}
