// Fits the takes of a dub into the film: when each line begins, how fast it is, what is cut, and where the picture is slower. Pure. The same
// lines in another order give the same plan.
import { concisePlacement } from './concise.ts'
import { type FitLine, type Slot, slotsOf } from './slots.ts'
import { type SlowPiece, type TimeMap, timeMap } from './time-map.ts'

export type FitStrategy = 'concise' | 'stretch_video' | 'strict_slot' | 'smart_fit'
export type FitOptions = {
  readonly strategy: FitStrategy
  /** For strict_slot and concise: whether speech may be faster (time_stretch), is cut at the slot (trim), or stays natural (off). */
  readonly slotFit: 'time_stretch' | 'trim' | 'off'
  readonly mediaUs: number
  /** How far a concise line may reach into the time of later ones. */
  readonly overflowBudgetUs: number
  readonly gapGuardUs: number
  /** smart_fit: up to this only speech is faster. */
  readonly maxAudioOnlyRate: number
  readonly audioRateCap: number
  readonly videoSlowCap: number
  readonly allowVideoRetime: boolean
}
export type FittedLine = {
  readonly id: string
  readonly lane: string
  /** In the export. */
  readonly startUs: number
  /** Of what is heard. */
  readonly lengthUs: number
  /** Of speech; below 1 it is slower. */
  readonly rate: number
  /** Natural microseconds that are not heard. */
  readonly cutUs: number
  /** concise: how far it reaches past its own room. */
  readonly pastUs: number
  /** How many times longer the picture is because of this line; 1 unless it is slower. */
  readonly videoRatio: number
  readonly slotUs: number
  readonly naturalUs: number
  /** How well natural length and slot agree, 0 to 1. 1 for silence. */
  readonly score: number
}
export type FitPlan = {
  readonly strategy: FitStrategy
  /** By start in the film and id. */
  readonly lines: readonly FittedLine[]
  readonly pieces: readonly SlowPiece[]
  /** Length of the export. */
  readonly totalUs: number
}
type SpeedLimits = { readonly videoRatio: number; readonly slowest: number; readonly fastest: number }

const SLOWEST_SPEECH = 0.85
/** Speech that fills less of its slot is slower. */
const SLOW_BELOW = 0.95
const STRICT_CAP = 2
const RATE_CAP = 1.5
const PICTURE_CAP = 4
const AUDIO_ONLY_CAP = 1.8

export const FIT_DEFAULTS = {
  slotFit: 'time_stretch',
  overflowBudgetUs: 0,
  gapGuardUs: 50_000,
  maxAudioOnlyRate: 1.2,
  audioRateCap: 1.5,
  videoSlowCap: 2,
  allowVideoRetime: true,
} as const satisfies Partial<FitOptions>

export function fitLines(lines: readonly FitLine[], options: FitOptions): FitPlan {
  const slots = slotsOf(lines, options)
  const limits = slots.map((slot) => limitsOf(slot, options))
  const pieces = slots.flatMap(({ startUs, roomUs, isSilent }, at) => {
    const slope = limits[at]!.videoRatio
    return slope > 1 && !isSilent ? [{ startUs, endUs: startUs + roomUs, slope }] : []
  })
  const map = timeMap(pieces, options.mediaUs)
  const fitted =
    options.strategy === 'concise'
      ? concisePlacement(slots, { ...options, cap: options.slotFit === 'time_stretch' ? RATE_CAP : 1 }).map(({ startUs, availUs }, at) =>
          place(slots[at]!, { startUs, availUs }, { videoRatio: 1, slowest: 1, fastest: limits[at]!.fastest }),
        )
      : slots.map((slot, at) => place(slot, timeOf(slot, map, options), limits[at]!))
  return { strategy: options.strategy, lines: fitted, pieces, totalUs: map.totalUs }
}

/** The map of a plan, for the picture, chapters and cues. */
export const mapOfPlan = ({ pieces }: Pick<FitPlan, 'pieces'>, mediaUs: number): TimeMap => timeMap(pieces, mediaUs)

function timeOf({ startUs, slotUs, roomUs }: Slot, map: TimeMap, { strategy, slotFit }: FitOptions) {
  const usesSlot = strategy === 'strict_slot' && slotFit !== 'off'
  const end = map.at(startUs + (usesSlot ? slotUs : roomUs))
  const start = map.at(startUs)
  return { startUs: start, availUs: end - start }
}

function limitsOf({ naturalUs, slotUs, roomUs, isSilent }: Slot, options: FitOptions): SpeedLimits {
  const natural: SpeedLimits = { videoRatio: 1, slowest: 1, fastest: 1 }
  if (isSilent) return natural
  const share = naturalUs / slotUs
  const slowed: SpeedLimits = share < SLOW_BELOW ? { ...natural, slowest: Math.max(share, SLOWEST_SPEECH) } : natural
  const need = naturalUs / roomUs
  switch (options.strategy) {
    case 'concise':
      return options.slotFit === 'time_stretch' ? { ...natural, fastest: RATE_CAP } : natural
    case 'strict_slot':
      return options.slotFit === 'time_stretch' ? { ...slowed, fastest: STRICT_CAP } : natural
    case 'stretch_video':
      return { videoRatio: Math.min(Math.max(need, 1), PICTURE_CAP), slowest: 1, fastest: RATE_CAP }
    case 'smart_fit': {
      if (need <= 1) return slowed
      if (need <= options.maxAudioOnlyRate) return { ...natural, fastest: need }
      if (!options.allowVideoRetime) return { ...natural, fastest: AUDIO_ONLY_CAP }
      const rate = Math.min(Math.sqrt(need), options.audioRateCap)
      return { videoRatio: Math.min(Math.max(need / rate, 1), options.videoSlowCap), slowest: 1, fastest: rate }
    }
  }
}

/** Speech in the time that it has: slower, natural or faster within the limits, and cut where that is not enough. */
function place(slot: Slot, { startUs, availUs }: { startUs: number; availUs: number }, limit: SpeedLimits): FittedLine {
  const { id, lane, naturalUs, slotUs, roomUs, isSilent } = slot
  const shared = { id, lane, startUs, slotUs, naturalUs, videoRatio: isSilent ? 1 : limit.videoRatio }
  if (isSilent) return { ...shared, lengthUs: 0, rate: 1, cutUs: naturalUs, pastUs: 0, score: 1 }
  const rate = naturalUs > availUs ? Math.min(naturalUs / availUs, limit.fastest) : limit.slowest
  const lengthUs = Math.min(Math.round(naturalUs / rate), availUs)
  return {
    ...shared,
    lengthUs,
    rate,
    // Rounding of less than a microsecond is no cut.
    cutUs: Math.max(0, Math.round(naturalUs - (lengthUs + 1) * rate)),
    pastUs: Math.max(0, startUs + lengthUs - (slot.startUs + roomUs)),
    score: Math.min(naturalUs, slotUs) / Math.max(naturalUs, slotUs),
  }
}
