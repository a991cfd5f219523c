// Verification of an installed model. Not in the specification.
import { z } from 'zod'
import { contract } from '#control-plane/http/contract/contract.ts'

const VerifyBody = z
  .strictObject({
    /** A model id, or the id of an engine whose weights come with the agent. */
    repo_id: z.string().trim().min(1).max(200),
    /** 'local' or a worker id. Default: the machine whose models are listed. */
    target: z.string().min(1).max(64).optional(),
  })
  .meta({ id: 'VerifyModel' })

export const VerifyReply = z
  .object({
    repo_id: z.string(),
    engine: z.string(),
    model: z.string(),
    /** False for a machine that is lent to this studio. */
    is_local: z.boolean(),
    /** True if no check differs. */
    passed: z.boolean(),
    studio_version: z.string(),
    reference: z.string(),
    platform: z.string(),
    device: z.string(),
    device_reason: z.string(),
    versions: z.array(z.object({ name: z.string(), version: z.string() })),
    files: z.array(z.object({ name: z.string(), size: z.int(), sha256: z.string(), is_intact: z.boolean() })),
    checks: z.array(
      z.object({
        title: z.string(),
        outcome: z.enum(['pass', 'differs', 'skipped']),
        expected: z.string(),
        found: z.string(),
        seconds: z.number(),
      }),
    ),
    seconds: z.number(),
  })
  .meta({ id: 'VerifiedModel' })
export type VerifyReply = z.output<typeof VerifyReply>

export const verifyContracts = {
  run: contract({
    id: 'models.verify',
    waitsForLocal: true,
    method: 'POST',
    path: '/models/verify',
    access: 'admin',
    extension: true,
    summary: 'Compares an installed model with the figures of its engine and speaks or recognises a sentence with it. Downloads nothing.',
    body: VerifyBody,
    reply: VerifyReply,
  }),
}
