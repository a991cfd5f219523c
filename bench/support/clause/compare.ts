// Compares two renderings of a sentence: spoken as one, and cut after its first clause. Both are mono samples of the same rate.

/** Above this a difference in one sentence is audible in ordinary listening: just noticeable differences for running speech. */
export const AUDIBLE = { pauseMs: 50, levelDb: 1, pitchSemitones: 1, spectrumDb: 3, durationPercent: 5 } as const

export type Rendering = { readonly samples: Float32Array; readonly rate: number }
/** Around the end of the first clause. */
export type Joint = {
  /** Length of the sentence. */
  readonly seconds: number
  readonly pauseMs: number
  /** RMS of the first clause, dB. */
  readonly levelDb: number
  /** Median pitch in the last 250 ms before the pause, and in the first 250 ms after it, in semitones relative to the median of the sentence. */
  readonly before: number
  readonly after: number
  /** Mean power of the first clause in bands of a third of an octave, dB relative to its total. */
  readonly bands: readonly number[]
}

const FRAME_MS = 10
const SILENCE_DB = -45
const EDGE_MS = 250

/** `near`: seconds at which the first clause ends; the longest silence within half a second is the pause. Null if there is no pitch. */
export function jointOf({ samples, rate }: Rendering, near: number): Joint | null {
  const frame = Math.round((rate * FRAME_MS) / 1000)
  const count = Math.floor(samples.length / frame)
  const db = (from: number, to: number): number => {
    let sum = 0
    for (let at = from; at < to; at++) sum += samples[at]! ** 2
    return 10 * Math.log10(sum / Math.max(1, to - from) + 1e-12)
  }
  const levels = Array.from({ length: count }, (_, index) => db(index * frame, (index + 1) * frame))
  const loudest = Math.max(...levels)
  const isSilent = levels.map((level) => level < loudest + SILENCE_DB)
  const middle = Math.round((near * 1000) / FRAME_MS)
  let pause = { from: middle, to: middle }
  for (let at = Math.max(0, middle - 50); at < Math.min(count, middle + 50); at++) {
    if (!isSilent[at] || isSilent[at - 1]) continue
    let to = at
    while (to < count && isSilent[to]) to++
    if (to - at > pause.to - pause.from) pause = { from: at, to }
  }
  const pitchesOf = (from: number, to: number, step: number): number[] => {
    const found: number[] = []
    for (let at = Math.max(0, from); at < Math.min(to, count); at += step)
      if (levels[at]! > loudest - 30) found.push(pitchAt(samples, rate, at * frame))
    return found
  }
  const median = (list: readonly number[]): number => {
    const voiced = list.filter((value) => value > 0).sort((a, b) => a - b)
    return voiced[Math.floor(voiced.length / 2)] ?? 0
  }
  const edge = EDGE_MS / FRAME_MS
  const whole = median(pitchesOf(0, count, 6))
  const before = median(pitchesOf(pause.from - edge, pause.from, 2))
  const after = median(pitchesOf(pause.to, pause.to + edge, 2))
  if (whole === 0 || before === 0 || after === 0) return null
  const first = samples.subarray(0, pause.from * frame)
  return {
    seconds: samples.length / rate,
    pauseMs: (pause.to - pause.from) * FRAME_MS,
    levelDb: db(0, first.length),
    before: 12 * Math.log2(before / whole),
    after: 12 * Math.log2(after / whole),
    bands: bandsOf(first, rate),
  }
}

export function differences(one: Joint, other: Joint) {
  const spectrum = one.bands.reduce((sum, band, index) => sum + Math.abs(band - other.bands[index]!), 0) / one.bands.length
  return {
    pauseMs: Math.abs(one.pauseMs - other.pauseMs),
    levelDb: Math.abs(one.levelDb - other.levelDb),
    pitchSemitones: Math.max(Math.abs(one.before - other.before), Math.abs(one.after - other.after)),
    spectrumDb: spectrum,
    durationPercent: 100 * Math.abs(other.seconds / one.seconds - 1),
  }
}

/** By autocorrelation of 40 ms, 60 to 400 Hz; 0 if nothing is periodic. */
function pitchAt(samples: Float32Array, rate: number, from: number): number {
  const length = Math.round(rate * 0.04)
  const longest = Math.round(rate / 60)
  if (from + length + longest > samples.length) return 0
  const correlation = (lag: number): number => {
    let product = 0
    let own = 1e-9
    let shifted = 1e-9
    for (let at = from; at < from + length; at++) {
      product += samples[at]! * samples[at + lag]!
      own += samples[at]! ** 2
      shifted += samples[at + lag]! ** 2
    }
    return product / Math.sqrt(own * shifted)
  }
  const shortest = Math.round(rate / 400)
  const values = Array.from({ length: longest - shortest + 1 }, (_, index) => correlation(index + shortest))
  const best = Math.max(...values)
  if (best < 0.6) return 0
  // The shortest period that fits nearly as well: twice the period fits too.
  const at = values.findIndex(
    (value, index) => value > 0.9 * best && value >= (values[index - 1] ?? -1) && value >= (values[index + 1] ?? -1),
  )
  return rate / (at + shortest)
}

/** Goertzel sums over frames of 32 ms at the middle of each band from 100 Hz to 6.3 kHz. */
function bandsOf(samples: Float32Array, rate: number): number[] {
  const size = Math.round(rate * 0.032)
  const powers = Array.from({ length: 19 }, (_, band) => {
    const step = 2 * Math.cos((2 * Math.PI * 100 * 2 ** (band / 3)) / rate)
    let total = 1e-9
    for (let from = 0; from + size <= samples.length; from += size) {
      let [last, older] = [0, 0]
      for (let at = 0; at < size; at++) [last, older] = [samples[from + at]! * Math.sin((Math.PI * at) / size) + step * last - older, last]
      total += last * last + older * older - step * last * older
    }
    return total
  })
  const sum = powers.reduce((a, b) => a + b, 0)
  return powers.map((power) => 10 * Math.log10(power / sum))
}
