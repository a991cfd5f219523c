// The versions of programs, by running them. The answer is kept until the file changes.

import { type BigIntStats, statSync } from 'node:fs'
import type { MediaProgram } from '#control-plane/media/programs.ts'
import { execFile } from '#shared/runtime/child/process.ts'

export type Versions = ReturnType<typeof createVersions>

const TIMEOUT_MS = 5_000
const OUTPUT_BYTES = 1024 * 1024
const VERSION_CHARS = 64
const FLAGS: Readonly<Record<MediaProgram, string>> = { ffmpeg: '-version', ffprobe: '-version', ytdlp: '--version' }
/** Patterns of the first line of the output: another program is not taken for it. */
const FIRST_LINES: Readonly<Record<MediaProgram, RegExp>> = {
  ffmpeg: /^ffmpeg version (\S+)/,
  ffprobe: /^ffprobe version (\S+)/,
  ytdlp: /^(\d{4}\.\d\S*)/,
}
/** More programs than this are never asked between two changes. */
const KEPT = 32

export function createVersions() {
  const known = new Map<string, Promise<string | null>>()
  return {
    /** Null when the file is not this program, does not start, or does not answer within 5 s. Never rejects. */
    of(program: MediaProgram, path: string): Promise<string | null> {
      const found = statOf(path)
      if (!found?.isFile()) return Promise.resolve(null)
      const key = `${program}:${path}:${found.ino}:${found.size}:${found.ctimeNs}`
      const kept = known.get(key)
      if (kept) return kept
      const version = run(path, FLAGS[program]).then((line) => {
        const [, text] = FIRST_LINES[program].exec(line) ?? []
        if (text === undefined) known.delete(key) // so that a repaired library or a passing shortage is noticed
        return text?.slice(0, VERSION_CHARS) ?? null
      })
      known.set(key, version)
      for (const oldest of known.keys()) if (known.size > KEPT) known.delete(oldest)
      return version
    },
  }
}

/** Null for a file that is missing, behind a loop of links, or in a folder without access. */
function statOf(path: string): BigIntStats | null {
  try {
    return statSync(path, { bigint: true })
  } catch {
    return null
  }
}

const run = (path: string, flag: string): Promise<string> =>
  new Promise((resolve) => {
    const options = { timeout: TIMEOUT_MS, killSignal: 'SIGKILL', maxBuffer: OUTPUT_BYTES } as const
    const child = execFile(path, [flag], options, (error, output) => resolve(error ? '' : (output.split('\n', 1)[0] ?? '').trim()))
    child.stdin?.on('error', () => {})
    child.stdin?.end()
  })
