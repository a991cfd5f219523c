// The lengths that the lines of a dub need, and which of them an engine speaks again for it. Pure.

import { keyOf } from '#control-plane/jobs/key.ts'
import { type FitOptions, type FitPlan, fitInSteps } from '#shared/timing/fit.ts'
import type { FitLine } from '#shared/timing/slots.ts'
import type { DubManifest } from '../speak/manifest.ts'

/** Raised when the same request would sound different. */
const VERSION = 1
/** A smaller change of the tempo is not heard. */
const MAX_RATE = 1.06
/** Lengths are asked for in these steps, so that a small change of the fit speaks nothing again. */
const STEP_US = 20_000

type FittedLines = { readonly input: FitLine[]; readonly fitted: FitPlan }
/** In steps, as `fitInSteps`. `naturalUs`: of the take of a line by its index; 0 without one. */
export function* fittedLines(
  manifest: DubManifest,
  options: FitOptions,
  naturalUs: (line: number) => number,
): Generator<void, FittedLines> {
  const input = manifest.lines.map(
    ({ id, startUs, endUs, speakerId, profileId }, index): FitLine => ({
      id,
      startUs,
      endUs,
      lane: speakerId || profileId,
      naturalUs: naturalUs(index),
    }),
  )
  yield
  return { input, fitted: yield* fitInSteps(input, options) }
}

type Fitted = Pick<FitPlan['lines'][number], 'rate' | 'lengthUs' | 'naturalUs'>
/** Microseconds that the line should be spoken in; null when its own length will do. */
export function wantedLength({ rate, lengthUs, naturalUs }: Fitted): number | null {
  if (naturalUs === 0 || lengthUs === 0 || (rate <= MAX_RATE && rate >= 1 / MAX_RATE)) return null
  return Math.max(STEP_US, Math.round(naturalUs / rate / STEP_US) * STEP_US)
}

/** Key of the take that is spoken in this length. `natural`: the key of the take with its own length. */
export const secondKey = (natural: string, lengthUs: number): string =>
  keyOf({ kind: 'dub.take.length', version: VERSION, inputs: [natural], params: { lengthUs } })

/** True if a take of this length needs less change of tempo for the line than the natural one. */
export const isNearer = (partUs: number, { rate, naturalUs }: Fitted): boolean => {
  const wantedUs = naturalUs / rate
  return partUs > 0 && Math.abs(Math.log(partUs / wantedUs)) < Math.abs(Math.log(rate))
}
