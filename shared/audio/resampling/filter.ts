// The filters of a polyphase resampler: one for each place between two samples where a sample of the result can lie. Pure.
import { kaiser, sinc } from '../kaiser.ts'

/** 100 dB below the sound. */
const BETA = 10
/** Samples of the lower rate that one sample of the result depends on. */
const LENGTH = 160
/** Share of half the lower rate that passes; higher frequencies are removed. */
const PASSED = 0.95
/** The loop of the kernel takes this many at once. */
const TAPS_STEP = 8

/** A sample of the result lies `steps / phases` samples after the one before; the filter of each phase has `taps` values. */
export type PolyphaseFilter = { readonly phases: number; readonly steps: number; readonly taps: number }

/** The size of the filter from one rate to another, both integers. */
export function polyphaseFilter(from: number, to: number): PolyphaseFilter {
  const divisor = greatestCommonDivisor(from, to)
  const [phases, steps] = [to / divisor, from / divisor]
  return { phases, steps, taps: TAPS_STEP * Math.ceil((LENGTH * Math.max(1, steps / phases)) / TAPS_STEP) }
}

/** The values of all phases. The sample at `taps / 2 - 1` is the one before the place of the result, or at it. */
export function filterTable({ phases, steps, taps }: PolyphaseFilter): Float32Array<ArrayBuffer> {
  const cutoff = PASSED * Math.min(1, phases / steps)
  const half = taps / 2
  // The filter is symmetric, so each distance is computed once.
  const atDistance = Float32Array.from({ length: half * phases + 1 }, (_, at) => {
    const distance = at / phases
    return cutoff * sinc(cutoff * distance) * kaiser(distance / half, BETA)
  })
  const table = new Float32Array(phases * taps)
  for (let phase = 0; phase < phases; phase++)
    for (let tap = 0; tap < taps; tap++) table[phase * taps + tap] = atDistance[Math.abs((tap + 1 - half) * phases - phase)]!
  return table
}

function greatestCommonDivisor(one: number, other: number): number {
  return other === 0 ? one : greatestCommonDivisor(other, one % other)
}
