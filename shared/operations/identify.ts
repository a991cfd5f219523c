// Spoken language identification of a recording, the input `audio`.
import { z } from 'zod'
import { Seconds } from './limits.ts'
import { operation } from './operation.ts'

export const IdentifyParams = z.strictObject({})
export type IdentifyParams = z.output<typeof IdentifyParams>

export const IdentifyResult = z.object({
  /** ISO 639-1; '' when there is no speech or the language has no such code. */
  language: z.string().regex(/^([a-z]{2})?$/, 'is not an ISO 639-1 code'),
  /** Length of the examined part of the recording. */
  seconds: Seconds.default(0),
})
export type IdentifyResult = z.output<typeof IdentifyResult>

export const identify = operation({
  id: 'identify',
  params: IdentifyParams,
  result: IdentifyResult,
  units: (_, { seconds }) => Math.ceil(seconds),
})
