// The new lines of a log file, polled, because a file may be on a file system without notifications.
import { open, stat } from 'node:fs/promises'
import type { Clock } from '#shared/runtime/clock.ts'
import { linesOf } from '#shared/text/lines.ts'

type Place = { readonly inode: number; readonly size: number }
type Deps = { readonly path: string; readonly intervalMs: number; readonly clock: Pick<Clock, 'sleep'> }
/** Bytes of one event. A client that is further behind misses the lines in between. */
const MAX_BYTES = 256 * 1024

/** Rejects with the error of the system. */
export async function placeOf(path: string): Promise<Place> {
  const { ino, size } = await stat(path)
  return { inode: ino, size }
}

/** Lists of complete lines after `from`, until the signal aborts. A file that was truncated or replaced is read from its start. */
export async function* followLog({ path, intervalMs, clock }: Deps, from: Place, signal: AbortSignal): AsyncGenerator<string[]> {
  let { inode, size: at } = from
  let rest = ''
  for (;;) {
    await clock.sleep(intervalMs, signal).catch(() => {})
    if (signal.aborted) return
    const now = await placeOf(path).catch(() => null)
    if (!now) continue // Between two parts of a rolling log.
    if (now.inode !== inode || now.size < at) {
      at = 0
      rest = ''
    }
    inode = now.inode
    if (now.size === at) continue
    const start = Math.max(at, now.size - MAX_BYTES)
    const text = await textBetween(path, start, now.size).catch(() => '')
    if (text === '') continue
    // After a jump the first line is incomplete.
    const whole = start > at ? text.slice(text.indexOf('\n') + 1) : rest + text
    const end = whole.lastIndexOf('\n') + 1
    rest = whole.slice(end).slice(-MAX_BYTES)
    at = now.size
    if (end > 0) yield linesOf(whole.slice(0, end))
  }
}

async function textBetween(path: string, from: number, to: number): Promise<string> {
  const file = await open(path, 'r')
  try {
    const bytes = Buffer.alloc(to - from)
    const { bytesRead } = await file.read(bytes, 0, bytes.length, from)
    return bytes.toString('utf8', 0, bytesRead)
  } finally {
    await file.close()
  }
}
