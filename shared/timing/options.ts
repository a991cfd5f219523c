// The options of a request as options of the planner. Pure.
import { FIT_DEFAULTS, type FitOptions } from './fit.ts'

/** The field `fit_options` of a request, without absent and null fields. */
export type FitRequestOptions = {
  readonly max_audio_only_rate: number
  readonly audio_rate_cap: number
  readonly video_slow_cap: number
  readonly gap_guard_s: number
  readonly allow_video_retime: boolean
}
type Given = { readonly [field in keyof FitRequestOptions]?: FitRequestOptions[field] | null } | null | undefined
type FitRequest = {
  readonly timing_strategy: FitOptions['strategy']
  readonly slot_fit?: FitOptions['slotFit'] | null
  readonly overflow_budget_s?: number | null
  readonly fit_options?: Given
}

const MAX_RATE = 2
const MAX_SLOWING = 4
const MAX_GUARD_S = 5
const MAX_BUDGET_S = 3_600

/** The five options with their defaults. Numbers outside of the limits become the nearest limit. */
export function filledFitOptions(given: Given): FitRequestOptions {
  return {
    max_audio_only_rate: bounded(given?.max_audio_only_rate ?? FIT_DEFAULTS.maxAudioOnlyRate, 1, MAX_RATE),
    audio_rate_cap: bounded(given?.audio_rate_cap ?? FIT_DEFAULTS.audioRateCap, 1, MAX_RATE),
    video_slow_cap: bounded(given?.video_slow_cap ?? FIT_DEFAULTS.videoSlowCap, 1, MAX_SLOWING),
    gap_guard_s: bounded(given?.gap_guard_s ?? FIT_DEFAULTS.gapGuardUs / 1e6, 0, MAX_GUARD_S),
    allow_video_retime: given?.allow_video_retime ?? FIT_DEFAULTS.allowVideoRetime,
  }
}

export function fitOptionsOf(request: FitRequest, mediaUs: number): FitOptions {
  const filled = filledFitOptions(request.fit_options)
  return {
    strategy: request.timing_strategy,
    slotFit: request.slot_fit ?? FIT_DEFAULTS.slotFit,
    mediaUs,
    overflowBudgetUs: Math.round(bounded(request.overflow_budget_s ?? 0, 0, MAX_BUDGET_S) * 1e6),
    gapGuardUs: Math.round(filled.gap_guard_s * 1e6),
    maxAudioOnlyRate: filled.max_audio_only_rate,
    audioRateCap: filled.audio_rate_cap,
    videoSlowCap: filled.video_slow_cap,
    allowVideoRetime: filled.allow_video_retime,
  }
}

/** The lower limit for what is no number. */
const bounded = (value: number, low: number, high: number): number => (value >= low ? Math.min(value, high) : low)
