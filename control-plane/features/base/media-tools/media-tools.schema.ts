// Schemas of the media tools, exactly as clients expect them.
import { z } from 'zod'

export const MediaOperation = z
  .object({ state: z.enum(['idle', 'running', 'done', 'error']), progress: z.number().min(0).max(1), error: z.string().nullable() })
  .meta({ id: 'MediaOperation' })
export type MediaOperation = z.output<typeof MediaOperation>
const Tool = z.object({
  tool: z.string(),
  ok: z.boolean(),
  path: z.string().nullable(),
  version: z.string().nullable(),
  origin: z.enum(['sidecar', 'bundled', 'system', 'custom']).nullable(),
})
export const MediaTools = z
  .object({
    ready: z.boolean(),
    tools: z.object({
      ffmpeg: Tool,
      ffprobe: Tool,
      ytdlp: Tool.extend({ overlay_version: z.string().nullable(), baseline_version: z.string().nullable() }),
    }),
    ops: z.object({ acquire: MediaOperation, ytdlp_update: MediaOperation }),
    platform_key: z.string(),
  })
  .meta({ id: 'MediaTools' })
export type MediaTools = z.output<typeof MediaTools>
