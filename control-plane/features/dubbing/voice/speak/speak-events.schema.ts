// The events of lines that are spoken and assembled.
import { z } from 'zod'

/** `waiting`: for a machine. `local_fallback`: dubs run here although another machine is chosen. */
const Routing = z.strictObject({
  type: z.literal('routing_notice'),
  status: z.enum(['waiting', 'local_fallback', 'notice']),
  reason: z.string(),
})
const Warning = z.strictObject({ type: z.literal('warning'), segment: z.null(), message: z.string() })
/** `segment`: the line that is not spoken, by its position. */
const LineFailed = z.strictObject({ type: z.literal('error'), segment: z.int(), error: z.string() })
/** `current`: the line that is done, from 0. */
const Progress = z.strictObject({ type: z.literal('progress'), current: z.int(), total: z.int(), text: z.string() })
const Assembling = z.strictObject({ type: z.literal('assembling') })

export const SPEAK_STEPS = [Routing, Warning, LineFailed, Progress, Assembling] as const
export type SpeakEvent = z.output<(typeof SPEAK_STEPS)[number]>
export type SpeakProgress = z.output<typeof Progress>
