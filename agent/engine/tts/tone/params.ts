// Parameters of the test voice: those of a real voice, and faults to inject.

import { z } from 'zod'
import { TranscribeParams } from '#shared/operations/asr.ts'
import { TtsParams } from '#shared/operations/tts.ts'
import { FAILURES, isFailureCode } from '#shared/protocol/failure.ts'

const GIBIBYTE = 1024 ** 3
const afterParts = z.int().min(0).max(10_000).default(0)

export const ToneFault = z.discriminatedUnion('kind', [
  /** Slow, but responsive to cancellation. */
  z.strictObject({ kind: z.literal('slow'), msPerChar: z.number().min(0).max(60_000) }),
  /** The host process dies without output. */
  z.strictObject({ kind: z.literal('crash'), afterParts }),
  /** The main thread of the host blocks forever. */
  z.strictObject({ kind: z.literal('hang'), afterParts }),
  /** One step blocks the main thread of the host until it has used this much processor time. */
  z.strictObject({ kind: z.literal('compute'), seconds: z.number().min(0).max(600), afterParts }),
  /** The run never ends and ignores its signal, while the host stays responsive. */
  z.strictObject({ kind: z.literal('deaf'), afterParts }),
  /** Makes the agent announce a wrong digest. */
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
  /** Bytes of 16-bit filler audio in part 0 instead of speech, for throughput measurements. */
  bytes: z.int().min(2).max(GIBIBYTE).multipleOf(2).nullable().default(null),
  /** Length of each part; by default it depends on the text. */
  ms_per_part: z.number().positive().max(600_000).nullable().default(null),
  /** Length of the pieces of a part. */
  piece_ms: z.number().min(1).max(10_000).default(200),
})
/** Parameters of the test recogniser, which ignores the recording. */
export const ToneAsrParams = TranscribeParams.extend({
  fault: ToneFault.nullable().default(null),
  says: z.string().max(100_000).default('this is a test recording'),
})
export type ToneParams = z.output<typeof ToneParams>
