// The facts about a media file, from ffprobe.
import { Failure } from '#shared/protocol/failure.ts'
import { killGroup, spawnGroup } from '#shared/runtime/child/group.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { lastText } from '#shared/runtime/lines.ts'
import { lowerPriority } from '#shared/runtime/program.ts'
import { safeInput } from './decoder.ts'
import { type ProgramEnd, programFault } from './program-fault.ts'
import { refusedFile } from './refused-file.ts'

const LIMIT_MS = 30_000
/** A file may contain thousands of streams and megabytes of tags. */
const OUTPUT_BYTES = 4 * 1024 * 1024
const KEPT_TEXT_BYTES = 2048

/**
 * The JSON text that ffprobe writes about the file: its format and its streams, and `more`. `path` is absolute. Throws BAD_REQUEST for a file that it cannot read,
 * EXECUTION_TIMEOUT, what `programFault` returns, and the reason of the signal.
 */
export async function probeMedia(
  program: string,
  path: string,
  clock: Clock,
  signal: AbortSignal,
  more: readonly '-show_chapters'[] = [],
): Promise<string> {
  signal.throwIfAborted()
  const options = ['-hide_banner', '-loglevel', 'error', '-print_format', 'json', '-show_format', '-show_streams', ...more]
  const child = spawnGroup(program, [...options, ...safeInput(path)], { stdio: ['ignore', 'pipe', 'pipe'] })
  lowerPriority(child.pid)
  let failure: Failure | null = null
  const stop = (reason: Failure | null) => {
    failure ??= reason
    killGroup(child)
  }
  const onAbort = () => stop(null)
  signal.addEventListener('abort', onAbort, { once: true })
  const forget = clock.after(LIMIT_MS, () =>
    stop(new Failure('EXECUTION_TIMEOUT', `ffprobe did not finish within ${LIMIT_MS / 1000} seconds.`)),
  )
  const pieces: Buffer[] = []
  let size = 0
  child.stdout.on('data', (piece: Buffer) => {
    size += piece.length
    if (size > OUTPUT_BYTES) return stop(new Failure('BAD_REQUEST', 'The file has more streams and tags than can be listed.'))
    pieces.push(piece)
  })
  const errors = lastText(child.stderr, KEPT_TEXT_BYTES)
  try {
    const end = await new Promise<Omit<ProgramEnd, 'pid'>>((resolve) => {
      child.once('error', ({ message }) => resolve({ code: null, by: null, text: message }))
      child.once('close', (code, by) => resolve({ code, by, text: errors() }))
    })
    signal.throwIfAborted()
    if (failure) throw failure
    const fault = programFault('ffprobe', { pid: child.pid, ...end })
    if (fault) throw fault
    if (end.code !== 0) throw refusedFile('file', errors())
    return Buffer.concat(pieces).toString()
  } finally {
    forget()
    signal.removeEventListener('abort', onAbort)
  }
}
