// Reads the answer of ffprobe about a film, for dubbing. Pure.
import { z } from 'zod'
import { cleanLine } from '#shared/protocol/fields/clean-text.ts'

/** A fraction, as ffprobe writes it. */
export type FrameRate = { readonly numerator: number; readonly denominator: number }
export type FilmVideo = {
  /** Its place among the streams of the file, and among those of video. */
  readonly stream: number
  readonly position: number
  readonly codec: string
  readonly pixelFormat: string
  /** Pixels after rotation. */
  readonly width: number
  readonly height: number
  /** Degrees clockwise: 0, 90, 180 or 270. */
  readonly rotation: number
  /** The rate that the file announces: at most 60, and 25 where it announces none. */
  readonly frameRate: FrameRate
  readonly isVariable: boolean
  readonly hdr: 'pq' | 'hlg' | null
  readonly isDolbyVision: boolean
  readonly bitDepth: number
  /** Names of ffmpeg; null when the file says nothing. */
  readonly colour: { readonly space: string | null; readonly transfer: string | null; readonly primaries: string | null }
  readonly startUs: number
  readonly durationUs: number | null
}
export type FilmAudio = {
  readonly stream: number
  /** Its place among the streams of sound: the number that `extract` takes. */
  readonly position: number
  readonly codec: string
  readonly channels: number
  readonly layout: string | null
  readonly sampleRate: number
  /** Language as the file states it: mostly three letters. */
  readonly language: string | null
  readonly title: string | null
  readonly isDefault: boolean
  /** Microseconds from the start of the picture to the start of this sound. Negative: the sound starts first. 0 without a picture. */
  readonly leadUs: number
  readonly durationUs: number | null
}
export type FilmChapter = {
  readonly title: string | null /** From the start of the film. */
  readonly startUs: number
  readonly endUs: number
}
export type FilmProbe = {
  readonly kind: 'video' | 'audio' | 'none'
  /** The name of the container in ffmpeg. */
  readonly container: string
  /**
   * Length of the picture, or of the sound without one; null when the file does not say. A header may lie: `extract` returns what was
   * decoded.
   */
  readonly durationUs: number | null
  /** Time from the first to the last time stamp of all streams; null when the file does not say. */
  readonly lengthUs: number | null
  /** Null without a picture; cover art is none. */
  readonly video: FilmVideo | null
  readonly audio: readonly FilmAudio[]
  /** The position of the sound to use unless another one is named: the default one, else the one with the most channels. Null without sound. */
  readonly defaultAudio: number | null
  /** The position of cover art among the streams of video; null without one. */
  readonly cover: number | null
  readonly chapters: readonly FilmChapter[]
  readonly title: string | null
  /** The first time stamp of all streams, from which ffmpeg counts. */
  readonly startUs: number
}

const MAX_STREAMS = 128
const MAX_CHAPTERS = 2000
const MAX_SIDE = 16_384
const MAX_CHANNELS = 64
const HIGHEST_SAMPLE_RATE = 768_000
const LONGEST_SECONDS = 1_000_000
const TITLE_CHARACTERS = 200
const MAX_FRAME_RATE = 60
const MIN_FRAME_RATE = 1
const USUAL_FRAME_RATE: FrameRate = { numerator: 25, denominator: 1 }
/** Share of the announced rate; below it the frames are evenly spaced except for rounding. */
const VARIABLE_SHARE = 0.01

const word = z.string().max(64)
const tags = z
  .record(
    z.string().max(200),
    z.string().transform((text) => text.slice(0, 4000)),
  )
  .optional()
const side = z.number().int().min(0).max(MAX_SIDE).optional()
const Stream = z.object({
  index: z.number().int().min(0).max(100_000),
  codec_type: word.optional(),
  codec_name: word.optional(),
  pix_fmt: word.optional(),
  width: side,
  height: side,
  r_frame_rate: word.optional(),
  avg_frame_rate: word.optional(),
  color_space: word.optional(),
  color_transfer: word.optional(),
  color_primaries: word.optional(),
  start_time: word.optional(),
  duration: word.optional(),
  channels: z.number().int().min(0).max(MAX_CHANNELS).optional(),
  channel_layout: word.optional(),
  sample_rate: word.optional(),
  disposition: z.object({ default: z.number().optional(), attached_pic: z.number().optional() }).optional(),
  side_data_list: z
    .array(z.object({ side_data_type: word.optional(), rotation: z.number().optional() }))
    .max(64)
    .optional(),
  tags,
})
type Stream = z.infer<typeof Stream>
export const Probed = z.object({
  streams: z.array(Stream).max(MAX_STREAMS).default([]),
  chapters: z
    .array(z.object({ start_time: word, end_time: word, tags }))
    .max(MAX_CHAPTERS)
    .default([]),
  format: z.object({
    format_name: z.string().max(200),
    start_time: word.optional(),
    duration: word.optional(),
    tags,
  }),
})
export type Probed = z.infer<typeof Probed>

/** Microseconds, or null for a text that is no time of a film. */
const timeOf = (text: string | undefined): number | null => {
  const seconds = Number(text ?? 'none')
  return Number.isFinite(seconds) && Math.abs(seconds) <= LONGEST_SECONDS ? Math.round(seconds * 1e6) : null
}
const lengthOf = (text: string | undefined): number | null => {
  const time = timeOf(text)
  return time !== null && time > 0 ? time : null
}

function rateOf(text: string | undefined): FrameRate | null {
  const [numerator = 0, denominator = 0] = (text ?? '').split('/').map(Number)
  return Number.isInteger(numerator) && Number.isInteger(denominator) && numerator > 0 && denominator > 0
    ? { numerator, denominator }
    : null
}
const perSecond = ({ numerator, denominator }: FrameRate): number => numerator / denominator

function frameRateOf({ r_frame_rate: nominal, avg_frame_rate: average }: Stream): FrameRate {
  const usable = [nominal, average]
    .map(rateOf)
    .find((rate) => rate && perSecond(rate) <= MAX_FRAME_RATE && perSecond(rate) >= MIN_FRAME_RATE)
  if (usable) return usable
  const fastest = rateOf(nominal)
  return fastest && perSecond(fastest) > MAX_FRAME_RATE ? { numerator: MAX_FRAME_RATE, denominator: 1 } : USUAL_FRAME_RATE
}
function isVariable({ r_frame_rate: nominal, avg_frame_rate: average }: Stream): boolean {
  const [first, second] = [rateOf(nominal), rateOf(average)]
  return first !== null && second !== null && Math.abs(perSecond(first) / perSecond(second) - 1) > VARIABLE_SHARE
}

/** Degrees clockwise. ffprobe counts the other way in side data, and this way in the tag of older files. */
function rotationOf({ side_data_list: sides, tags: texts }: Stream): number {
  const turned = sides?.find(({ rotation }) => rotation !== undefined)?.rotation
  const degrees = turned === undefined ? Number(texts?.['rotate'] ?? 0) : -turned
  return Number.isFinite(degrees) ? (((Math.round(degrees / 90) * 90) % 360) + 360) % 360 : 0
}

const lineOf = (text: string | undefined): string | null =>
  cleanLine(text ?? '')
    .trim()
    .slice(0, TITLE_CHARACTERS)
    .toWellFormed() || null
/** MP4 has no title of a stream but the name of its handler, which most programs fill with their own name. */
function streamTitle(texts: Stream['tags']): string | null {
  const handler = texts?.['handler_name'] ?? ''
  return lineOf(texts?.['title'] ?? (/handler|media/i.test(handler) ? '' : handler))
}
const languageOf = (text: string | undefined): string | null =>
  /^[a-zA-Z]{2,3}(?:-[a-zA-Z0-9]{1,8}){0,3}$/.test(text ?? '') && text !== 'und' ? text! : null
const known = (text: string | undefined): string | null =>
  text === undefined || text === 'unknown' || !/^[\w-]+$/.test(text) ? null : text
const bitsOf = (pixelFormat: string): number => Number(/(9|10|12|14|16)(?:le|be)$/.exec(pixelFormat)?.[1] ?? 8)

function videoOf(stream: Stream, position: number, startUs: number): FilmVideo {
  const rotation = rotationOf(stream)
  const [width, height] = [stream.width ?? 0, stream.height ?? 0]
  const pixelFormat = stream.pix_fmt ?? 'unknown'
  const transfer = known(stream.color_transfer)
  return {
    stream: stream.index,
    position,
    codec: stream.codec_name ?? 'unknown',
    pixelFormat,
    width: rotation % 180 === 0 ? width : height,
    height: rotation % 180 === 0 ? height : width,
    rotation,
    frameRate: frameRateOf(stream),
    isVariable: isVariable(stream),
    hdr: transfer === 'smpte2084' ? 'pq' : transfer === 'arib-std-b67' ? 'hlg' : null,
    isDolbyVision: stream.side_data_list?.some(({ side_data_type: type }) => type === 'DOVI configuration record') ?? false,
    bitDepth: bitsOf(pixelFormat),
    colour: { space: known(stream.color_space), transfer, primaries: known(stream.color_primaries) },
    startUs: timeOf(stream.start_time) ?? startUs,
    durationUs: lengthOf(stream.duration),
  }
}

function audioOf(stream: Stream, position: number, startUs: number, pictureUs: number | null): FilmAudio {
  const sampleRate = Number(stream.sample_rate ?? 0)
  return {
    stream: stream.index,
    position,
    codec: stream.codec_name ?? 'unknown',
    channels: stream.channels ?? 0,
    layout: known(stream.channel_layout?.replace(/[.()]/g, '-')) === null ? null : stream.channel_layout!,
    sampleRate: sampleRate > 0 && sampleRate <= HIGHEST_SAMPLE_RATE ? sampleRate : 0,
    language: languageOf(stream.tags?.['language']),
    title: streamTitle(stream.tags),
    isDefault: stream.disposition?.default === 1,
    leadUs: pictureUs === null ? 0 : (timeOf(stream.start_time) ?? startUs) - pictureUs,
    durationUs: lengthOf(stream.duration),
  }
}

const isCover = ({ disposition }: Stream): boolean => disposition?.attached_pic === 1

export function filmOf({ streams, chapters, format }: Probed): FilmProbe {
  const startUs = timeOf(format.start_time) ?? 0
  const pictures = streams.filter(({ codec_type: type }) => type === 'video')
  const moving = pictures.findIndex((stream) => !isCover(stream))
  const cover = pictures.findIndex(isCover)
  const video = moving < 0 ? null : videoOf(pictures[moving]!, moving, startUs)
  const audio = streams
    .filter(({ codec_type: type }) => type === 'audio')
    .map((stream, position) => audioOf(stream, position, startUs, video?.startUs ?? null))
  const readable = audio.filter(({ channels, sampleRate }) => channels > 0 && sampleRate > 0)
  const most = Math.max(...readable.map(({ channels }) => channels))
  const chosen = readable.find(({ isDefault }) => isDefault) ?? readable.find(({ channels }) => channels === most) ?? null
  const zero = video?.startUs ?? startUs
  return {
    kind: video ? 'video' : audio.length > 0 ? 'audio' : 'none',
    container: format.format_name,
    durationUs: video?.durationUs ?? lengthOf(format.duration) ?? chosen?.durationUs ?? null,
    lengthUs: lengthOf(format.duration),
    video,
    audio,
    defaultAudio: chosen?.position ?? null,
    cover: cover < 0 ? null : cover,
    chapters: chapters.flatMap(({ start_time: from, end_time: to, tags: texts }) => {
      const [start, end] = [timeOf(from), timeOf(to)]
      if (start === null || end === null || end <= start) return []
      return [{ title: lineOf(texts?.['title']), startUs: Math.max(0, start - zero), endUs: Math.max(0, end - zero) }]
    }),
    title: lineOf(format.tags?.['title']),
    startUs,
  }
}
