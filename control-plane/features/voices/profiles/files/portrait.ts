// Re-encodes portraits with an ffmpeg child: 512 pixels, JPEG, without the data of the camera, which may contain a place.

import { readFile } from 'node:fs/promises'
import { decodePicture } from '#control-plane/media/picture/decode-picture.ts'
import { isPlainJpeg, readPictureHeader } from '#control-plane/media/picture/picture-header.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { COMMAND } from '#shared/protocol/version.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { VoicesApi } from '../api.ts'

const MAX_BYTES = 5 * 1024 * 1024
const MAX_PIXELS = 16_000_000
const MAX_RESULT_BYTES = 2 * 1024 * 1024
const SIDE = 512
const SCALE = `scale=${SIDE}:${SIDE}:force_original_aspect_ratio=increase,crop=${SIDE}:${SIDE}`
const OUTPUT = ['-vf', SCALE, '-pix_fmt', 'yuvj420p', '-q:v', '4', '-f', 'mjpeg']

export type Portraits = { readonly toJpeg: VoicesApi['portraitOf'] }

export function createPortraits({ ffmpegPath, clock }: { readonly ffmpegPath: () => string | null; readonly clock: Clock }): Portraits {
  return {
    /**
     * Throws MEDIA_TYPE_UNSUPPORTED for what is no JPEG, PNG or WebP, BODY_TOO_LARGE for more than 5 MB or 16 megapixels, PROGRAM_MISSING without
     * ffmpeg, INVALID_REQUEST for a damaged picture, EXECUTION_TIMEOUT, and what `programFault` returns.
     */
    async toJpeg({ path, size }, signal) {
      if (size > MAX_BYTES) throw new Failure('BODY_TOO_LARGE', 'A portrait may have 5 MB.')
      const picture = await readFile(path)
      const header = readPictureHeader(picture)
      if (!header) throw new Failure('MEDIA_TYPE_UNSUPPORTED', 'Send a JPEG, PNG or WebP picture.')
      if (header.width * header.height > MAX_PIXELS)
        throw new Failure('BODY_TOO_LARGE', `The picture has ${header.width} x ${header.height} pixels; 16 megapixels are accepted.`)
      const program = ffmpegPath()
      if (program === null)
        throw new Failure('PROGRAM_MISSING', `Portraits need ffmpeg, which is not on this machine. ${COMMAND} setup installs it.`)
      const encoded = await decodePicture(
        { program, clock, type: header.type, picture, output: OUTPUT, mostBytes: MAX_RESULT_BYTES },
        signal,
      )
      // Bundles travel between studios, and a portrait loses nothing on the way.
      return isPlainJpeg(picture, SIDE) ? picture : encoded
    },
  }
}
