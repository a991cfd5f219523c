import { z } from 'zod'
import { Kinds, MAX_CHAPTERS, MAX_SPANS, Manuscript, VoiceName } from '../plan/plan.schema.ts'
import { LayoutPauses } from '../render/layout.ts'

const Language = z.string().max(64).nullish()
const MAX_NAMES = 10_000
const isShort = (names: object): boolean => Object.keys(names).length <= MAX_NAMES
const tooMany = `must have at most ${MAX_NAMES} entries`
const Lexicon = z.record(z.string().max(200), z.string().max(1_000)).refine(isShort, tooMany).nullish()
const Names = z.record(z.string().max(200), z.string().max(200)).refine(isShort, tooMany).nullish()
/** Any text of a reasonable length: an unknown value stands for the usual one. */
const Choice = z.string().max(1_000)
const whole = (low: number, high: number) => z.int().min(low).max(high).nullish()
const amount = (high: number) => z.number().min(0).max(high).nullish()

/** Parameters of the speech; null leaves one to the engine. */
const expression = {
  num_step: whole(1, 512),
  guidance_scale: amount(20),
  position_temperature: amount(100),
  class_temperature: amount(100),
  postprocess_output: z.boolean().nullish(),
  seed: whole(0, 0xffff_ffff),
  emo_vector: z.array(z.number()).length(8).nullish(),
  emo_text: z.string().max(500).nullish(),
  emo_alpha: amount(1),
  vary_repeats: z.boolean().nullish(),
}
const voices = {
  default_voice: VoiceName.nullish(),
  language: Language,
  lexicon: Lexicon,
  voice_map: Names,
  /** The title of each chapter is spoken before it, by the default voice. */
  speak_titles: z.boolean().default(false),
  /** Milliseconds of silence after each part of the layout; the usual ones when absent. */
  layout_pauses: LayoutPauses.partial().nullish(),
  /** A public model name; the selected engine when absent. */
  engine: z.string().max(64).nullish(),
}
const output = {
  /** 128k for anything that is no bitrate. */
  bitrate: Choice.default('128k'),
  /** Only mp3 gives MP3. */
  format: Choice.default('m4b'),
  /** acx or podcast; everything else keeps the level. */
  loudness: Choice.nullish(),
  cover_path: z.string().max(4_096).nullish(),
  /** The book is also made as EPUB that highlights the text while it plays. */
  readalong: z.boolean().default(false),
  metadata: z.record(z.string().max(64), z.unknown()).refine(isShort, tooMany).nullish(),
  /** The book continues when the client disconnects. */
  keep_running: z.boolean().default(false),
}
const PlannedSpan = z.object({
  voice_id: VoiceName.nullish(),
  text: Manuscript,
  pause_ms_after: z.number().min(0).max(600_000).default(0),
  speed: z.number().min(0.25).max(4).nullish(),
  kinds: Kinds.default([]),
})
const PlannedChapter = z.object({
  title: z.string().max(1_000).default(''),
  pause_ms_before: z.number().min(0).max(600_000).default(0),
  /** False for a chapter that is not spoken. */
  included: z.boolean().default(true),
  spans: z.array(PlannedSpan).max(MAX_SPANS),
})

/** Places of chapters in the plan, from 0. */
const Places = z.array(z.int().min(0).max(MAX_CHAPTERS)).max(MAX_CHAPTERS).nullish()

/** Formats into which a finished book is converted. */
export const CONVERTED_FORMATS = ['m4b', 'mp3', 'wav'] as const

export const AudiobookRequest = z
  .strictObject({
    text: Manuscript,
    /** Chapters that are spoken, also if the manuscript switches them off; those that it does not switch off when absent. */
    chapters: Places,
    /** The project whose text it is. The lists of books name it. */
    project: z.string().max(64).nullish(),
    ...voices,
    ...expression,
    ...output,
  })
  .meta({ id: 'AudiobookRequest' })
export const StoryRequest = z
  .strictObject({ chapters: z.array(PlannedChapter).max(MAX_SPANS), ...voices, ...expression, ...output })
  .meta({ id: 'StoryRequest' })
export const PreviewRequest = z
  .strictObject({ text: Manuscript, chapter_index: z.int().default(0), ...voices, ...expression })
  .meta({ id: 'AudiobookPreviewRequest' })
export type AudiobookRequest = z.output<typeof AudiobookRequest>
export type StoryRequest = z.output<typeof StoryRequest>
export type PreviewRequest = z.output<typeof PreviewRequest>

export const PreviewReply = z
  .object({
    /** Under /audio. */ output: z.string(),
    duration_s: z.number(),
    cached: z.boolean(),
    title: z.string(),
    notices: z.array(z.string()),
  })
  .meta({ id: 'AudiobookPreview' })
