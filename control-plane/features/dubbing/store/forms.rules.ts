// Dubs in the forms of the API: seconds, the names of the specification, and `job_data`, the view of a dub as one JSON text. Pure.
import type { Captions } from './caption.store.ts'
import type { Dub, DubLine, DubSummary, DubTrack, DubTrackHead } from './dub.ts'

const US = 1e6
/** With three decimals. */
export const secondsOf = (us: number): number => Math.round(us / 1000) / 1000
export const usOf = (seconds: number): number => Math.round(seconds * US)

/** Imported lines have numbers as ids; others have texts. */
export const apiIdOf = (id: string): string | number => (/^(?:0|[1-9]\d{0,8})$/.test(id) ? Number(id) : id)

export const segmentForm = ({ id, startUs, endUs, text, textOriginal, speakerId, profileId, qc }: DubLine) => ({
  id: apiIdOf(id),
  start: secondsOf(startUs),
  end: secondsOf(endUs),
  text,
  text_original: textOriginal,
  speaker_id: speakerId,
  ...(profileId !== '' && { profile_id: profileId }),
  ...(qc && {
    qc_drift: qc.drift,
    qc_flagged: qc.flagged,
    qc_recognized: qc.recognized,
    qc_faults: qc.faults,
    qc_measured_start: qc.measured_start_us === null ? null : secondsOf(qc.measured_start_us),
    qc_measured_end: qc.measured_end_us === null ? null : secondsOf(qc.measured_end_us),
  }),
})
export type SegmentForm = ReturnType<typeof segmentForm>

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
  /** As the page of the film offered them. */
  readonly captions: Captions | null
}

/** A row of `GET /dub/history`. `job_data` and `tracks` are JSON texts. */
export function dubHistoryRow({ dub, segments, tracks, texts, captions }: DubParts, pathOf: (digest: string) => string) {
  const path = (digest: string | null) => (digest === null ? null : pathOf(digest))
  const { scene_cuts: cuts, speech_without_words: wordless, clone_files: _, cast_presets: __, ...options } = dub.options
  const duration = secondsOf(dub.sound?.durationUs ?? 0)
  const job = {
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
    segments: segments.length === 0 ? null : segments.map(segmentForm),
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
