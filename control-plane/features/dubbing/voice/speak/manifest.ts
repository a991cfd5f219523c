// Input of a generation: the lines as its request named them, with their times. Kept as an artifact, because it may be larger than the
// parameters of a job.
import { z } from 'zod'
import { TIMING_STRATEGIES } from '#control-plane/features/dubbing/store/dub.ts'
import { EFFECT_PRESETS } from '#shared/audio/effects.ts'
import { engineRow } from '#shared/engines.ts'
import { hasWords } from '../voices/words.rules.ts'

export const EFFECT_IDS = EFFECT_PRESETS.map(({ id }) => id) as [string, ...string[]]
const Nullable = <T extends z.ZodType>(schema: T) => schema.nullable()

export const RequestedLine = z.object({
  id: z.string(),
  startUs: z.int(),
  endUs: z.int(),
  /** Text as it was sent. */
  text: z.string(),
  /** Empty while unknown. */
  speakerId: z.string(),
  /** A profile, a voice of the engine, `auto:<speaker>`, or empty. */
  profileId: z.string(),
  instruct: z.string(),
  direction: z.string(),
  speed: z.number(),
  /** Times the loudness, 0 to 2. */
  gain: z.number(),
  language: Nullable(z.string()),
  effectPreset: z.string(),
  /** Another take is wanted although the line is unchanged. */
  isAgain: z.boolean(),
  /** Fingerprint as POST /tools/incremental computes it. */
  fingerprint: z.string(),
})
export type RequestedLine = z.output<typeof RequestedLine>

export const DubManifest = z.object({
  dub: z.string(),
  language: z.string(),
  languageCode: z.string(),
  /** The engine that was selected when the request came. */
  engine: z.string(),
  numStep: z.int(),
  guidance: z.number(),
  voiceMatch: z.enum(['per_line', 'consistent']),
  timing: z.object({
    timing_strategy: z.enum(TIMING_STRATEGIES),
    slot_fit: z.enum(['time_stretch', 'trim', 'off']),
    overflow_budget_s: z.number(),
    fit_options: z
      .object({
        max_audio_only_rate: z.number(),
        audio_rate_cap: z.number(),
        video_slow_cap: z.number(),
        gap_guard_s: z.number(),
        allow_video_retime: z.boolean(),
      })
      .nullable(),
  }),
  lines: z.array(RequestedLine),
})
export type DubManifest = z.output<typeof DubManifest>

const MIN_SLOT_US = 50_000
/** True if nothing is spoken for the line. */
export const isSilentLine = ({ text, startUs, endUs }: Pick<RequestedLine, 'text' | 'startUs' | 'endUs'>): boolean =>
  endUs - startUs <= MIN_SLOT_US || !hasWords(text)

/**
 * Begins the voices that a transcription gives its lines: `auto:<speaker>`, the speaker's own. They are proposals, so another voice may speak in
 * their place where no engine can clone; a chosen voice is never replaced.
 */
export const AUTO_VOICE = 'auto:'
type AskedVoice = { readonly profileId: string; readonly speakerId: string }

/** True if this is the voice of the line's own speaker, and not that of another one. */
export const isAutomatic = ({ profileId, speakerId }: AskedVoice): boolean =>
  profileId.startsWith(AUTO_VOICE) && (speakerId === '' || profileId.slice(AUTO_VOICE.length) === speakerId)

/** The speaker of a line; empty if none is named. */
export const autoSpeaker = ({ profileId, speakerId }: AskedVoice): string =>
  speakerId !== '' ? speakerId : profileId.startsWith(AUTO_VOICE) ? profileId.slice(AUTO_VOICE.length) : ''

const LISTED = 10

export function substituteSentence(engine: string, speakers: readonly string[]): string {
  const names = speakers.slice(0, LISTED).map((name) => name.slice(0, 64))
  const others = speakers.length > LISTED ? ` and ${speakers.length - LISTED} others` : ''
  return `${engineRow(engine)?.name ?? engine} cannot clone, so one of its voices speaks for ${names.join(', ')}${others}. Select an engine that clones to keep the original voices.`
}
