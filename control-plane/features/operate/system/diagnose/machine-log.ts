// The newest log lines of a connected machine as text.

import type { LiveMachine } from '#control-plane/kernel/platform.ts'
import { LogLineMessage } from '#shared/protocol/messages.ts'
import type { Clock } from '#shared/runtime/clock.ts'

const LIMIT_MS = 3_000

/** Empty for a machine that is not connected, does not answer or is too old. Never rejects. */
export async function readMachineLog(
  machine: Pick<LiveMachine, 'logs'> | undefined,
  count: number,
  clock: Pick<Clock, 'after'>,
): Promise<string[]> {
  const abort = new AbortController()
  const forget = clock.after(LIMIT_MS, () => abort.abort())
  const lines: string[] = []
  try {
    for await (const raw of machine?.logs({ last: count, follow: false }, abort.signal) ?? []) {
      const { data: line } = LogLineMessage.safeParse(raw)
      if (!line) continue
      const { at, level, message, fields } = line
      lines.push(`${new Date(at).toISOString()} ${level} ${message} ${JSON.stringify(fields)}\n`)
      if (lines.length >= count) break
    }
  } catch {
    // The lines so far are still useful.
  } finally {
    forget()
  }
  return lines
}
