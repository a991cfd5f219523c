// Dubs in the forms of the API: seconds, the names of the specification, and `job_data`, the view of a dub as one JSON text. Pure.

import { z } from 'zod'
import type { Captions } from './caption.store.ts'
import {
  type Dub,
  DubOptions,
  type DubSummary,
  type DubTrack,
  type DubTrackHead,
  INPUT_TYPES,
  secondsOf,
  TIMING_STRATEGIES,
} from './dub.ts'
import { type DubLine, DubLineRow, lineRow } from './line.ts'

const Path = z.string().nullable()
const Cue = z.object({ start: z.number(), end: z.number(), text: z.string() })
const Track = z.object({
  path: z.string(),
  language: z.string(),
  language_code: z.string(),
  duration: z.number(),
  timing_strategy: z.enum(TIMING_STRATEGIES),
  fit_fp: z.string().optional(),
})
/** Plan as the planner returned it. */
const Plan = z.unknown()
/** A dub with its lines. */
export const WholeDub = z.object({
  video_path: z.string(),
  audio_path: Path,
  vocals_path: Path,
  no_vocals_path: z.null(),
  has_bg: z.boolean(),
  thumb_path: Path,
  duration: z.number(),
  filename: z.string(),
  input_type: z.enum(INPUT_TYPES),
  segments: z.array(DubLineRow).nullable(),
  dubbed_tracks: z.record(z.string(), Track),
  scene_cuts: z.array(z.number()),
  youtube_subs: z.record(z.string(), z.array(Cue)).nullable(),
  speech_without_words: z.array(z.object({ start: z.number(), end: z.number() })),
  ...DubOptions.omit({ scene_cuts: true, speech_without_words: true, clone_files: true, cast_presets: true }).shape,
  segments_i18n: z.record(z.string(), z.record(z.string(), z.string())),
  fit_plans: z.record(z.string(), Plan),
  video_stretch_plans: z.record(z.string(), Plan),
  source_lang: z.string(),
  full_transcript: z.string(),
  language: z.string(),
  language_code: z.string(),
  aborted: z.boolean(),
})
export type WholeDub = z.output<typeof WholeDub>

export const trackForm = (track: DubTrackHead, pathOf: (digest: string) => string) => ({
  path: pathOf(track.digest),
  language: track.language,
  language_code: track.languageCode,
  duration: secondsOf(track.durationUs),
  timing_strategy: track.timingStrategy,
  ...(track.fitFp !== null && { fit_fp: track.fitFp }),
})

const plansOf = (tracks: readonly DubTrack[]) => Object.fromEntries(tracks.map(({ languageCode, plan }) => [languageCode, plan]))

export type DubParts = {
  readonly dub: Dub
  readonly segments: readonly DubLine[]
  readonly tracks: readonly DubTrack[]
  /** By language code and key of the line. */
  readonly texts: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Captions as the page of the film offered them. */
  readonly captions: Captions | null
}

/** A row of `GET /dub/history`. `job_data` and `tracks` are JSON texts. */
export function dubHistoryRow({ dub, segments, tracks, texts, captions }: DubParts, pathOf: (digest: string) => string) {
  const path = (digest: string | null) => (digest === null ? null : pathOf(digest))
  const { scene_cuts: cuts, speech_without_words: wordless, clone_files: _, cast_presets: __, ...options } = dub.options
  const duration = secondsOf(dub.sound?.durationUs ?? 0)
  const job: WholeDub = {
    video_path: pathOf(dub.sourceDigest),
    audio_path: path(dub.sound?.sound ?? null),
    vocals_path: path(dub.vocals ?? dub.sound?.sound ?? null),
    // The background is computed from the sound and the voice when it is needed.
    no_vocals_path: null,
    has_bg: dub.vocals !== null,
    thumb_path: path(dub.thumb),
    duration,
    filename: dub.filename,
    input_type: dub.inputType,
    segments: segments.length === 0 ? null : segments.map(lineRow),
    dubbed_tracks: Object.fromEntries(tracks.map((track) => [track.languageCode, trackForm(track, pathOf)])),
    scene_cuts: cuts.map(secondsOf),
    speech_without_words: wordless.map(({ start_us, end_us }) => ({ start: secondsOf(start_us), end: secondsOf(end_us) })),
    youtube_subs:
      captions &&
      Object.fromEntries(
        Object.entries(captions).map(([language, cues]) => [
          language,
          cues.map(({ start_us, end_us, text }) => ({ start: secondsOf(start_us), end: secondsOf(end_us), text })),
        ]),
      ),
    ...options,
    segments_i18n: texts,
    fit_plans: plansOf(tracks.filter(({ timingStrategy }) => timingStrategy !== 'stretch_video')),
    video_stretch_plans: plansOf(tracks.filter(({ timingStrategy }) => timingStrategy === 'stretch_video')),
    source_lang: dub.sourceLang,
    full_transcript: dub.fullTranscript,
    language: dub.language,
    language_code: dub.languageCode,
    aborted: dub.isAborted,
  }
  const summary = dubSummary(
    { ...dub, durationUs: dub.sound?.durationUs ?? 0 },
    segments.length,
    tracks.map(({ languageCode }) => languageCode),
  )
  return { ...summary, job_data: JSON.stringify(job) }
}

/** A row of `GET /dub/summaries`. `tracks` is a JSON text. */
export const dubSummary = (dub: DubSummary, segmentsCount: number, trackCodes: readonly string[]) => ({
  id: dub.id,
  filename: dub.filename,
  duration: secondsOf(dub.durationUs),
  segments_count: segmentsCount,
  language: dub.language,
  language_code: dub.languageCode,
  tracks: JSON.stringify(trackCodes),
  content_hash: dub.sourceDigest,
  created_at: dub.createdAt / 1000,
})
