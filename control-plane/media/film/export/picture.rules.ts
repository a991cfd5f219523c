// Plans the picture of an exported film: copied where possible, else encoded so that common players show it. Pure.
import { Failure } from '#shared/protocol/failure.ts'
import type { FilmVideo, FrameRate } from '../probe/probe.rules.ts'
import type { FfmpegCapabilities } from './capabilities.ts'

export type PicturePlan = {
  readonly isCopied: boolean
  /** Options of the output. */
  readonly options: readonly string[]
  /** The text of the filter script; null without a filter. */
  readonly filter: string | null
  readonly warnings: readonly string[]
}
export type PictureOrder = {
  readonly retime: string | null
  readonly isBurnt: boolean
  /** The last picture stays until the end of the result. */
  readonly holdsLast: boolean
  /** The film is one picture. */
  readonly isStill: boolean
  /** The film cannot be copied: a first attempt failed. */
  readonly mustEncode: boolean
}

export const BURNT = 'burn.ass'
/** Frame rate of a film that is one picture: subtitles that are drawn into it need several a second. */
const STILL_RATE: FrameRate = { numerator: 10, denominator: 1 }
/** Codecs that MP4 holds and players show. */
const COPIED: ReadonlySet<string> = new Set(['h264', 'hevc', 'av1', 'vp9', 'mpeg4'])
const QUALITY = { libx264: ['-preset', 'veryfast', '-crf', '18'], libopenh264: ['-b:v', '6M'], mpeg4: ['-q:v', '3'] } as const
/** Numbers, operators and functions of one variable: nothing that ends the quotes of the filter script. */
const EXPRESSION = /^[0-9A-Za-z_.,()+*/ -]+$/

/** Throws BAD_REQUEST for a film without a picture, RangeError for an expression with other characters, PROGRAM_MISSING without an encoder. */
export function pictureFor(video: FilmVideo, order: PictureOrder, capabilities: FfmpegCapabilities): PicturePlan {
  const { retime, isBurnt, holdsLast, mustEncode } = order
  if (retime === null && !isBurnt && !mustEncode && COPIED.has(video.codec))
    return { isCopied: true, options: ['-c:v', 'copy', ...(video.codec === 'hevc' ? ['-tag:v', 'hvc1'] : [])], filter: null, warnings: [] }
  if (retime !== null && !EXPRESSION.test(retime))
    throw new RangeError('the expression of the new times has characters that are not allowed')
  const { numerator, denominator } = rateFor(video, order)
  const filters = [
    // `setpts` cuts times to whole units of the time base, which is a whole frame in some files.
    ...(retime === null ? [] : ['settb=AVTB', `setpts='(${retime})/TB'`]),
    ...(retime === null && !holdsLast ? [] : [`fps=${numerator}/${denominator}${holdsLast ? ':eof_action=pass' : ''}`]),
    // Without an end: the length of the result ends it.
    ...(holdsLast ? ['tpad=stop=-1:stop_mode=clone'] : []),
    // Encoders for 4:2:0 refuse odd sizes.
    ...(video.width % 2 === 1 || video.height % 2 === 1 ? ["pad='ceil(iw/2)*2':'ceil(ih/2)*2'"] : []),
    ...(isBurnt ? [`ass=${BURNT}`] : []),
  ]
  const { options, warnings } = encoderFor(video, capabilities)
  const lost = video.isDolbyVision ? ['The layers of Dolby Vision are lost, because the picture was encoded again.'] : []
  return { isCopied: false, options, filter: filters.length > 0 ? filters.join(',') : null, warnings: [...warnings, ...lost] }
}

/** Frames a second of a picture that is encoded at an even rate. */
export const rateFor = ({ frameRate }: FilmVideo, { holdsLast, isStill }: Pick<PictureOrder, 'holdsLast' | 'isStill'>): FrameRate =>
  holdsLast && isStill ? STILL_RATE : frameRate

function encoderFor(video: FilmVideo, { encoders }: FfmpegCapabilities): { options: readonly string[]; warnings: readonly string[] } {
  const { space, transfer, primaries } = video.colour
  const colours = [
    ...(space ? ['-colorspace', space] : []),
    ...(transfer ? ['-color_trc', transfer] : []),
    ...(primaries ? ['-color_primaries', primaries] : []),
  ]
  if (video.hdr && encoders.has('libx265')) {
    const options = ['-c:v', 'libx265', '-preset', 'veryfast', '-crf', '20', '-pix_fmt', 'yuv420p10le', '-profile:v', 'main10']
    return { options: [...options, '-x265-params', 'log-level=error', '-tag:v', 'hvc1', ...colours], warnings: [] }
  }
  const name = (['libx264', 'libopenh264', 'mpeg4'] as const).find((each) => encoders.has(each))
  if (!name)
    throw new Failure('PROGRAM_MISSING', 'The ffmpeg of this machine has no encoder for a picture (libx264, libopenh264 or mpeg4).')
  const plain = ['-c:v', name, ...QUALITY[name], '-pix_fmt', 'yuv420p']
  if (!video.hdr) return { options: [...plain, ...colours], warnings: [] }
  return { options: plain, warnings: ['The colours of HDR are lost, because this ffmpeg has no encoder for them (libx265).'] }
}
