// The facts about a media file of this machine.
import { realpathSync, statSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { probeMedia } from '#control-plane/media/ffmpeg/ffprobe.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'

type Deps = {
  /** Path of ffprobe; null without one. */
  readonly ffprobe: () => string | null
  readonly clock: Clock
}
export type Probe = ReturnType<typeof createProbe>

/** Probes at the same time. */
const AT_ONCE = 4

export function createProbe({ ffprobe, clock }: Deps) {
  let running = 0
  return {
    /**
     * The JSON of ffprobe, or `raw` with its text. Throws NOT_FOUND, BAD_REQUEST for a file that ffprobe cannot read, PROGRAM_MISSING,
     * QUEUE_FULL, EXECUTION_TIMEOUT, and the reason of the signal.
     */
    async read(path: string, signal: AbortSignal): Promise<Record<string, unknown>> {
      const program = ffprobe()
      if (program === null) throw new Failure('PROGRAM_MISSING', 'The program ffprobe is not installed on this machine.')
      const file = regularFile(path)
      if (running >= AT_ONCE) throw new Failure('QUEUE_FULL', `${AT_ONCE} files are being read already. Try again in a moment.`)
      running++
      try {
        return parsed(await probeMedia(program, file, clock, signal))
      } finally {
        running--
      }
    },
  }
}

/** The real path, because a link may be replaced afterwards. Pipes and devices could block. */
function regularFile(path: string): string {
  try {
    if (isAbsolute(path)) {
      const real = realpathSync(path)
      if (statSync(real).isFile()) return real
    }
  } catch {
    // Reported below.
  }
  throw new Failure('NOT_FOUND', 'There is no such file on this machine. Send an absolute path.')
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch {
    // Returned as text below.
  }
  return { raw: text }
}
