// The dubbed film as MP4: several languages on one time line, subtitles and chapters.

import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'
import type { Dub, DubTrack } from '#control-plane/features/dubbing/store/dub.ts'
import { type ExportSound, lineOfTrack, soundOf, storedPlan } from '#control-plane/features/dubbing/voice/timeline/export-sound.ts'
import { linesOn, pictureEndUs, type TimeLine } from '#control-plane/features/dubbing/voice/timeline/time-line.ts'
import { keyOf } from '#control-plane/jobs/key.ts'
import type { ExportSubtitles, ExportTrack, FilmExport } from '#control-plane/media/film/export/plan.ts'
import type { FilmProbe } from '#control-plane/media/film/probe/probe.rules.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { writeAss } from '#shared/subtitles/ass.ts'
import { srtCues, type WrittenCue } from '#shared/subtitles/write.ts'
import { setptsOf } from '#shared/timing/setpts.ts'
import { cuesOf } from '../subtitle/cues.rules.ts'
import { drawnCues } from '../subtitle/display.rules.ts'
import type { ExportDetail, ExportedFile, ExportFiles } from './export-files.ts'
import { baseName, stampOf } from './names.rules.ts'
import { type TrackSelection, timingTrack } from './selection.rules.ts'
import { EXPORT_WAIT_MS, linesDigest, textsDigest, trackDigest } from './sound-export.service.ts'

const VERSION = 2
const PREVIEW_WAIT_MS = 900_000
const AUDIO_KBPS = 192
const RETIME_FALLBACK = 'video-retime-fallback'
/** No other picture would help. */
const FINAL = new Set(['STORAGE_FULL', 'PROGRAM_MISSING', 'PROGRAM_FAILED', 'INPUT_UNAVAILABLE', 'INPUT_CORRUPT', 'CONFLICT', 'NOT_READY'])
const SHORT_PICTURE = 'The film announces more picture than was found in it, so it ends with its sound.'
const DUCKED = 'The voice of the film was not isolated, so the whole original is turned down under the dub.'

export type FilmChoice = {
  readonly selection: TrackSelection
  readonly preserveBackground: boolean
  readonly burn: boolean
  readonly dual: boolean
  /** A preview has no subtitles that can be turned on, and is shown instead of saved. */
  readonly isPreview: boolean
}
type Deps = {
  readonly core: Pick<DubCore, 'store' | 'files' | 'film'>
  readonly sound: ExportSound
  readonly exported: ExportFiles
  readonly markKey: () => number | null
  readonly clock: Pick<Clock, 'now'>
  /** 0 to 1, while the file is written. */
  readonly progress?: (share: number) => void
}
type Picture = FilmProbe & { readonly video: NonNullable<FilmProbe['video']> }

const CUES_A_TURN = 500
async function srtOf(cues: readonly WrittenCue[]): Promise<string> {
  const written: string[] = []
  for (const cue of srtCues(cues)) {
    if (written.length % CUES_A_TURN === 0) await nextTurn()
    written.push(cue)
  }
  return written.join('\n')
}

export function createFilmExports({ core, sound, exported, markKey, clock, progress = () => {} }: Deps) {
  const { store, files, film } = core

  /** The subtitles of a track or the original on a time line. */
  async function cuesFor(dub: Dub, track: DubTrack | null, line: TimeLine, isDual: boolean): Promise<WrittenCue[]> {
    await nextTurn()
    const texts = track ? store.segments.texts(dub.id, track.languageCode) : {}
    await nextTurn()
    const segments = store.segments.list(dub.id)
    await nextTurn()
    return cuesOf({
      segments: track ? segments : segments.map((each) => ({ ...each, text: each.textOriginal || each.text })),
      texts: Object.keys(texts).length > 0 ? texts : null,
      asked: track && storedPlan(track).input.lines,
      placed: track && linesOn(storedPlan(track), line),
      map: line.map,
      isDual: isDual && track !== null,
    })
  }

  async function write(dub: Dub, tracks: readonly DubTrack[], line: TimeLine, choice: FilmChoice, to: string, signal: AbortSignal) {
    const picture = pictureOf(dub)
    const byCode = new Map(tracks.map((track) => [track.languageCode, track]))
    const notices: string[] = []
    let isWorse = false
    const sounds: ExportTrack[] = []
    for (const code of choice.selection.codes) {
      const track = byCode.get(code)
      if (track) {
        const mix = await sound.mixed(dub, track, line, choice.preserveBackground ? 'full' : 'alone', signal)
        const lacks = [...(mix.isDucked ? [DUCKED] : []), ...(mix.undetected === null ? [] : [mix.undetected])]
        notices.push(...lacks.filter((notice) => !notices.includes(notice)))
        isWorse ||= mix.undetected !== null
        sounds.push({ sound: { folder: files.pathOf(mix.digest) }, language: code, title: track.language || code })
      } else if (line.isRetimed) {
        const { original } = await sound.base(dub, line, signal)
        sounds.push({ sound: { folder: files.pathOf(original) }, language: dub.sourceLang || null, title: 'Original' })
      } else sounds.push({ sound: { stream: picture.defaultAudio! }, language: dub.sourceLang || null, title: 'Original' })
    }
    const soft = choice.burn || choice.isPreview ? [] : choice.selection.codes
    const subtitles: ExportSubtitles[] = []
    for (const code of soft) {
      const track = byCode.get(code) ?? null
      const srt = await srtOf(await cuesFor(dub, track, line, choice.dual))
      if (srt === '') continue
      subtitles.push({ srt, language: track ? code : dub.sourceLang || null, title: track ? track.language || code : 'Original' })
    }
    const shown = byCode.get(choice.selection.first) ?? null
    const drawn = choice.burn ? await cuesFor(dub, shown, line, choice.dual) : []
    const { width, height, frameRate } = picture.video
    const language = shown?.languageCode ?? (dub.sourceLang || null)
    const plan: FilmExport = {
      source: files.pathOf(dub.sourceDigest),
      film: picture,
      durationUs: line.totalUs,
      soundUs: line.totalUs,
      tracks: sounds,
      subtitles,
      retime: line.isRetimed ? setptsOf(line.map) : null,
      burn:
        drawn.length > 0
          ? {
              ass: writeAss(
                drawnCues(drawn, {
                  language: language ?? 'und',
                  originalLanguage: dub.sourceLang || 'und',
                  framesPerSecond: frameRate.numerator / frameRate.denominator,
                  cutsUs: dub.options.scene_cuts.map(line.map.at),
                }),
                { width, height, language },
              ),
              language,
            }
          : null,
      chapters: picture.chapters
        .map(({ title, startUs, endUs }) => ({ title, startUs: line.map.at(startUs), endUs: line.map.at(endUs) }))
        .filter(({ startUs, endUs }) => endUs > startUs),
      title: baseName(dub.filename),
      audioKbps: AUDIO_KBPS,
      to,
    }
    const wholeUs = pictureEndUs(line, pictureUs(picture))
    const written = (us: number) => progress(us / wholeUs)
    const { warnings } = await film.exportFilm({ ...plan, durationUs: wholeUs }, signal, written).catch((error: unknown) => {
      signal.throwIfAborted()
      // The header of a damaged film announces more picture than there is.
      if (wholeUs === line.totalUs || Failure.from(error).code !== 'UNKNOWN') throw error
      notices.push(SHORT_PICTURE)
      return film.exportFilm(plan, signal, written)
    })
    return { notices: [...notices, ...warnings], isWorse }
  }

  return {
    /** `tracks`: all of the dub. Throws CONFLICT for a dub that is not prepared, and as `ExportFiles.obtain`. */
    async read(dub: Dub, tracks: readonly DubTrack[], choice: FilmChoice, signal: AbortSignal): Promise<ExportedFile> {
      pictureOf(dub)
      const { selection, preserveBackground, dual, isPreview } = choice
      const selected = tracks.filter(({ languageCode }) => selection.codes.includes(languageCode))
      const timing = selected.find(({ languageCode }) => languageCode === timingTrack(selection)) ?? null
      const line = lineOfTrack(dub, timing)
      await nextTurn()
      const isStretched = timing?.timingStrategy === 'stretch_video'
      const burn = choice.burn && !isStretched
      const skipped =
        choice.burn && isStretched
          ? ['Subtitles are not drawn into a film whose picture is slower. They are tracks that a player shows.']
          : []
      const key = keyOf({
        kind: 'dub.film',
        version: VERSION,
        inputs: [
          dub.sourceDigest,
          soundOf(dub).sound,
          dub.vocals ?? '',
          await linesDigest(core, dub.id),
          ...(await Promise.all(selected.map(trackDigest))),
        ],
        params: {
          codes: selection.codes,
          texts: await Promise.all(selected.map(({ languageCode }) => textsDigest(core, dub.id, languageCode))),
          ...{ preserveBackground, burn, dual, isPreview, mark: markKey(), title: dub.filename, source: dub.sourceLang },
        },
      })
      const name = `dubbed_${baseName(dub.filename)}_${stampOf(clock.now())}.mp4`
      const request = { dubId: dub.id, key, name, type: 'video/mp4' }
      const make = async (to: string, stopping: AbortSignal): Promise<ExportDetail> => {
        const planned = { ...choice, burn }
        try {
          const { notices, isWorse } = await write(dub, tracks, line, planned, to, stopping)
          return { isWorse, warning: null, notices: [...skipped, ...notices] }
        } catch (error) {
          stopping.throwIfAborted()
          if (!line.isRetimed || FINAL.has(Failure.from(error).code)) throw error
          const { notices } = await write(dub, tracks, lineOfTrack(dub, null), planned, to, stopping)
          return {
            isWorse: true,
            warning: RETIME_FALLBACK,
            notices: ['The picture could not be made slower, so speech is faster instead.', ...notices],
          }
        }
      }
      return await (isPreview
        ? exported.obtain({ ...request, kind: 'preview', waitMs: PREVIEW_WAIT_MS }, make, signal)
        : exported.obtain({ ...request, kind: 'export', waitMs: EXPORT_WAIT_MS }, make, signal))
    },
  }
}

/** Length of the picture in the file. Matroska and WebM have only that of all streams, whose first may begin before the picture. */
const pictureUs = ({ video, durationUs, startUs }: Picture): number =>
  video.durationUs ?? (durationUs ?? 0) - Math.max(0, video.startUs - startUs)

function pictureOf({ probe }: Dub): Picture {
  if (!probe) throw new Failure('CONFLICT', 'The film of this dub is not read yet. Wait until its preparation has ended.')
  if (!probe.video) throw new Failure('BAD_REQUEST', 'This dub has no picture. Download its sound instead.')
  return { ...probe, video: probe.video }
}
