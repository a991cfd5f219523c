// Detects an export with causal attention where the engine needs a bidirectional one. Names, types and ranks of both are the same, so the
// check is numerical: a change at the last position must change the output at the first.

import { Failure } from '#shared/protocol/failure.ts'
import { floatOutput, type Graph, type Tensor } from './session.ts'

export type CanaryInputs = {
  readonly graph: Pick<Graph, 'run'>
  /** `before` and `after` differ in the last position only. */
  readonly before: Readonly<Record<string, Tensor>>
  readonly after: Readonly<Record<string, Tensor>>
  readonly output: string
  /** Selects the values of the first position from the whole output. */
  readonly first: (values: Float32Array) => ArrayLike<number>
  readonly file: string
}

/** Throws MODEL_NOT_DOWNLOADED for a causal graph, NON_FINITE_OUTPUT for one that does not compute. */
export async function refuseCausalGraph({ graph, before, after, output, first, file }: CanaryInputs): Promise<void> {
  const one = first(floatOutput(await graph.run(before), output).slice())
  const two = first(floatOutput(await graph.run(after), output))
  let isChanged = false
  for (let at = 0; at < one.length; at++) {
    if (!Number.isFinite(one[at]!) || !Number.isFinite(two[at]!)) {
      throw new Failure('NON_FINITE_OUTPUT', `The graph ${file} gives values that are not finite. Choose another precision.`)
    }
    isChanged ||= one[at] !== two[at]
  }
  if (isChanged) return
  throw new Failure(
    'MODEL_NOT_DOWNLOADED',
    `The graph ${file} is the wrong export: its attention is causal. Download a bidirectional export.`,
    { detail: { wrong: ['the attention is causal'] } },
  )
}
