// Longer sound at the same pitch (waveform similarity overlap-add). The length of the result is exact by construction, and its ends continue
// the sound before and after it.

export type StretchRead = (from: number, count: number) => Promise<readonly Float32Array[]>
export type Stretching = {
  /** Channels of the sound from a position; zeros outside of it. The first `alike` of them decide where pieces are taken from. */
  readonly read: StretchRead
  readonly alike: number
  readonly from: number
  readonly to: number
  /** Samples of the result. */
  readonly length: number
  readonly sampleRate: number
}

/** Long enough for low notes, short enough that no beat is heard twice. */
const FRAME_SECONDS = 0.04
const SEARCH_SECONDS = 0.012
/** The search compares every n-th sample, then looks closer around the best one. */
const COARSE_HZ = 12_000

/**
 * Yields the channels in pieces, `length` samples in all. Frames of the source are added up with windows whose sum is one; each is taken where it
 * continues the one before best. The first and the last frame are taken at the ends.
 */
export async function* stretchSound({ read, alike, from, to, length, sampleRate }: Stretching): AsyncGenerator<Float32Array[]> {
  if (length <= 0) return
  const steps = Math.max(1, Math.round(length / ((FRAME_SECONDS * sampleRate) / 2)))
  const hop = Math.ceil(length / steps)
  const search = Math.round(SEARCH_SECONDS * sampleRate)
  const fadeIn = Float32Array.from({ length: hop }, (_, i) => 0.5 - 0.5 * Math.cos((Math.PI * (i + 0.5)) / hop))
  const ratio = (to - from) / length
  // The natural continuation of the last frame, which fades out while the next one fades in.
  let before = from
  for (let step = 0; step < steps; step++) {
    const at = Math.round((step * length) / steps)
    const count = Math.round(((step + 1) * length) / steps) - at
    const isLast = step === steps - 1
    const wanted = isLast ? to - count : Math.round(from + at * ratio)
    // `before` at step 0 is the wanted position itself, so the result begins with the source.
    const chosen = isLast || step === 0 ? wanted : await bestMatch(read, alike, before, wanted, hop, search, sampleRate)
    const [old, next] = [await read(before, count), await read(chosen, count)]
    yield next.map((channel, index) => blended(old[index]!, channel, fadeIn))
    before = chosen + count
  }
}

function blended(old: Float32Array, next: Float32Array, fadeIn: Float32Array): Float32Array {
  return next.map((sample, i) => old[i]! + (sample - old[i]!) * (i === next.length - 1 ? 1 : fadeIn[i]!))
}

/** The position near `wanted` where the sound is most like the one at `before`. */
async function bestMatch(
  read: StretchRead,
  alike: number,
  before: number,
  wanted: number,
  hop: number,
  search: number,
  sampleRate: number,
): Promise<number> {
  if (Math.abs(before - wanted) < 1) return wanted
  const pattern = sumOf(await read(before, hop), alike)
  const start = wanted - search
  const region = sumOf(await read(start, hop + 2 * search), alike)
  const coarse = Math.max(1, Math.round(sampleRate / COARSE_HZ))
  let [best, most] = [search, Number.NEGATIVE_INFINITY]
  const consider = (offset: number, stride: number) => {
    const likeness = likenessAt(pattern, region, offset, stride)
    if (likeness > most) [best, most] = [offset, likeness]
  }
  consider(search, coarse) // In silence all places are alike.
  for (let offset = 0; offset <= 2 * search; offset += coarse) consider(offset, coarse)
  const near = best
  most = Number.NEGATIVE_INFINITY
  for (let offset = Math.max(0, near - coarse); offset <= Math.min(2 * search, near + coarse); offset++) consider(offset, 1)
  return start + best
}

/** Correlation, normalised by the energy of the region. */
function likenessAt(pattern: Float32Array, region: Float32Array, offset: number, stride: number): number {
  let [product, energy] = [0, 1e-9]
  for (let i = 0; i < pattern.length; i += stride) {
    const sample = region[offset + i]!
    product += pattern[i]! * sample
    energy += sample * sample
  }
  return product / Math.sqrt(energy)
}

function sumOf(channels: readonly Float32Array[], alike: number): Float32Array {
  const sum = Float32Array.from(channels[0]!)
  for (const channel of channels.slice(1, alike)) for (let i = 0; i < sum.length; i++) sum[i]! += channel[i]!
  return sum
}
