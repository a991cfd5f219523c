// Half precision may overflow. The output of a graph is checked once per piece and computed again in single precision when it is not finite
// and the engine has such a graph.

import { Failure } from '#shared/protocol/failure.ts'

export function isAllFinite(samples: Float32Array): boolean {
  // The sum is not finite if one term is not, and a sum of single floats does not overflow a double.
  let sum = 0
  for (let at = 0; at < samples.length; at++) sum += samples[at]!
  return Number.isFinite(sum)
}

/** Runs `again` at most once; null when there is no other precision. `what` names the engine. Throws NON_FINITE_OUTPUT. */
export async function finiteFloats(
  compute: () => Promise<Float32Array>,
  computeInSingle: (() => Promise<Float32Array>) | null,
  what: string,
): Promise<{ samples: Float32Array; isSecond: boolean }> {
  const samples = await compute()
  if (isAllFinite(samples)) return { samples, isSecond: false }
  const second = computeInSingle && (await computeInSingle())
  if (second && isAllFinite(second)) return { samples: second, isSecond: true }
  const tried = computeInSingle ? ', also in single precision' : ''
  throw new Failure('NON_FINITE_OUTPUT', `The engine ${what} produced samples that are not finite${tried}.`)
}
