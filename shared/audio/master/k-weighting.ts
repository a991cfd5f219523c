// The K-weighting of ITU-R BS.1770 for any sample rate: a shelf for the head, and a high-pass.
import { createSections } from '../biquad.ts'
import type { Stage } from '../stage.ts'

// The analogue filters behind the coefficients that the recommendation prints for 48 kHz.
const SHELF = { hz: 1681.974450955533, db: 3.999843853973347, q: 0.7071752369554196, slope: 0.4996667741545416 }
const HIGH_PASS = { hz: 38.13547087602444, q: 0.5003270373238773 }

/** Weights mono audio without delay. */
export function createKWeighting(sampleRate: number): Stage {
  const k = Math.tan((Math.PI * SHELF.hz) / sampleRate)
  const high = 10 ** (SHELF.db / 20)
  const band = high ** SHELF.slope
  const shelf = {
    b: [high + (band * k) / SHELF.q + k * k, 2 * (k * k - high), high - (band * k) / SHELF.q + k * k],
    a: [1 + k / SHELF.q + k * k, 2 * (k * k - 1), 1 - k / SHELF.q + k * k],
  } as const
  const low = Math.tan((Math.PI * HIGH_PASS.hz) / sampleRate)
  const a = [1 + low / HIGH_PASS.q + low * low, 2 * (low * low - 1), 1 - low / HIGH_PASS.q + low * low] as const
  // The numerator of the recommendation is 1, -2, 1 at every rate.
  return createSections(shelf, { b: [a[0], -2 * a[0], a[0]], a })
}
