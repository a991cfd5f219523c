// A take, and the plan of one.

import { z } from 'zod'
import type { TakeChunks } from '#control-plane/features/base/library/api.ts'
import { ROUTINGS } from '#control-plane/inference/notice.ts'
import type { SpeechParams } from '#control-plane/inference/synthesis.ts'
import type { TaskInput } from '#control-plane/tasks/record.ts'
import type { TextRange } from './parts/places.ts'
import { type PartSound, TakeScript } from './parts/take-script.ts'
import type { GenerateForm } from './speech.schema.ts'
import type { SpeakingVoice } from './voice/voicing.ts'

export const Chunks: z.ZodType<TakeChunks> = z.object({
  taskId: z.string().nullable(),
  sampleRate: z.number(),
  leadMs: z.number(),
  crossfade: z.number(),
  parts: z.array(z.object({ text: z.string(), samples: z.number(), silent: z.literal(true).exactOptional() })),
})
export const Take = z.object({
  id: z.string(),
  audioPath: z.string(),
  /** Size of the file. */
  bytes: z.int(),
  seconds: z.number(),
  /** Seconds with at most two decimals. */
  tookSeconds: z.number(),
  seed: z.number(),
  /** Hz. */
  sampleRate: z.number(),
  /** The texts of silent chunks, which were omitted. */
  dropped: z.array(z.string()).readonly(),
  notice: z.object({ routing: z.enum(ROUTINGS), reason: z.string(), information: z.array(z.string()).readonly() }).nullable(),
  engine: z.string(),
  /** Id of the profile or of the voice of the engine that spoke; null if the engine does not say, absent in jobs of earlier versions. */
  voice: z.string().nullable().exactOptional(),
  /** Absent in jobs of earlier versions. */
  chunks: Chunks.exactOptional(),
  /** Absent in jobs of earlier versions. */
  script: TakeScript.exactOptional(),
})
export type Take = Readonly<z.output<typeof Take>>
/** A part of a take that an engine has spoken for another one. */
export type KeptPart = Pick<PartSound, 'digest' | 'at' | 'samples'> & {
  readonly seed: number
  /** Hz. */
  readonly rate: number
}
/** JSON-serialisable, because a take may become a job. */
export type TakePlan = {
  /** Absent in jobs of earlier versions. */
  readonly takeId?: string
  readonly model: string
  readonly params: SpeechParams
  /** The requested voice; null for the default voice. */
  readonly voice: string | null
  /** Voice that speaks; absent in jobs of earlier versions. */
  readonly speaker?: SpeakingVoice
  readonly reference: TaskInput | null
  /** Machine that must run it; null or absent for the machine that the owner chose. */
  readonly target?: string | null
  /** Sentences for the notice; absent in jobs of earlier versions. */
  readonly remarks?: readonly string[]
  /** The same about another voice or another machine than the requested one. */
  readonly replaced?: readonly string[]
  readonly chunks: number
  readonly seed: number
  readonly crossfadeMs: number
  /** Silence before the first word. */
  readonly leadMs: number
  /** The whole text as it was sent, and the place of each part in it; absent in jobs of earlier versions. */
  readonly script?: { readonly text: string; readonly places: readonly TextRange[]; readonly wasUploaded: boolean }
  /** All parts of the take if some of them are kept; those without a sound are the segments of `params`, in order. */
  readonly whole?: readonly { readonly spoken: string; readonly pauseMs: number; readonly kept: KeptPart | null }[]
  /** The part of a take that gets another sound; absent for a take of its own. */
  readonly again?: { readonly take: string; readonly part: number }
  /** The form with the text cut to the length that the history shows. */
  readonly form: GenerateForm
}
