// Compares an installed model with the figures that its engine carries: tensor names, token ids, shapes, durations, and a short sentence or
// recording with a known result. The result is the report for the person who installed it. The output is the sentence, for engines that
// speak.
import { z } from 'zod'
import { list, Parts, Placed, partsDisagree, SampleRate, Seconds } from './limits.ts'
import { operation } from './operation.ts'

export const VerifyParams = z.strictObject({})
export type VerifyParams = z.output<typeof VerifyParams>

const Line = z.string().max(1_000)
const Digest = z.string().regex(/^[0-9a-f]{64}$/)

/** `differs`: the model is not the expected one, or does not work. `skipped`: it could not be tried; `found` says why. */
export const VerifiedCheck = z.object({
  title: z.string().max(200),
  outcome: z.enum(['pass', 'differs', 'skipped']),
  expected: Line.default(''),
  found: Line.default(''),
  seconds: Seconds.default(0),
})
export type VerifiedCheck = z.output<typeof VerifiedCheck>

export const VerifiedFile = z.object({
  /** In the folder of the model, or in the package that contains it. */
  name: z.string().max(300),
  size: z.int().min(0),
  /** Digest of the bytes on the disk now. */
  sha256: Digest,
  /** True if it is the digest that was recorded at the installation, or if none was recorded. */
  isIntact: z.boolean(),
})
export type VerifiedFile = z.output<typeof VerifiedFile>

export const VerifyResult = z.object({
  engine: z.string().max(64),
  model: z.string().max(128),
  /** The implementation that the engine follows, with its version. */
  reference: Line,
  /** Programs and libraries with their versions, on the machine that ran it. */
  versions: list(z.object({ name: z.string().max(64), version: z.string().max(64) }), 20),
  /** Operating system and processor, such as `linux x64`. */
  platform: z.string().max(64),
  ...Placed,
  files: list(VerifiedFile, 2_000),
  checks: list(VerifiedCheck, 200),
  sample_rate: SampleRate.nullable().default(null),
  /** Text of the output; null without one. */
  sentence: z
    .object({ text: Line, language: z.string().max(64) })
    .nullable()
    .default(null),
  /** The spoken sentence; none for an engine that does not speak. */
  parts: Parts,
})
export type VerifyResult = z.output<typeof VerifyResult>

export const verifyModel = operation({
  id: 'verify',
  params: VerifyParams,
  result: VerifyResult,
  units: () => 1,
  parts: () => 1,
  objection: ({ parts }, _, { outputBytes }) => partsDisagree(parts, 1, outputBytes),
})
