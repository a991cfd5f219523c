// The newest log lines of a connected machine as text.
import type { Clock } from '#shared/runtime/clock.ts'
import type { LiveMachine } from '../../platform.ts'

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
    for await (const { at, level, message, fields_json } of machine?.logs({ last: count, follow: false }, abort.signal) ?? []) {
      lines.push(`${new Date(at).toISOString()} ${level} ${message} ${fields_json}\n`)
      if (lines.length >= count) break
    }
  } catch {
    // The lines so far are still useful.
  } finally {
    forget()
  }
  return lines
}
