// What the test voice can be asked for: everything a real voice can, and to misbehave.

import { z } from 'zod'
import { AsrParams } from '#shared/operations/asr.ts'
import { TtsParams } from '#shared/operations/tts.ts'
import { FAILURES, isFailureCode } from '#shared/protocol/failure.ts'

const GIBIBYTE = 1024 ** 3
const afterParts = z.int().min(0).max(10_000).default(0)

export const ToneFault = z.discriminatedUnion('kind', [
  /** Takes its time, but stays polite. */
  z.strictObject({ kind: z.literal('slow'), msPerChar: z.number().min(0).max(60_000) }),
  /** The host dies at once, without a word. */
  z.strictObject({ kind: z.literal('crash'), afterParts }),
  /** The host's main thread never returns. */
  z.strictObject({ kind: z.literal('hang'), afterParts }),
  /** The run never ends and does not listen to its signal, while the host is otherwise well. */
  z.strictObject({ kind: z.literal('deaf'), afterParts }),
  /** The result asks the agent to announce a digest that does not fit the bytes. */
  z.strictObject({ kind: z.literal('digest') }),
  z.strictObject({ kind: z.literal('nan') }),
  z.strictObject({
    kind: z.literal('fail'),
    code: z.string().refine(isFailureCode, { error: () => `one of ${Object.keys(FAILURES).join(', ')}` }),
  }),
])
export type ToneFault = z.output<typeof ToneFault>

export const ToneParams = TtsParams.extend({
  fault: ToneFault.nullable().default(null),
  /** That many bytes of 16-bit audio in part 0 instead of speech, as cheaply as possible: to measure everything behind the engine. */
  bytes: z.int().min(2).max(GIBIBYTE).multipleOf(2).nullable().default(null),
  /** Length of each part; without it the text decides. */
  ms_per_part: z.number().positive().max(600_000).nullable().default(null),
  /** Length of the pieces in which a part is handed out. */
  piece_ms: z.number().min(1).max(10_000).default(200),
})
/** What the test voice hears when it is made to listen, whatever the recording holds. */
export const ToneAsrParams = AsrParams.extend({
  fault: ToneFault.nullable().default(null),
  says: z.string().max(100_000).default('this is a test recording'),
})
export type ToneParams = z.output<typeof ToneParams>
