// The fingerprint of the timing of a track, stored as `fit_fp`. Pure.
import { createHash } from 'node:crypto'
import type { FitStrategy } from './fit.ts'
import { type FitRequestOptions, filledFitOptions } from './options.ts'

const DIGITS = 16

/**
 * Sixteen hexadecimal digits of the strategy and of the five options with their defaults. A track with another fingerprint is fitted
 * again, and nothing is spoken again.
 */
export function fitFingerprint(strategy: FitStrategy, options: Parameters<typeof filledFitOptions>[0]): string {
  const inputs: FitRequestOptions & { readonly timing_strategy: FitStrategy } = { ...filledFitOptions(options), timing_strategy: strategy }
  const sorted = Object.entries(inputs).sort(([left], [right]) => (left < right ? -1 : 1))
  return createHash('sha1').update(JSON.stringify(sorted)).digest('hex').slice(0, DIGITS)
}
