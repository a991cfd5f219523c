// Catches an export with causal attention where the engine needs a bidirectional one. Names, types and ranks of both are the same, so only
// numbers tell: what stands last must be able to change what comes out first.

import { Failure } from '#shared/protocol/failure.ts'
import { floatOutput, type Graph, type Tensor } from './session.ts'

export type CanaryInputs = {
  readonly graph: Pick<Graph, 'run'>
  /** The same inputs twice; they differ in the last position only. */
  readonly before: Readonly<Record<string, Tensor>>
  readonly after: Readonly<Record<string, Tensor>>
  readonly output: string
  /** The values of the first position in the output, given all of it. */
  readonly first: (values: Float32Array) => ArrayLike<number>
  readonly file: string
}

/** MODEL_NOT_DOWNLOADED when the graph is causal, NON_FINITE_OUTPUT when it does not compute at all. */
export async function refuseCausalGraph({ graph, before, after, output, first, file }: CanaryInputs): Promise<void> {
  const one = first(floatOutput(await graph.run(before), output).slice())
  const two = first(floatOutput(await graph.run(after), output))
  let isChanged = false
  for (let at = 0; at < one.length; at++) {
    if (!Number.isFinite(one[at]!) || !Number.isFinite(two[at]!)) {
      throw new Failure('NON_FINITE_OUTPUT', `${file} gives values that are not finite; choose another precision`)
    }
    isChanged ||= one[at] !== two[at]
  }
  if (isChanged) return
  throw new Failure(
    'MODEL_NOT_DOWNLOADED',
    `${file} is the wrong export: its attention is causal (the last position does not reach the first); download a bidirectional export`,
    { detail: { wrong: ['the attention is causal'] } },
  )
}
