// Decides whether a translated line can be spoken in its time. Pure.

/** Time that a text takes to say. `calibrated`: from measurements of the voice, and not from the usual pace of the language. */
export type SpeakingTime = (text: string, language: string) => { readonly seconds: number; readonly calibrated: boolean }
export type LengthPlan = {
  readonly status: 'fits' | 'tight' | 'impossible'
  readonly est_dur_s: number
  readonly available_s: number
  readonly est_overrun_s: number
  readonly calibrated: boolean
}
/** The need up to which a line fits, and up to which speaking faster makes it fit. */
export const NEED = { fits: 1.05, tight: 1.2 } as const

const rounded = (value: number): number => Math.round(value * 1000) / 1000

/** `available`: seconds, more than 0. */
export function lengthPlan(text: string, available: number, language: string, speakingTime: SpeakingTime): LengthPlan {
  const { seconds, calibrated } = speakingTime(text, language)
  const need = seconds / available
  return {
    status: need <= NEED.fits ? 'fits' : need <= NEED.tight ? 'tight' : 'impossible',
    est_dur_s: rounded(seconds),
    available_s: rounded(available),
    est_overrun_s: rounded(Math.max(0, seconds - available)),
    calibrated,
  }
}
