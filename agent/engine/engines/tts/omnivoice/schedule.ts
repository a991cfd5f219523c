// How many cells of the code matrix each step fills. Pure. Single precision throughout, as the published loop computes it: at a border of
// the rounding-up a double would fill one cell more or less.

const f32 = Math.fround

/** Shifted times 0 … 1 at the borders of `steps` steps; a shift below 1 puts most of the work into the last steps. */
function times(steps: number, shift: number): number[] {
  const step = f32(1 / steps)
  const s = f32(shift)
  const less = f32(f32(shift - 1))
  return Array.from({ length: steps + 1 }, (_, n) => {
    // A float32 ramp is built from both ends, so that its last value is exactly 1.
    const t = n <= steps / 2 ? f32(step * n) : f32(1 - f32(step * (steps - n)))
    return f32(f32(s * t) / f32(1 + f32(less * t)))
  })
}

/** One count per step, all together `cells`. Once everything is filled the rest are 0: the loop stops there. */
export function fillCounts(cells: number, steps: number, shift: number): number[] {
  const at = times(steps, shift)
  let left = cells
  return Array.from({ length: steps }, (_, n) => {
    const wanted = n === steps - 1 ? left : Math.min(Math.ceil(cells * (at[n + 1]! - at[n]!)), left)
    // A shift of 0 divides nothing by nothing; what is not a number of cells fills none before the last step.
    const count = wanted > 0 ? wanted : 0
    left -= count
    return count
  })
}
