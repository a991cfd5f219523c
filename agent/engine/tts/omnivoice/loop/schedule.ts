// Number of cells of the code matrix that each step fills. Pure. Computed in single precision like the published loop: double precision can
// give one cell more or less where the value is rounded up.

const f32 = Math.fround

/** Shifted times from 0 to 1 at the borders of the steps. A shift below 1 moves most of the work into the last steps. */
function times(steps: number, shift: number): number[] {
  const step = f32(1 / steps)
  const s = f32(shift)
  const lessOne = f32(f32(shift - 1))
  return Array.from({ length: steps + 1 }, (_, n) => {
    // Built from both ends, so that the last value is exactly 1 in single precision.
    const t = n <= steps / 2 ? f32(step * n) : f32(1 - f32(step * (steps - n)))
    return f32(f32(s * t) / f32(1 + f32(lessOne * t)))
  })
}

/** One count per step; the sum is `cells`. The counts after the last cell are 0. */
export function fillCounts(cells: number, steps: number, shift: number): number[] {
  const at = times(steps, shift)
  let left = cells
  return Array.from({ length: steps }, (_, n) => {
    const due = n === steps - 1 ? left : Math.min(Math.ceil(cells * (at[n + 1]! - at[n]!)), left)
    // A shift of 0 gives NaN, which counts as 0 before the last step.
    const count = due > 0 ? due : 0
    left -= count
    return count
  })
}
