// The content of a book, fixed when it is requested: a resumed book is rendered from the same manifest.
import { z } from 'zod'
import { PARAGRAPH_KINDS } from '#shared/text/script/line.ts'
import { MAX_CHAPTERS } from '../plan/plan.schema.ts'
import { LayoutPauses } from './layout.ts'

const Sampling = z.object({
  num_step: z.int().nullable(),
  guidance_scale: z.number().nullable(),
  position_temperature: z.number().nullable(),
  class_temperature: z.number().nullable(),
  postprocess_output: z.boolean().nullable(),
})
const Span = z.object({
  /** Name in the script; null for the default voice. */
  voice: z.string().nullable(),
  text: z.string(),
  pauseMs: z.number(),
  /** Share of the usual speed; null at the usual speed. */
  speed: z.number().nullable(),
  /** Number of the take; absent for the first. */
  take: z.int().min(2).max(99).exactOptional(),
  endsParagraph: z.boolean(),
  /** A line of verse, a list or a table ends after it. */
  endsLine: z.boolean().default(false),
  /** Kind of each paragraph of the text; one without a kind is a paragraph of prose. */
  kinds: z.array(z.enum(PARAGRAPH_KINDS)).readonly().default([]),
})
const Chapter = z.object({
  title: z.string(),
  /** Silence before the first words. */
  pauseMsBefore: z.number().default(0),
  spans: z.array(Span),
  /** Sentences for the listener about what of its text is not followed; absent without any. */
  notices: z.array(z.string()).readonly().exactOptional(),
})

export const BookManifest = z.object({
  version: z.literal(1),
  kind: z.enum(['audiobook', 'story']),
  title: z.string(),
  /** Chapters with words. */
  chapters: z.array(Chapter).max(MAX_CHAPTERS),
  /** Titles without words, which are no chapters. */
  emptyTitles: z.array(z.string()).default([]),
  /** A public model name. */
  model: z.string(),
  language: z.string().nullable(),
  defaultVoice: z.string().nullable(),
  /** Profile ids or presets by the voice names of the script. */
  voiceMap: z.record(z.string(), z.string()),
  /** Replacements by term. */
  lexicon: z.record(z.string(), z.string()),
  sampling: Sampling,
  seed: z.int().nullable(),
  /** Equal texts sound different at each place. */
  varyRepeats: z.boolean(),
  /** Silences of its layout. */
  pauses: LayoutPauses.prefault({}),
  /** Expressive fields that were sent and that no engine takes. */
  unused: z.array(z.string()),
  output: z.object({
    format: z.enum(['mp3', 'm4b']),
    bitrateKbps: z.int(),
    loudness: z.enum(['acx', 'podcast']).nullable(),
    /** File name of an uploaded cover; null without one. */
    cover: z.string().nullable(),
    /** True to make an EPUB with the sound beside the text as well. */
    readalong: z.boolean().default(false),
    metadata: z.record(z.string(), z.string()),
  }),
})
export type BookManifest = z.output<typeof BookManifest>
export type ManuscriptChapter = z.output<typeof Chapter>
export type BookSpan = z.output<typeof Span>
export type Sampling = z.output<typeof Sampling>
