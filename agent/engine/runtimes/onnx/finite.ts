// Half precision overflows where single does not. What a graph gives is looked at once per piece, and made again in single precision when
// it is not finite and the engine has such a graph.

import { Failure } from '#shared/protocol/failure.ts'

export function isAllFinite(samples: Float32Array): boolean {
  // A sum is not finite as soon as one term is not, and no sum of single floats overflows a double.
  let sum = 0
  for (let at = 0; at < samples.length; at++) sum += samples[at]!
  return Number.isFinite(sum)
}

/** `again` is asked once, and only when there is another precision. */
export async function finiteFloats(
  made: () => Promise<Float32Array>,
  again: (() => Promise<Float32Array>) | null,
  what: string,
): Promise<{ samples: Float32Array; isSecond: boolean }> {
  const samples = await made()
  if (isAllFinite(samples)) return { samples, isSecond: false }
  const second = again && (await again())
  if (second && isAllFinite(second)) return { samples: second, isSecond: true }
  const tried = again ? ', also in single precision' : ''
  throw new Failure('NON_FINITE_OUTPUT', `${what} made samples that are not finite${tried}`)
}
