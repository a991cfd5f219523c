// The operation that needs no engine: the agent returns the bytes it was sent, or as many as were requested. It measures the way to a
// machine and back.
import { z } from 'zod'
import { operation } from './operation.ts'

export const PROBE = 'probe'
/** Probes that a machine answers at once. */
export const PROBE_PERMITS = 256

const GIBIBYTE = 1024 ** 3
const MAX_ECHO = 64 * 1024

export const ProbeParams = z.strictObject({
  echo: z.string().max(MAX_ECHO).default(''),
  bytes: z.int().min(0).max(GIBIBYTE).default(0),
})
export type ProbeParams = z.output<typeof ProbeParams>

/** `echoed`: UTF-16 units. */
export const ProbeResult = z.object({ echoed: z.int().min(0).max(MAX_ECHO), bytes: z.int().min(0).max(GIBIBYTE) })
export type ProbeResult = z.output<typeof ProbeResult>

export const probe = operation({
  id: PROBE,
  params: ProbeParams,
  result: ProbeResult,
  units: ({ echo, bytes }) => echo.length + bytes,
  parts: () => 1,
  objection: (result, params) =>
    result.bytes === params.bytes && result.echoed === params.echo.length ? null : 'it names other sizes than were requested',
})
