// Two real frames in one complex transform: the real and the imaginary part. The symmetry of the spectra of real signals separates them.
import type { Grid } from './mark-grid.ts'

/** Two frames in time or, after the transform, their common spectrum; `slots` has the slot (0 or 1) of each. */
export type Twin = { readonly real: Float32Array; readonly imaginary: Float32Array; readonly slots: [number, number] }

/** Adds four times the energy of each band to the sums of the slot of each frame. */
export function addEnergies({ real, imaginary, slots }: Twin, bands: Grid['bands'], sums: readonly Float64Array[]): void {
  const first = sums[slots[0]]!
  const second = sums[slots[1]]!
  const frame = real.length
  for (let band = 0; band < bands.length; band++) {
    const { from, to } = bands[band]!
    for (let bin = from; bin < to; bin++) {
      const r = real[bin]!
      const m = imaginary[bin]!
      const rr = real[frame - bin]!
      const mm = imaginary[frame - bin]!
      first[band]! += (r + rr) ** 2 + (m - mm) ** 2
      second[band]! += (m + mm) ** 2 + (r - rr) ** 2
    }
  }
}

/** Multiplies the bands of each frame by the gains of its slot. */
export function scaleBands({ real, imaginary, slots }: Twin, bands: Grid['bands'], gains: readonly Float64Array[]): void {
  const frame = real.length
  for (let band = 0; band < bands.length; band++) {
    const { from, to } = bands[band]!
    const first = gains[slots[0]]![band]!
    const second = gains[slots[1]]![band]!
    const own = (first + second) / 2
    const mirrored = (first - second) / 2
    if (own === 1 && mirrored === 0) continue
    for (let bin = from; bin < to; bin++) {
      const r = real[bin]!
      const m = imaginary[bin]!
      const rr = real[frame - bin]!
      const mm = imaginary[frame - bin]!
      real[bin] = own * r + mirrored * rr
      imaginary[bin] = own * m - mirrored * mm
      real[frame - bin] = own * rr + mirrored * r
      imaginary[frame - bin] = own * mm - mirrored * m
    }
  }
}
