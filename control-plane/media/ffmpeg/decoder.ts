// Decodes any audio or video file with one ffmpeg child; the output is the first audio track.
import type { Failure } from '#shared/protocol/failure.ts'
import { killGroup, spawnGroup } from '#shared/runtime/child/group.ts'
import { lastText } from '#shared/runtime/lines.ts'
import { lowerPriority } from '#shared/runtime/program.ts'
import type { FfmpegEnd } from './ffmpeg.ts'
import { monoArguments, monoOutput } from './mono.ts'
import { programFault } from './program-fault.ts'

export type Decoder = {
  readonly pid: number | undefined
  /** s16le mono at the requested rate. */
  readonly output: AsyncIterable<Uint8Array>
  /** Never rejects. `fault`: null for an end that says something about the file. */
  readonly ended: Promise<FfmpegEnd & { readonly fault: Failure | null }>
  readonly kill: () => void
}

const KEPT_TEXT_BYTES = 2048
/** Audio and video containers only. A playlist names other files, and an upload must not make the studio read them. */
export const CONTAINERS =
  'mp3,wav,w64,ogg,flac,aac,aiff,au,caf,amr,ape,wv,mpc,mpc8,tta,ac3,eac3,dts,asf,avi,flv,mpeg,mpegts,matroska,webm,mov,mp4,m4a,3gp,3g2,mj2'

/** The arguments that make ffmpeg or ffprobe read this input, and no other file or address that it may name. */
export const safeInput = (input: string): readonly string[] => ['-protocol_whitelist', 'file', '-format_whitelist', CONTAINERS, '-i', input]

/**
 * True if the disk refused a write: it is full, or the share of this user of it. Ask also after a success: when only the last writes fail, ffmpeg
 * ends with 0, and the file has its whole size with zeros where writes failed.
 */
export const saysDiskFull = (text: string): boolean => /No space left on device|Disk quota exceeded|File too large/.test(text)

export function startDecoder(program: string, path: string, sampleRate: number): Decoder {
  const output = [...monoArguments(sampleRate), 'pipe:1']
  const child = spawnGroup(program, ['-hide_banner', '-nostdin', '-loglevel', 'error', ...safeInput(`file:${path}`), ...output], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  lowerPriority(child.pid)
  const errors = lastText(child.stderr, KEPT_TEXT_BYTES)
  const ended = new Promise<Awaited<Decoder['ended']>>((resolve) => {
    const settle = (code: number | null, by: NodeJS.Signals | null, said: string) =>
      resolve({ ok: code === 0, text: said, fault: programFault('ffmpeg', { pid: child.pid, code, by, text: said }) })
    child.once('error', (error) => settle(null, null, error.message))
    child.once('close', (code, by) => settle(code, by, errors()))
  })
  return {
    pid: child.pid,
    output: monoOutput(child.stdout),
    ended,
    kill: () => {
      killGroup(child)
      child.stdout.destroy()
    },
  }
}
