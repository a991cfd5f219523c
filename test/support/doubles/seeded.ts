// Repeatable random numbers: the same seed gives the same choices in the same order.

export type Seeded = ReturnType<typeof seeded>

/** mulberry32: 32 bits of state, good enough to choose faults with. */
export function seeded(seed: number) {
  let state = seed >>> 0
  const unit = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    unit,
    between: (low: number, high: number): number => low + unit() * (high - low),
    below: (count: number): number => Math.floor(unit() * count),
    pick: <T>(from: readonly T[]): T => from[Math.floor(unit() * from.length)]!,
  }
}

/** VOICE_STUDIO_SEED repeats a run; without it every run has its own seed. */
export const chosenSeed = (): number => Number(process.env['VOICE_STUDIO_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
