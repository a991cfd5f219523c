// The messages of a sidecar. It is a third-party program, so every message is validated.
import { z } from 'zod'

export const SIDECAR_PROTOCOL = 1
const id = z.int().min(1).max(Number.MAX_SAFE_INTEGER)
const Hello = z.object({
  type: z.literal('hello'),
  protocol: z.literal(SIDECAR_PROTOCOL, `must be ${SIDECAR_PROTOCOL}`),
  engine: z.string().max(64),
  version: z.string().max(64).default(''),
})
const SidecarDescription = z.object({
  type: z.literal('describe'),
  operation: z.literal('tts').default('tts'),
  device: z.enum(['cpu', 'cuda', 'webgpu', 'coreml', 'directml']).default('cpu'),
  sample_rate: z.int().min(8_000).max(192_000),
  languages: z.array(z.string().max(32)).max(1000).default(['*']),
  voices: z
    .array(z.object({ id: z.string().min(1).max(200), name: z.string().max(200), language: z.string().max(32) }))
    .max(5000)
    .default([]),
  cloning: z.boolean().default(false),
  memory_bytes: z.int().min(0).default(0),
  /** Longest silence of a run before it counts as hung. */
  silence_seconds: z.number().min(0.1).max(3600).default(120),
})
export type SidecarDescription = z.output<typeof SidecarDescription>
const Progress = z.object({ type: z.literal('progress'), id, progress: z.number().min(0).max(1), stage: z.string().max(200).default('') })
const Audio = z.object({ type: z.literal('audio'), id, part: z.int().min(0).max(100_000), bytes: z.int().min(2).multipleOf(2) })
const Result = z.object({
  type: z.literal('result'),
  id,
  result: z.object({
    sample_rate: z.int().min(8_000).max(192_000),
    parts: z.array(z.object({ samples: z.int().min(0) })).max(100_000),
    voice: z.string().max(200),
    notices: z.array(z.string().max(1000)).max(100).default([]),
  }),
})
export type SidecarResult = z.output<typeof Result>['result']
/** The failures that a sidecar may report; its watcher detects the others. */
const Refused = z.object({
  type: z.literal('error'),
  id,
  code: z.enum([
    'INVALID_TASK_PARAMS',
    'OPERATION_UNSUPPORTED',
    'MODEL_NOT_DOWNLOADED',
    'INSUFFICIENT_MEMORY',
    'CANCELLED',
    'WORKER_FAILED',
  ]),
  message: z.string().max(2000),
})
export const FromSidecar = z.discriminatedUnion('type', [Hello, SidecarDescription, Progress, Audio, Result, Refused])
export type FromSidecar = z.output<typeof FromSidecar>

export type ToSidecar =
  | { readonly type: 'hello'; readonly protocol: number; readonly engine: string }
  | { readonly type: 'describe' }
  | { readonly type: 'run'; readonly id: number; readonly operation: string; readonly params: unknown }
  | { readonly type: 'cancel'; readonly id: number }
  | { readonly type: 'bye' }

/** `sidecar.json` of an installed sidecar. Relative paths refer to its folder. */
export const SidecarManifest = z.strictObject({
  protocol: z.literal(SIDECAR_PROTOCOL),
  engine: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,63}$/),
  version: z.string().max(64).default(''),
  command: z.array(z.string().min(1).max(4096)).min(1).max(32),
  /** False when its owner wrote this file: the studio then never removes the folder. */
  managed: z.boolean().default(false),
  describe: SidecarDescription.omit({ type: true }),
})
export type SidecarManifest = z.output<typeof SidecarManifest>
