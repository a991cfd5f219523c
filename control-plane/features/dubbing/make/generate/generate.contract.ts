import { z } from 'zod'
import { LanguageText } from '#control-plane/features/dubbing/film/reading/language.schema.ts'
import { TIMING_STRATEGIES } from '#control-plane/features/dubbing/store/dub.ts'
import { EFFECT_IDS } from '#control-plane/features/dubbing/voice/speak/manifest.ts'
import { contract } from '#control-plane/http/contract/contract.ts'

const access = 'consume' as const
const params = z.strictObject({ job_id: z.string().max(128) })
/** Far more than a film of twelve hours has. */
const MAX_LINES = 5_000
const LATEST_SECONDS = 100 * 3600
const BODY_BYTES = 16 * 1024 * 1024

const LineId = z.union([z.string().min(1).max(64), z.int().min(0)])
const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => value.isWellFormed() && !value.includes('\0'), 'must be valid Unicode')
const Seconds = z.number().min(0).max(LATEST_SECONDS)
const Speed = z.number().min(0.25).max(4)
const Language = z.string().max(64)
/** Editors send lines with all their fields: those that do not change the sound are left out. */
const Line = z.object({
  id: LineId.nullish(),
  start: Seconds,
  end: Seconds,
  text: text(10_000),
  instruct: text(4_096).nullish(),
  profile_id: z.string().max(128).nullish(),
  speaker_id: z.string().max(128).nullish(),
  speed: Speed.nullish(),
  gain: z.number().min(0).max(2).nullish(),
  target_lang: Language.nullish(),
  direction: text(2_000).nullish(),
  effect_preset: z.enum(EFFECT_IDS).nullish(),
})
const FitOptionsBody = z.object({
  max_audio_only_rate: z.number().nullish(),
  audio_rate_cap: z.number().nullish(),
  video_slow_cap: z.number().nullish(),
  gap_guard_s: z.number().nullish(),
  allow_video_retime: z.boolean().nullish(),
})
export const DubGenerateBody = z
  .strictObject({
    segments: z.array(Line).min(1).max(MAX_LINES),
    language: Language.default('Auto'),
    language_code: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,32}$/)
      .default('und'),
    instruct: text(4_096).default(''),
    num_step: z.int().min(1).max(128).default(16),
    guidance_scale: z.number().min(0).max(20).default(2),
    speed: Speed.default(1),
    segment_ids: z.array(LineId).max(MAX_LINES).nullish(),
    regen_only: z.array(LineId).max(MAX_LINES).nullish(),
    preview: z.boolean().default(false),
    slot_fit: z.enum(['time_stretch', 'trim', 'off']).default('time_stretch'),
    timing_strategy: z.enum(TIMING_STRATEGIES).default('concise'),
    overflow_budget_s: z.number().min(0).max(3_600).default(0),
    fit_options: FitOptionsBody.nullish(),
    voice_match: z.enum(['per_line', 'consistent']).default('per_line'),
  })
  .meta({ id: 'DubGenerateRequest' })
export type DubGenerateBody = z.output<typeof DubGenerateBody>

export const DubPreviewBody = z
  .strictObject({
    segment_id: LineId.nullish(),
    text: text(10_000).refine((value) => value.trim() !== '', 'must contain text other than spaces'),
    language: Language.default('Auto'),
    instruct: text(4_096).nullish(),
    profile_id: z.string().max(128).nullish(),
    speed: Speed.default(1),
    duration: z.number().positive().max(600).nullish(),
  })
  .meta({ id: 'DubPreviewRequest' })
export type DubPreviewBody = z.output<typeof DubPreviewBody>

export const dubGenerateContracts = {
  generate: contract({
    id: 'dubbing.generate',
    method: 'POST',
    path: '/dub/generate/{job_id}',
    access,
    of: { kind: 'dub', param: 'job_id' },
    summary: 'Starts to speak the lines of a dub, to fit them, and to make the voice track. Events follow at /tasks/stream/{task_id}.',
    params,
    body: DubGenerateBody,
    bodyBytes: BODY_BYTES,
    reply: z
      .object({
        task_id: z.string(),
        // Which automatic voices (`auto:<speaker>`) are replaced, because the engine cannot clone.
        substitute: z.string().optional(),
      })
      .meta({ id: 'DubGenerating' }),
  }),
  previewSegment: contract({
    id: 'dubbing.previewSegment',
    method: 'POST',
    path: '/dub/preview-segment/{job_id}',
    access,
    of: { kind: 'dub', param: 'job_id' },
    summary: 'Speaks one line at once, in 8 steps, and stores nothing. X-Audio-Duration has its seconds.',
    params,
    body: DubPreviewBody,
    sends: ['x-audio-duration'],
    media: ['audio/wav'],
  }),
  preview: contract({
    id: 'dubbing.readTake',
    method: 'GET',
    path: '/dub/preview/{job_id}/{segment_index}',
    access,
    of: { kind: 'dub', param: 'job_id' },
    summary:
      'Returns a spoken line by its position in the last generation. `lang`: a language code; the language of the last generation without it.',
    params: z.strictObject({ job_id: z.string().max(128), segment_index: z.coerce.number().int() }),
    query: z.strictObject({ lang: LanguageText.optional() }),
    media: ['audio/wav'],
  }),
}
