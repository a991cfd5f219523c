// Fits the takes of a dub into the film: when each line begins, how fast it is, what is cut, and where the picture is slower. Pure. The same
// lines in another order give the same plan.
import { concisePlacement } from './concise.ts'
import { type FitLine, type Slot, slotsOf, wholeUs } from './slots.ts'
import { type SlowPiece, type TimeMap, timeMap } from './time-map.ts'

export type FitStrategy = 'concise' | 'stretch_video' | 'strict_slot' | 'smart_fit'
/** Reason for a silent line: it has no take, or its slot is too short. */
export type FitSilence = 'no-take' | 'short-slot'
export type FitOptions = {
  readonly strategy: FitStrategy
  /** Treatment of long speech by strict_slot and concise: faster (time_stretch), cut at the slot (trim), or natural (off). */
  readonly slotFit: 'time_stretch' | 'trim' | 'off'
  readonly mediaUs: number
  /** Microseconds that a concise line may reach into the time of later ones. */
  readonly overflowBudgetUs: number
  readonly gapGuardUs: number
  /** smart_fit: up to this only speech is faster. All rates are from 1 to 2. */
  readonly maxAudioOnlyRate: number
  readonly audioRateCap: number
  /** Factor from 1 to 4. */
  readonly videoSlowCap: number
  readonly allowVideoRetime: boolean
}
export type FittedLine = {
  readonly id: string
  readonly lane: string
  /** In the export. */
  readonly startUs: number
  /** Length of the heard part. */
  readonly lengthUs: number
  /** Rate of speech; below 1 it is slower. `rate` times `lengthUs` plus `cutUs` is `naturalUs`. */
  readonly rate: number
  /** Natural microseconds that are not heard; all of them when the slot is too short. */
  readonly cutUs: number
  /** concise: how far it reaches past its own room. */
  readonly pastUs: number
  /** Factor by which the picture is longer in the room of this line, because of this line or of another one. */
  readonly videoRatio: number
  readonly slotUs: number
  readonly roomUs: number
  readonly naturalUs: number
  /** Agreement of natural length and slot, 0 to 1. 1 for silence. */
  readonly score: number
  /** Null for a line with sound. */
  readonly silence: FitSilence | null
}
export type FitPlan = {
  readonly strategy: FitStrategy
  /** By start in the film and id. */
  readonly lines: readonly FittedLine[]
  readonly pieces: readonly SlowPiece[]
  /** Length of the export. */
  readonly totalUs: number
}
/** `slows`: speech that fills too little of its slot is slower. */
type SpeedLimits = { readonly videoRatio: number; readonly slows: boolean; readonly fastest: number }

const SLOWEST_SPEECH = 0.85
/** Speech that fills less of its slot is slower. */
const SLOW_BELOW = 0.95
const STRICT_CAP = 2
const PICTURE_CAP = 4
const AUDIO_ONLY_CAP = 1.8
/** Error of a length times a rate that was computed from that length, in microseconds. */
const ROUNDING = 0.01

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
  const steps = fitInSteps(lines, options)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** Lines between two steps: about two milliseconds. */
const LINES_A_STEP = 500

/** Same as `fitLines`, but yields between its steps: the lines of a long film take more time than one turn of an event loop should. */
export function* fitInSteps(lines: readonly FitLine[], given: FitOptions): Generator<void, FitPlan> {
  const options = { ...given, mediaUs: wholeUs(given.mediaUs) }
  const slots = slotsOf(lines, options)
  yield
  const limits = slots.map((slot) => limitsOf(slot, options))
  const pieces = slots.flatMap(({ startUs, roomUs, isSilent }, at) => {
    const slope = limits[at]!.videoRatio
    return slope > 1 && !isSilent ? [{ startUs, endUs: startUs + roomUs, slope }] : []
  })
  const map = timeMap(pieces, options.mediaUs)
  yield
  const cap = options.slotFit === 'time_stretch' ? options.audioRateCap : 1
  const concise = options.strategy === 'concise' ? concisePlacement(slots, { ...options, cap }) : null
  yield
  const timeAt = (at: number): Time => {
    const slot = slots[at]!
    return concise ? { ...concise[at]!, ownUs: 0, roomEndUs: slot.startUs + slot.roomUs, videoRatio: 1 } : timeOf(slot, map, options)
  }
  const fitted: FittedLine[] = []
  for (const [at, slot] of slots.entries()) {
    if (at % LINES_A_STEP === LINES_A_STEP - 1) yield
    fitted.push(place(slot, timeAt(at), limits[at]!))
  }
  return { strategy: options.strategy, lines: fitted, pieces, totalUs: map.totalUs }
}

/** The time of a line in the export. `ownUs`: the length of its slot there. */
type Time = {
  readonly startUs: number
  readonly availUs: number
  readonly ownUs: number
  readonly roomEndUs: number
  readonly videoRatio: number
}

/** The map of a plan, for the picture, chapters and cues. */
export const mapOfPlan = ({ pieces }: Pick<FitPlan, 'pieces'>, mediaUs: number): TimeMap => timeMap(pieces, mediaUs)

function timeOf({ startUs, slotUs, roomUs }: Slot, map: TimeMap, { strategy, slotFit }: FitOptions): Time {
  const start = map.at(startUs)
  const ownUs = map.at(startUs + slotUs) - start
  const inRoom = map.at(startUs + roomUs) - start
  const availUs = strategy === 'strict_slot' && slotFit !== 'off' ? ownUs : inRoom
  return { startUs: start, availUs, ownUs, roomEndUs: start + inRoom, videoRatio: roomUs > 0 ? inRoom / roomUs : 1 }
}

function limitsOf({ naturalUs, roomUs, isSilent }: Slot, options: FitOptions): SpeedLimits {
  const natural: SpeedLimits = { videoRatio: 1, slows: false, fastest: 1 }
  if (isSilent) return natural
  const need = naturalUs / roomUs
  const { audioRateCap, maxAudioOnlyRate, videoSlowCap, allowVideoRetime } = options
  switch (options.strategy) {
    case 'concise':
      return options.slotFit === 'time_stretch' ? { ...natural, fastest: audioRateCap } : natural
    case 'strict_slot':
      return options.slotFit === 'time_stretch' ? { ...natural, slows: true, fastest: STRICT_CAP } : natural
    case 'stretch_video':
      return { ...natural, videoRatio: allowVideoRetime ? Math.min(Math.max(need, 1), PICTURE_CAP) : 1, fastest: audioRateCap }
    case 'smart_fit': {
      if (need <= maxAudioOnlyRate) return { ...natural, slows: true, fastest: Math.max(1, need) }
      if (!allowVideoRetime) return { ...natural, slows: true, fastest: AUDIO_ONLY_CAP }
      const rate = Math.min(Math.sqrt(need), audioRateCap)
      return { videoRatio: Math.min(Math.max(need / rate, 1), videoSlowCap), slows: true, fastest: audioRateCap }
    }
  }
}

/** Speech in the time that it has: slower, natural or faster within the limits, and cut where that is not enough. */
function place(slot: Slot, { startUs, availUs, ownUs, roomEndUs, videoRatio }: Time, limit: SpeedLimits): FittedLine {
  const { id, lane, naturalUs, slotUs, roomUs, isSilent } = slot
  const shared = { id, lane, startUs, slotUs, roomUs, naturalUs, videoRatio }
  if (isSilent)
    return { ...shared, lengthUs: 0, rate: 1, cutUs: naturalUs, pastUs: 0, score: 1, silence: naturalUs === 0 ? 'no-take' : 'short-slot' }
  // A slower take ends within its own slot: the silence after it stays.
  const isSlower = limit.slows && naturalUs < SLOW_BELOW * ownUs
  const lengthUs = isSlower ? Math.min(ownUs, Math.floor(naturalUs / SLOWEST_SPEECH)) : Math.min(naturalUs, availUs)
  const cutUs = isSlower ? 0 : Math.max(0, naturalUs - Math.floor(lengthUs * limit.fastest + ROUNDING))
  return {
    ...shared,
    lengthUs,
    rate: (naturalUs - cutUs) / lengthUs,
    cutUs,
    pastUs: Math.max(0, startUs + lengthUs - roomEndUs),
    score: Math.min(naturalUs, slotUs) / Math.max(naturalUs, slotUs),
    silence: null,
  }
}
