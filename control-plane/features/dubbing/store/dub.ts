// A dub and its parts, as the rest of the area sees them. Times are integer microseconds from the start of the picture.
import { z } from 'zod'
import type { FilmProbe } from '#control-plane/media/film/probe/probe.rules.ts'

export const TIMING_STRATEGIES = ['concise', 'stretch_video', 'strict_slot', 'smart_fit'] as const
export type TimingStrategy = (typeof TIMING_STRATEGIES)[number]
export const INPUT_TYPES = ['video', 'audio'] as const
export type InputType = (typeof INPUT_TYPES)[number]

const US = 1e6
/** Seconds with three decimals. */
export const secondsOf = (us: number): number => Math.round(us / 1000) / 1000
export const usOf = (seconds: number): number => Math.round(seconds * US)

const Us = z.int().min(0)
/** Loops, because Zod takes a whole turn of the event loop for the lines of a film of hours. */
export const recordOf = <T>(isOne: (value: unknown) => value is T) =>
  z.custom<Record<string, T>>((value) => typeof value === 'object' && value !== null && Object.values(value).every(isOne))
export const isText = (value: unknown): value is string => typeof value === 'string'
export const isInteger = (value: unknown): value is number => Number.isInteger(value)
const Texts = recordOf(isText)
const Clone = z.object({ duration: z.number(), source_count: z.int(), kind: z.enum(['speaker', 'segment']) })

/** A probe that this version wrote: its fields are not checked again. */
export const StoredProbe = z.custom<FilmProbe>((value) => Array.isArray((value as { audio?: unknown } | null)?.audio))

/** Findings and choices of the steps of a dub, beside its lines. Every field has a value for a new dub. */
export const DubOptions = z.object({
  timing_strategy: z.enum(TIMING_STRATEGIES).nullable().default(null),
  /** Ids of the lines in the order of the last generation. */
  seg_order: z.custom<string[]>((value) => Array.isArray(value) && value.every(isText)).default([]),
  /** By language code and id: the fingerprint of the line that was spoken. */
  seg_hashes: z.record(z.string(), Texts).default({}),
  seg_num_step: recordOf(isInteger).default({}),
  speaker_clones: z.record(z.string(), Clone).default({}),
  cast_sources: z.record(z.string(), Clone).default({}),
  /** By id of the line: the digest of its own reference clip. */
  segment_clones: Texts.default({}),
  /** By speaker: the digest of the reference clip. */
  clone_files: Texts.default({}),
  /** By engine and language, and by speaker: the voice of the engine. */
  cast_presets: z.record(z.string(), Texts).default({}),
  per_segment_refs: z.boolean().nullable().default(null),
  scene_cuts: z.array(Us).default([]),
  last_export_warning: z.string().nullable().default(null),
  /** Places in which the transcription found a voice and recognised no words. */
  speech_without_words: z.array(z.object({ start_us: Us, end_us: Us })).default([]),
})
export type DubOptions = z.output<typeof DubOptions>

/** Entry of a record under a name that a client sent; undefined for names such as `constructor`, which every object knows. Pure. */
export const ownEntry = <T>(record: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined

export type Dub = {
  readonly id: string
  readonly filename: string
  readonly inputType: InputType
  /** SHA-256 of the uploaded file, which is its name in the store of files. */
  readonly sourceDigest: string
  /** Null before the file was read. */
  readonly probe: FilmProbe | null
  /** Null until the sound is extracted. */
  readonly sound: DubSound | null
  /** The isolated voice: stereo blocks like `sound`. Null without separation. */
  readonly vocals: string | null
  readonly thumb: string | null
  /** Two letters; empty before the transcription. */
  readonly sourceLang: string
  readonly fullTranscript: string
  readonly language: string
  readonly languageCode: string
  readonly options: DubOptions
  readonly isAborted: boolean
  /** Epoch milliseconds. */
  readonly createdAt: number
}
/** The part of a dub that lists show. */
export type DubSummary = Pick<Dub, 'id' | 'filename' | 'sourceDigest' | 'language' | 'languageCode' | 'createdAt'> & {
  readonly durationUs: number
}
export type DubSound = {
  readonly durationUs: number
  /** Names of folders of blocks: 48 kHz stereo, and 16 kHz mono. */
  readonly sound: string
  readonly speech: string
}
export type NewDub = Pick<Dub, 'id' | 'filename' | 'inputType' | 'sourceDigest' | 'createdAt'>
/** Columns that change on their own; absent ones stay. */
export type DubChange = Partial<
  Pick<
    Dub,
    'filename' | 'probe' | 'sound' | 'vocals' | 'thumb' | 'sourceLang' | 'fullTranscript' | 'language' | 'languageCode' | 'isAborted'
  >
>

export type DubTake = {
  readonly segmentId: string
  readonly takeNo: number
  readonly key: string
  readonly digest: string
  readonly naturalUs: number
  readonly sampleRate: number
  readonly createdAt: number
}
/** A track without its plan, which is large. */
export type DubTrackHead = Omit<DubTrack, 'plan'>
export type DubTrack = {
  readonly languageCode: string
  /** Language as the request named it. */
  readonly language: string
  readonly digest: string
  readonly durationUs: number
  readonly timingStrategy: TimingStrategy
  /** Plan as the planner returned it; null for one whose file was deleted. */
  readonly plan: unknown
  /** The file of the plan; null for a plan in the row, where earlier versions stored it. */
  readonly planFile: string | null
  readonly fitFp: string | null
  readonly takeKeys: readonly string[]
  readonly createdAt: number
}
