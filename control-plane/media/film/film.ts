// Films: what is in them, their sound as blocks, still pictures and cuts, and the way back to a file with other speech.
import { stat } from 'node:fs/promises'
import { cpus } from 'node:os'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { shortBytes } from '#shared/runtime/memory/short-bytes.ts'
import { NO_SOUND } from '../ffmpeg/refused-file.ts'
import type { FfmpegCapabilities } from './export/capabilities.ts'
import type { ExportedFilm, ExportedSound, FilmExport, SoundExport } from './export/plan.ts'
import { inWorkspace, type Workspace } from './guard/workspace.ts'
import type { CheckPlan, MeasuredLine } from './mix/check.ts'
import type { AssembledVoice, AssemblePlan, MixedSound, MixPlan, StretchPlan } from './mix/plan.ts'
import type { FramePair } from './picture/frames.ts'
import { readPictureEnd } from './probe/picture-end.ts'
import type { FilmProbe } from './probe/probe.rules.ts'
import { probeFilm } from './probe/probe.ts'
import type { SoundShape } from './sound/blocks.ts'
import type { ExtractedSound } from './sound/extract.ts'
import type { MeasureWork, VoiceMeasure } from './sound/measure.ts'
import { createFilmThreads } from './thread/film-threads.ts'

// Loaded with the first film that needs them, and not at the start of the studio.
const exporting = () => import('./export/export-film.ts')
const soundExport = () => import('./export/export-sound.ts')
const capabilities = () => import('./export/capabilities.ts')
const fonts = () => import('./export/fonts.ts')
const joining = () => import('./join/join-streams.ts')
const pictures = () => import('./picture/picture.ts')
const stills = () => import('./picture/frames.ts')

export type FilmParts = {
  /** Null without the program. Asked for each run. */
  readonly ffmpegPath: () => string | null
  readonly ffprobePath: () => string | null
  readonly clock: Clock
  /** Bytes that may be written to the disk of the studio. */
  readonly freeBytes: () => Promise<number>
  /** A private folder on the disk of all results. */
  readonly scratch: string
}
export type FilmProgress = (microseconds: number) => void
export type FilmMedia = {
  /** Throws BAD_REQUEST for a file that is no film, PROGRAM_KILLED, EXECUTION_TIMEOUT, PROGRAM_MISSING, and the reason of the signal. */
  readonly probe: (source: string, signal: AbortSignal) => Promise<FilmProbe>
  /** Writes a Matroska file with the picture of one film and the sound of another one. Throws as `probe`, and STORAGE_FULL. */
  readonly join: (picture: string, sound: string, to: string, signal: AbortSignal) => Promise<void>
  /**
   * Decodes one stream of sound to `to.sound` and `to.speech`, folders for `openBlocks` that appear when they are complete. `stream` null: the
   * default one. Throws BAD_REQUEST for a film without sound, STORAGE_FULL, EXECUTION_TIMEOUT, PROGRAM_MISSING, and the reason of the signal.
   */
  readonly extract: (
    source: string,
    film: FilmProbe,
    stream: number | null,
    to: { readonly sound: string; readonly speech: string },
    signal: AbortSignal,
    progress?: FilmProgress,
  ) => Promise<ExtractedSound>
  /** Writes a JPEG of 640 pixels width. False for a film without a picture and a cover. Throws as `probe`, and STORAGE_FULL. */
  readonly thumb: (source: string, film: FilmProbe, to: string, signal: AbortSignal) => Promise<boolean>
  /** Microseconds of the cuts, ascending; none without a picture. Throws as `probe`. */
  readonly scenes: (source: string, film: FilmProbe, signal: AbortSignal, progress?: FilmProgress) => Promise<number[]>
  /** Small pictures at these times, null if there is none. Throws as `probe`. */
  readonly frames: (source: string, film: FilmProbe, timesUs: readonly number[], signal: AbortSignal) => Promise<(FramePair | null)[]>
  /** Levels and pitches of stretches of a folder of sound, in their order. Throws INPUT_UNAVAILABLE, and the reason of the signal. */
  readonly measure: (work: MeasureWork, signal: AbortSignal) => Promise<VoiceMeasure[]>
  /** Writes a voice track. Throws INPUT_UNAVAILABLE without the file of a take, STORAGE_FULL, and the reason of the signal. */
  readonly assemble: (plan: AssemblePlan, signal: AbortSignal, progress?: FilmProgress) => Promise<AssembledVoice>
  /** Mixes a voice track with the sound of the film. Throws as `assemble`. */
  readonly mix: (plan: MixPlan, signal: AbortSignal, progress?: FilmProgress) => Promise<MixedSound>
  /** Makes parts of sound longer, for a picture that is slower there. Returns one shape for each sound. Throws as `assemble`. */
  readonly stretch: (plan: StretchPlan, signal: AbortSignal, progress?: FilmProgress) => Promise<SoundShape[]>
  /** Measures each line of a voice track. Throws INPUT_UNAVAILABLE for sound that was deleted, and the reason of the signal. */
  readonly check: (plan: CheckPlan, signal: AbortSignal, progress?: FilmProgress) => Promise<MeasuredLine[]>
  /**
   * Writes an MP4 file. It appears when it is complete and as planned. Throws BAD_REQUEST for a film that cannot be read, UNKNOWN for a result that
   * is not as planned, STORAGE_FULL, EXECUTION_TIMEOUT, PROGRAM_MISSING, and the reason of the signal.
   */
  readonly exportFilm: (plan: FilmExport, signal: AbortSignal, progress?: FilmProgress) => Promise<ExportedFilm>
  /** Writes a file of sound. Throws as `exportFilm`. WAV needs no ffmpeg. */
  readonly exportSound: (plan: SoundExport, signal: AbortSignal, progress?: FilmProgress) => Promise<ExportedSound>
}

/** Longer sound is refused. */
export const LONGEST_FILM_SECONDS = 12 * 3600
const MIN_LIMIT_MS = 120_000
/** Milliseconds for each microsecond of film: a decoder that needs as long as the film lasts is slower than any that was seen. */
const SLOWEST_DECODING = 1 / 1000

const TRACK_BYTES_PER_SECOND = 24_000

const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    (cause: unknown) => {
      throw new Failure('INPUT_UNAVAILABLE', 'The film was deleted.', { cause })
    },
  )
const needed = (path: string | null, name: string): string => {
  if (path !== null) return path
  throw new Failure('PROGRAM_MISSING', `The program ${name} is needed for films, and this machine has none.`, { values: { program: name } })
}

export function createFilmMedia({ ffmpegPath, ffprobePath, clock, freeBytes, scratch }: FilmParts): FilmMedia {
  const threads = Math.max(1, cpus().length - 1)
  const runOperation = createFilmThreads(clock)
  const ffmpeg = () => needed(ffmpegPath(), 'ffmpeg')
  const ffprobe = () => needed(ffprobePath(), 'ffprobe')
  const withSource = async <T>(source: string | null, signal: AbortSignal, work: (workspace: Workspace) => Promise<T>): Promise<T> =>
    inWorkspace({ scratch, clock, roomBytes: await freeBytes() }, source, signal, work)
  const known = new Map<string, FfmpegCapabilities>()
  /** Asked once for each build of the program. */
  async function capabilitiesOf(program: string, workspace: Workspace): Promise<FfmpegCapabilities> {
    const build = `${program} ${(await stat(program).catch(() => null))?.mtimeMs}`
    const found = known.get(build) ?? (await (await capabilities()).readCapabilities(program, workspace))
    known.set(build, found)
    return found
  }
  /** Refuses an export for which there is no room. */
  async function reserve(sourceBytes: number, durationUs: number, tracks: number): Promise<void> {
    const wanted = sourceBytes + tracks * (durationUs / 1e6) * TRACK_BYTES_PER_SECOND
    const free = await freeBytes()
    if (free >= wanted) return
    throw new Failure(
      'STORAGE_FULL',
      `The export needs ${shortBytes(wanted)}, and the studio may use ${shortBytes(Math.max(0, free))} of its disk.`,
    )
  }

  return {
    probe: (source, signal) => withSource(source, signal, (workspace) => probeFilm(ffprobe(), workspace)),

    join: (picture, sound, to, signal) =>
      withSource(picture, signal, async (workspace) => (await joining()).joinStreams(ffmpeg(), workspace, sound, to)),

    async extract(source, film, stream, to, signal, progress) {
      const position = stream ?? film.defaultAudio
      const chosen = position === null ? undefined : film.audio[position]
      if (!chosen) throw new Failure('BAD_REQUEST', NO_SOUND)
      // The sound is extracted even if the end of the picture cannot be read.
      const end = await withSource(source, signal, (workspace) => readPictureEnd(ffprobe(), workspace, film)).catch(() => null)
      signal.throwIfAborted()
      const work = {
        program: ffmpeg(),
        scratch,
        source,
        stream: chosen.position,
        isMono: chosen.channels === 1,
        pictureUs: end?.us ?? null,
        leadUs: chosen.leadUs,
        ...to,
        longestSeconds: LONGEST_FILM_SECONDS,
        limitMs: Math.max(MIN_LIMIT_MS, (film.durationUs ?? LONGEST_FILM_SECONDS * 1e6) * SLOWEST_DECODING),
        roomBytes: await freeBytes(),
        threads,
      }
      return await runOperation('extract', work, signal, progress)
    },

    thumb: (source, film, to, signal) =>
      withSource(source, signal, async (workspace) => (await pictures()).makeThumb({ program: ffmpeg(), threads }, workspace, film, to)),

    scenes: (source, film, signal, progress = () => {}) =>
      withSource(source, signal, async (workspace) =>
        (await pictures()).findScenes({ program: ffmpeg(), threads }, workspace, film, progress),
      ),

    frames: (source, film, timesUs, signal) =>
      withSource(source, signal, async (workspace) =>
        (await stills()).readFrames({ program: ffmpeg(), threads }, workspace, film, timesUs),
      ),

    measure: (work, signal) => runOperation('measure', work, signal),

    assemble: async (plan, signal, progress) =>
      await runOperation('assemble', { ...plan, scratch, roomBytes: await freeBytes() }, signal, progress),

    mix: async (plan, signal, progress) => await runOperation('mix', { ...plan, scratch, roomBytes: await freeBytes() }, signal, progress),

    stretch: async (plan, signal, progress) =>
      await runOperation('stretch', { ...plan, scratch, roomBytes: await freeBytes() }, signal, progress),

    check: (plan, signal, progress) => runOperation('check', plan, signal, progress),

    async exportFilm(plan, signal, progress = () => {}) {
      const tools = { ffmpeg: ffmpeg(), ffprobe: ffprobe(), threads }
      await reserve(await sizeOf(plan.source), plan.durationUs, plan.tracks.length)
      return await withSource(plan.source, signal, async (workspace) => {
        const [{ hasFontFor }, { writeFilm }] = await Promise.all([fonts(), exporting()])
        const hasFont = (language: string) => hasFontFor(language, workspace)
        return await writeFilm(
          { ...tools, hasFont, capabilities: await capabilitiesOf(tools.ffmpeg, workspace) },
          workspace,
          plan,
          progress,
        )
      })
    },

    exportSound: (plan, signal, progress = () => {}) =>
      withSource(null, signal, async (workspace) =>
        (await soundExport()).writeSound({ ffmpeg, ffprobe, threads, signal }, workspace, plan, progress),
      ),
  }
}
