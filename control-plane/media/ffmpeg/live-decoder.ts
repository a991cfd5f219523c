// Decodes a recording while it arrives, such as WebM from a browser, with one ffmpeg child.
import type { Failure } from '#shared/protocol/failure.ts'
import { killGroup, spawnGroup } from '#shared/runtime/child/group.ts'
import { lastText } from '#shared/runtime/lines.ts'
import { lowerPriority } from '#shared/runtime/program.ts'
import { CONTAINERS } from './decoder.ts'
import { monoArguments, monoOutput } from './mono.ts'
import { programFault } from './program-fault.ts'
import { refusedFile } from './refused-file.ts'

const KEPT_TEXT_BYTES = 2048
/** Limit for one allocation of ffmpeg: a hostile header may announce any size. */
const MAX_ALLOCATED_BYTES = 64 * 1024 * 1024
// ffmpeg would otherwise read several seconds before it writes anything.
const AT_ONCE = ['-probesize', '4096', '-analyzeduration', '0', '-fflags', 'nobuffer']

/**
 * s16le mono at `sampleRate` from a recording in pieces, as fast as it arrives and is read. Throws BAD_REQUEST for bytes that ffmpeg cannot
 * read, and what `recording` throws. The child ends with the reading.
 */
export async function* decodeLive(
  program: string,
  recording: AsyncIterable<Uint8Array>,
  sampleRate: number,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const guard = ['-max_alloc', String(MAX_ALLOCATED_BYTES), '-threads', '1', '-protocol_whitelist', 'pipe', '-format_whitelist', CONTAINERS]
  const output = [...monoArguments(sampleRate), '-flush_packets', '1', 'pipe:1']
  const child = spawnGroup(program, ['-hide_banner', '-nostdin', '-loglevel', 'error', ...guard, ...AT_ONCE, '-i', 'pipe:0', ...output])
  lowerPriority(child.pid)
  const errors = lastText(child.stderr, KEPT_TEXT_BYTES)
  child.stdin.on('error', () => {}) // The end of the child reports it.
  const ended = new Promise<{ readonly ok: boolean; readonly fault: Failure | null }>((resolve) => {
    const settle = (code: number | null, by: NodeJS.Signals | null, said: string) =>
      resolve({ ok: code === 0, fault: programFault('ffmpeg', { pid: child.pid, code, by, text: said }) })
    child.once('error', (error) => settle(null, null, error.message))
    child.once('exit', () => child.stdin.destroy()) // Lets a pending write return.
    child.once('close', (code, by) => settle(code, by, errors()))
  })
  const stop = () => {
    killGroup(child)
    child.stdout.destroy()
  }
  signal.addEventListener('abort', stop, { once: true })

  async function feed(): Promise<unknown> {
    try {
      for await (const piece of recording) {
        const isAccepted = await new Promise<boolean>((resolve) => child.stdin.write(piece, (error) => resolve(!error)))
        if (!isAccepted) return null
      }
      return null
    } catch (error) {
      return error
    } finally {
      child.stdin.end()
    }
  }

  const feeding = feed()
  try {
    for await (const piece of monoOutput(child.stdout)) yield Buffer.from(piece)
    const { ok, fault } = await ended
    signal.throwIfAborted()
    if (fault) throw fault
    if (!ok) throw refusedFile('audio', errors())
    const failure = await feeding
    if (failure) throw failure
  } finally {
    signal.removeEventListener('abort', stop)
    stop()
    await ended
  }
}
