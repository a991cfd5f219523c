// The level changes that write a chip into speech. They depend on the speech: a chip that already has its sign is left alone, and one far
// from it is given up, so that the allowed error is spent on the chips that it can turn.

/** Largest change of a tile (one band in one slot). */
const MAX_DB = 3.5
/** Clarity of a chip after the change, if that is possible. Codecs move the statistic by a few decibels. */
const MARGIN_DB = 8
/** Chips further from zero than this many times the possible change stay as they are. */
const REACH = 2
// A loud tile adds the most error and is the most audible: above this share of the power its change shrinks.
const LOUD_SHARE = 0.006
/** Tiles this far below the loudest recent slot are inaudible, and codecs replace them: they carry nothing. */
export const TILE_FLOOR = 1e-6
const DB_PER_NEPER = 10 / Math.LN10

/** Tiles of a chip, in the order first slot low, first slot high, second slot low, second slot high; and their signs in its statistic. */
export const TILES = 4
const SIDES = [1, -1, -1, 1]

/**
 * Writes the changes in dB of the four tiles of a chip into `out`, for their `energies`. `power` is the mean energy of the two slots over all
 * frequencies, `floor` the energy below which a tile carries nothing. Allocates nothing: it runs three hundred times per second of audio.
 */
export function chipGains(energies: Float64Array, sign: number, power: number, floor: number, out: Float64Array): void {
  out.fill(0)
  const clarity = clarityOf(energies, sign, floor)
  if (clarity >= MARGIN_DB) return
  let room = 0
  for (let tile = 0; tile < TILES; tile++) room += roomOf(energies[tile]!, power, floor)
  if (clarity < -REACH * room) return
  share(Math.min(MARGIN_DB - clarity, room), energies, power, floor, out)
  for (let tile = 0; tile < TILES; tile++) out[tile]! *= sign * SIDES[tile]!
}

/** Distance of the chip's statistic from zero on the side of `sign`, in dB. */
export function clarityOf(energies: Float64Array, sign: number, floor: number): number {
  const plus = (energies[0]! + floor) * (energies[3]! + floor)
  const minus = (energies[1]! + floor) * (energies[2]! + floor)
  return sign * DB_PER_NEPER * Math.log(plus / minus)
}

const roomOf = (energy: number, power: number, floor: number): number =>
  energy < floor ? 0 : MAX_DB * Math.min(1, Math.sqrt((LOUD_SHARE * power) / energy))

/** Splits `total`, which is at most the sum of the rooms, so that weak tiles change more and no tile more than its room. */
function share(total: number, energies: Float64Array, power: number, floor: number, out: Float64Array): void {
  let left = total
  for (;;) {
    let weights = 0
    for (let tile = 0; tile < TILES; tile++) if (out[tile] === 0) weights += weightOf(energies[tile]!, floor)
    if (left <= 0 || weights === 0) return
    const unit = left / weights
    // Tiles whose part exceeds their room get their room; the others split the rest again.
    let isFull = false
    for (let tile = 0; tile < TILES; tile++) {
      const room = roomOf(energies[tile]!, power, floor)
      if (out[tile] !== 0 || room === 0 || unit * weightOf(energies[tile]!, floor) < room) continue
      out[tile] = room
      left -= room
      isFull = true
    }
    if (isFull) continue
    for (let tile = 0; tile < TILES; tile++) if (out[tile] === 0) out[tile] = unit * weightOf(energies[tile]!, floor)
    return
  }
}
const weightOf = (energy: number, floor: number): number => (energy < floor ? 0 : 1 / Math.sqrt(energy + floor))
