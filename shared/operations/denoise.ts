// Noise removal from a recording, the input `audio`. The output is one part.
import { z } from 'zod'
import { Parts, Placed, partsDisagree, SampleRate, Seconds, soundDisagrees } from './limits.ts'
import { operation } from './operation.ts'

export const DenoiseParams = z.strictObject({
  /** Hz of the output; null: the rate of the engine. */
  sample_rate: z.int().min(8_000).max(192_000).nullable().default(null),
})
export type DenoiseParams = z.output<typeof DenoiseParams>

export const DenoiseResult = z.object({ sample_rate: SampleRate, parts: Parts, duration: Seconds, ...Placed })
export type DenoiseResult = z.output<typeof DenoiseResult>

export const denoise = operation({
  id: 'denoise',
  params: DenoiseParams,
  result: DenoiseResult,
  units: (_, { seconds }) => Math.ceil(seconds),
  parts: () => 1,
  hasLargeOutput: true,
  objection: (result, params, { outputBytes, units }) =>
    partsDisagree(result.parts, 1, outputBytes) ?? soundDisagrees(result, params.sample_rate, units),
})
