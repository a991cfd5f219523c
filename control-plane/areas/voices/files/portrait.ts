// Re-encodes portraits with an ffmpeg child: 512 pixels, JPEG, without the data of the camera, which may contain a place.
import { readFile } from 'node:fs/promises'
import { Failure } from '#shared/protocol/failure.ts'
import { killGroup, spawnGroup } from '#shared/runtime/child/group.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { lastText } from '#shared/runtime/lines.ts'
import { lowerPriority } from '#shared/runtime/program.ts'
import { isPlainJpeg, type PictureHeader, readPictureHeader } from '../../../media/picture-header.ts'
import { programFault } from '../../../media/program-fault.ts'
import type { VoicesApi } from '../api.ts'

const MOST_BYTES = 5 * 1024 * 1024
const MOST_PIXELS = 16_000_000
const MOST_RESULT_BYTES = 2 * 1024 * 1024
const SIDE = 512
const LIMIT_MS = 20_000
const KEPT_TEXT_BYTES = 2048
/** Decoders by type: nothing but the recognised type is decoded. */
const DEMUXERS: Readonly<Record<PictureHeader['type'], readonly string[]>> = {
  jpeg: ['-f', 'jpeg_pipe', '-c:v', 'mjpeg'],
  png: ['-f', 'png_pipe', '-c:v', 'png'],
  webp: ['-f', 'webp_pipe', '-c:v', 'webp'],
}
const SCALE = `scale=${SIDE}:${SIDE}:force_original_aspect_ratio=increase,crop=${SIDE}:${SIDE}`

export type Portraits = { readonly toJpeg: VoicesApi['portraitOf'] }

export function createPortraits({ ffmpegPath, clock }: { readonly ffmpegPath: () => string | null; readonly clock: Clock }): Portraits {
  return {
    /**
     * Throws MEDIA_TYPE_UNSUPPORTED for what is no JPEG, PNG or WebP, BODY_TOO_LARGE for more than 5 MB or 16 megapixels, PROGRAM_MISSING without
     * ffmpeg, INVALID_REQUEST for a damaged picture, EXECUTION_TIMEOUT, and what `programFault` returns.
     */
    async toJpeg({ path, size }, signal) {
      if (size > MOST_BYTES) throw new Failure('BODY_TOO_LARGE', 'A portrait may have 5 MB.')
      const picture = await readFile(path)
      const header = readPictureHeader(picture)
      if (!header) throw new Failure('MEDIA_TYPE_UNSUPPORTED', 'Send a JPEG, PNG or WebP picture.')
      if (header.width * header.height > MOST_PIXELS)
        throw new Failure('BODY_TOO_LARGE', `The picture has ${header.width} x ${header.height} pixels; 16 megapixels are accepted.`)
      const program = ffmpegPath()
      if (program === null)
        throw new Failure('PROGRAM_MISSING', 'Portraits need ffmpeg, which is not on this machine. ./studio setup installs it.')
      const encoded = await encode(program, header, picture, signal)
      // Bundles travel between studios, and a portrait loses nothing on the way.
      return isPlainJpeg(picture, SIDE) ? picture : encoded
    },
  }

  function encode(program: string, { type }: PictureHeader, picture: Buffer, signal: AbortSignal): Promise<Buffer> {
    signal.throwIfAborted()
    const input = ['-protocol_whitelist', 'pipe', ...DEMUXERS[type], '-i', 'pipe:0']
    const output = ['-map_metadata', '-1', '-frames:v', '1', '-vf', SCALE, '-pix_fmt', 'yuvj420p', '-q:v', '4', '-f', 'mjpeg', 'pipe:1']
    const child = spawnGroup(program, ['-hide_banner', '-loglevel', 'error', '-threads', '1', ...input, ...output])
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
      if (bytes > MOST_RESULT_BYTES) {
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
}
