// Selects the lines that are spoken again, and the best of their takes. Pure.
import { z } from 'zod'
import type { LineReport } from '../qc/rules/report.rules.ts'

/** More than the take that there is. */
export const MAX_MORE_TAKES = 2
const MAX_CHARACTER_ERROR = 0.3
const [MIN_FILLED, MAX_NEED] = [0.8, 1.25]
/** Character errors that differ less are equal: recognisers are no more exact. */
const ERROR_STEP = 0.05

/** Facts about a take of a line. */
export const TakeScore = z.object({
  isSilent: z.boolean(),
  isOtherLanguage: z.boolean(),
  isRepeated: z.boolean(),
  /** Null if the words were not checked. */
  characterError: z.number().nullable(),
  /** Natural length for each microsecond of the slot, and of the slot with the silence after it; 0 if it is unknown. */
  filled: z.number(),
  need: z.number(),
})
export type TakeScore = z.output<typeof TakeScore>

export const scoreOfReport = ({ faults, evidence, filled, need }: LineReport): TakeScore => ({
  isSilent: faults.includes('missing') || faults.includes('silence'),
  isOtherLanguage: evidence.isOtherLanguage,
  isRepeated: faults.includes('repetition'),
  characterError: evidence.characterError,
  filled,
  need,
})

/** True if another take may be better: not understood, in another language, silent, repeating itself, or of another length than its time. */
export const needsAnotherTake = ({ isSilent, isOtherLanguage, isRepeated, characterError, filled, need }: TakeScore): boolean =>
  isSilent ||
  isOtherLanguage ||
  isRepeated ||
  (characterError ?? 0) > MAX_CHARACTER_ERROR ||
  (filled > 0 && filled < MIN_FILLED) ||
  need > MAX_NEED

/** In order: understood, then length. */
function ranks({ isSilent, isOtherLanguage, isRepeated, characterError, filled, need }: TakeScore): number[] {
  const misunderstood = Math.round((characterError ?? 0) / ERROR_STEP)
  const tooLong = Math.max(0, need - 1)
  const tooShort = filled > 0 ? Math.max(0, 1 - filled) : 0
  return [Number(isSilent), Number(isOtherLanguage), Number(isRepeated), misunderstood, Math.max(tooLong, tooShort)]
}

/** The position of the best; of equal ones, the first. */
export function bestTake(takes: readonly TakeScore[]): number {
  const all = takes.map(ranks)
  let best = 0
  for (let at = 1; at < all.length; at++) {
    const differs = all[at]!.findIndex((rank, index) => rank !== all[best]![index])
    if (differs >= 0 && all[at]![differs]! < all[best]![differs]!) best = at
  }
  return best
}
