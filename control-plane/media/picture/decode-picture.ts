// Decodes one picture of a stranger with an ffmpeg child, which reads nothing but the picture.
import { Failure } from '#shared/protocol/failure.ts'
import { killGroup, spawnGroup } from '#shared/runtime/child/group.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { lastText } from '#shared/runtime/lines.ts'
import { lowerPriority } from '#shared/runtime/program.ts'
import { programFault } from '../ffmpeg/program-fault.ts'
import type { PictureHeader } from './picture-header.ts'

type Decoding = {
  /** Path of ffmpeg. */
  readonly program: string
  readonly clock: Clock
  /** Type in its header: nothing but this type is decoded. */
  readonly type: PictureHeader['type']
  readonly picture: Buffer
  /** Output of ffmpeg for the first frame, as its arguments before the place. */
  readonly output: readonly string[]
  readonly mostBytes: number
}

const LIMIT_MS = 20_000
const KEPT_TEXT_BYTES = 2048
const DEMUXERS: Readonly<Record<PictureHeader['type'], readonly string[]>> = {
  jpeg: ['-f', 'jpeg_pipe', '-c:v', 'mjpeg'],
  png: ['-f', 'png_pipe', '-c:v', 'png'],
  webp: ['-f', 'webp_pipe', '-c:v', 'webp'],
}

/** Throws INVALID_REQUEST for a damaged picture or a large result, EXECUTION_TIMEOUT, what `programFault` returns, and the reason of the signal. */
export function decodePicture({ program, clock, type, picture, output, mostBytes }: Decoding, signal: AbortSignal): Promise<Buffer> {
  signal.throwIfAborted()
  const input = ['-protocol_whitelist', 'pipe', ...DEMUXERS[type], '-i', 'pipe:0']
  const options = ['-hide_banner', '-loglevel', 'error', '-threads', '1', ...input, '-map_metadata', '-1', '-frames:v', '1']
  const child = spawnGroup(program, [...options, ...output, 'pipe:1'])
  lowerPriority(child.pid)
  let late: Failure | null = null
  const kill = () => killGroup(child)
  const forget = clock.after(LIMIT_MS, () => {
    late = new Failure('EXECUTION_TIMEOUT', `ffmpeg did not finish within ${LIMIT_MS / 1000} seconds.`)
    kill()
  })
  signal.addEventListener('abort', kill, { once: true })
  const pieces: Buffer[] = []
  let bytes = 0
  child.stdout.on('data', (piece: Buffer) => {
    bytes += piece.length
    if (bytes > mostBytes) {
      late ??= new Failure('INVALID_REQUEST', 'The picture becomes too large as a JPEG.')
      kill()
    } else pieces.push(piece)
  })
  const errors = lastText(child.stderr, KEPT_TEXT_BYTES)
  child.stdin.on('error', () => {}) // the end of the child says more
  child.stdin.end(picture)
  return new Promise<Buffer>((resolve, reject) => {
    child.once('error', ({ message }) => reject(programFault('ffmpeg', { pid: child.pid, code: null, by: null, text: message })))
    child.once('close', (code, by) => {
      const fault = late ?? programFault('ffmpeg', { pid: child.pid, code, by, text: errors() })
      if (signal.aborted) reject(signal.reason)
      else if (fault) reject(fault)
      else if (code !== 0 || bytes === 0) reject(new Failure('INVALID_REQUEST', 'The picture is damaged: ffmpeg cannot read it.'))
      else resolve(Buffer.concat(pieces))
    })
  }).finally(() => {
    forget()
    signal.removeEventListener('abort', kill)
  })
}
