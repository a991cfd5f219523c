// Reads the capabilities of this machine's ffmpeg.
import { Failure } from '#shared/protocol/failure.ts'
import type { Workspace } from '../guard/workspace.ts'

export type FfmpegCapabilities = {
  /** The main number of its version; null for a build that has none. */
  readonly version: number | null
  readonly encoders: ReadonlySet<string>
}
const LIMIT_MS = 30_000
const MAX_OUTPUT_BYTES = 1024 * 1024

/** Throws PROGRAM_MISSING, EXECUTION_TIMEOUT, and the reason of the signal. */
export async function readCapabilities(program: string, workspace: Workspace): Promise<FfmpegCapabilities> {
  const ask = async (question: string): Promise<string> => {
    const pieces: Buffer[] = []
    let bytes = 0
    const take = (piece: Buffer) => {
      bytes += piece.length
      if (bytes > MAX_OUTPUT_BYTES) throw new Failure('UNKNOWN', 'ffmpeg describes itself at unusual length.')
      pieces.push(piece)
    }
    await workspace.run({ program, args: ['-hide_banner', '-loglevel', 'error', question], limitMs: LIMIT_MS, take })
    return Buffer.concat(pieces).toString('utf8')
  }
  const major = /^ffmpeg version n?(\d{1,3})\./.exec(await ask('-version'))?.[1]
  const encoders = [...(await ask('-encoders')).matchAll(/^ [VAS][A-Z.]{5} (\S{1,64})/gm)].map(([, name = '']) => name)
  return { version: major === undefined ? null : Number(major), encoders: new Set(encoders) }
}
