// Masters and encodes one chapter, in passes over its blocks, so that no chapter is in memory as a whole.
import {
  canLimit,
  correctedLevel,
  firstLevel,
  type Level,
  LOUDNESS_TARGETS,
  type LoudnessTarget,
  MAX_CORRECTIONS,
} from '#shared/audio/master/chapter.ts'
import { emptyHistogram, integratedLoudness } from '#shared/audio/master/histogram.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Media } from '../encode.ts'
import type { Measured } from '../threads/messages.ts'
import type { ChapterOptions, ChapterSource, EncodedChapter } from './book.ts'
import { publish, writeStream } from './book-file.ts'
import { createFileMeter } from './file-meter.ts'
import { createFrameCounter, type FrameCount } from './frames.ts'

export type ChapterDeps = {
  readonly media: Pick<Media, 'encode' | 'measure'>
  /** Null without ffmpeg. */
  readonly ffmpegPath: () => string | null
}

/** Codecs add to peaks, and at low bitrates they take loudness. */
const MAX_FILE_CORRECTIONS = 2
const FILE_TOLERANCE = 0.3
const PEAK_STEP_DB = 0.1

const dbOf = (factor: number): number => 20 * Math.log10(factor)

/** Throws as `createBookMedia().encodeChapter`. */
export async function encodeChapter(
  deps: ChapterDeps,
  source: ChapterSource,
  options: ChapterOptions,
  signal: AbortSignal,
): Promise<EncodedChapter> {
  const target = LOUDNESS_TARGETS[options.preset]
  let level = await levelOf(deps, source, options, target, signal)
  let result: Omit<EncodedChapter, 'bytes'> | null = null
  const bytes = await publish(options.to, async (temporary) => {
    for (let corrections = 0; ; corrections++) {
      const { samples, sampleRate, measured, ofFile } = await write(deps, source, { ...options, to: temporary }, level, signal)
      const loudness = { integrated: integratedLoudness(measured.histogram), truePeakDb: dbOf(measured.truePeak), ofFile }
      result = { path: options.to, codec: options.codec, sampleRate, samples, seconds: samples / sampleRate, loudness }
      const next = ofFile && corrections < MAX_FILE_CORRECTIONS ? levelAfter(level, measured, target) : null
      if (!next) return
      level = next
    }
  })
  return { ...result!, bytes }
}

/** The level for another pass; null when the encoded file is as it should be. */
function levelAfter(level: Level, { histogram, truePeak }: Measured, target: LoudnessTarget): Level | null {
  const louder = correctedLevel(level, histogram, target, FILE_TOLERANCE)
  const excessDb = dbOf(truePeak) - target.peakDb
  if (excessDb <= 0) return louder
  return { ...(louder ?? level), ceilingDb: level.ceilingDb - excessDb - PEAK_STEP_DB }
}

/** The gain that reaches the target after limiting. */
async function levelOf(
  { media }: ChapterDeps,
  source: ChapterSource,
  { outputRate }: ChapterOptions,
  target: LoudnessTarget,
  signal: AbortSignal,
): Promise<Level> {
  const measure = (level?: Level): Promise<Measured> =>
    media.measure({
      sampleRate: source.sampleRate,
      ...(outputRate === undefined ? {} : { outputRate }),
      source: source.open(),
      mark: null,
      ...(level ? { level } : {}),
      signal,
    })
  if (target.loudness === null) return firstLevel(emptyHistogram(), target)
  const { histogram, truePeak } =
    source.histogram === null ? await measure() : { histogram: source.histogram, truePeak: source.truePeak ?? Number.POSITIVE_INFINITY }
  let level = firstLevel(histogram, target)
  for (let corrections = 0; corrections < MAX_CORRECTIONS && canLimit(level, truePeak); corrections++) {
    const next = correctedLevel(level, (await measure(level)).histogram, target)
    if (!next) break
    level = next
  }
  return level
}

/** `measured`: the encoded frames, or the sound before them without ffmpeg. */
type Written = FrameCount & { readonly measured: Measured; readonly ofFile: boolean }

async function write(
  { media, ffmpegPath }: ChapterDeps,
  source: ChapterSource,
  { codec, kbps, outputRate, mark, to }: ChapterOptions,
  level: Level,
  signal: AbortSignal,
): Promise<Written> {
  const program = ffmpegPath()
  const encoded = await media.encode({
    format: codec,
    sampleRate: source.sampleRate,
    ...(outputRate === undefined ? {} : { outputRate }),
    source: source.open(),
    mark,
    effects: null,
    master: false,
    level,
    // With ffmpeg the file is measured.
    isMeasured: program === null,
    bitrateKbps: kbps,
    signal,
  })
  if (encoded.standIn !== null) {
    await encoded.body[Symbol.asyncIterator]().return?.()
    throw new Failure('PROGRAM_MISSING', 'A chapter needs ffmpeg to become AAC, and ffmpeg did not encode it.')
  }
  const counter = createFrameCounter(codec)
  const meter = program === null ? null : createFileMeter({ media, program, codec }, signal)
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const piece of encoded.body) {
      counter.push(piece)
      yield piece
      if (piece.length > 0) await meter?.push(piece, counter.sampleRate())
    }
  }
  try {
    await writeStream(to, counted())
    const count = counter.finish()
    return { ...count, measured: meter ? await meter.finish() : encoded.measured()!, ofFile: meter !== null }
  } finally {
    await meter?.close()
  }
}
