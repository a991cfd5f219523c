// Source separation of a recording, the input `audio`. Part 0 of the output is the voice, part 1 everything else; with `stereo_vocals` they are
// the left and the right channel of the voice.
import { z } from 'zod'
import { Parts, Placed, partsDisagree, SampleRate, Seconds, soundDisagrees } from './limits.ts'
import { operation } from './operation.ts'

export const SeparateParams = z.strictObject({
  /** Hz of the output; null: the rate of the recording. */
  sample_rate: z.int().min(8_000).max(192_000).nullable().default(null),
  /** Only part 0. */
  vocals_only: z.boolean().default(false),
  /** The voice in two channels: part 0 is the left one, part 1 the right one, and nothing else is returned. */
  stereo_vocals: z.boolean().default(false),
})
export type SeparateParams = z.output<typeof SeparateParams>

export const SeparateResult = z.object({ sample_rate: SampleRate, parts: Parts, duration: Seconds, ...Placed })
export type SeparateResult = z.output<typeof SeparateResult>

const partsOf = ({ vocals_only: vocalsOnly, stereo_vocals: isStereo }: SeparateParams): number => (vocalsOnly && !isStereo ? 1 : 2)

export const separate = operation({
  id: 'separate',
  params: SeparateParams,
  result: SeparateResult,
  units: (_, { seconds }) => Math.ceil(seconds),
  parts: partsOf,
  hasLargeOutput: true,
  objection: (result, params, { outputBytes, units }) =>
    result.parts.length < partsOf(params)
      ? `it describes ${result.parts.length} parts where ${partsOf(params)} were requested`
      : (partsDisagree(result.parts, partsOf(params), outputBytes) ?? soundDisagrees(result, params.sample_rate, units)),
})
