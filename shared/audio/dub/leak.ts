// Measures the rest of the original voice in a mix: the projection of the isolated voice on it, against the same at shifted times. Pure.

export const LEAK_WINDOW_SECONDS = 0.1
/** A window leaks above this. */
export const LEAK_DB = -35
/** This many windows in a row are a leak. */
export const LEAK_WINDOWS = 5
const LAGS = 12
const [FIRST_LAG_SECONDS, LAST_LAG_SECONDS] = [0.004, 0.05]
/** Samples on both sides of a window that `leakOfWindow` reads of the mix. */
export const leakMargin = (sampleRate: number): number => Math.ceil(LAST_LAG_SECONDS * sampleRate)
/** Differences of neighbouring samples make voices less alike than their low frequencies are. */
const EMPHASIS = 0.97
/** Mean square of the isolated voice below which nothing can be measured: -50 dBFS. */
const QUIET = 10 ** (-50 / 10)

const lagsOf = (sampleRate: number): number[] => {
  // Uneven, so that no pitch fits all of them.
  const lags = Array.from({ length: LAGS }, (_, at) => {
    const share = (at + 0.37 * (at % 3)) / LAGS
    return Math.round(sampleRate * (FIRST_LAG_SECONDS + share * (LAST_LAG_SECONDS - FIRST_LAG_SECONDS)))
  })
  return lags.flatMap((lag) => [lag, -lag])
}

const emphasised = (samples: Float32Array): Float32Array => samples.map((sample, at) => sample - EMPHASIS * (samples[at - 1] ?? 0))

/**
 * dB of the voice in one window of the mix, relative to the voice itself; null if the voice is too quiet, or if the mix is no more like
 * the voice now than a moment earlier or later. `mix` has `leakMargin` more samples on both sides.
 */
export function leakOfWindow(voice: Float32Array, mix: Float32Array, sampleRate: number): number | null {
  const power = voice.reduce((sum, sample) => sum + sample * sample, 0) / voice.length
  if (!(power > QUIET)) return null
  const [one, other] = [emphasised(voice), emphasised(mix)]
  const energy = one.reduce((sum, sample) => sum + sample * sample, 0)
  if (energy === 0) return null
  const margin = leakMargin(sampleRate)
  const share = (lag: number): number => {
    let sum = 0
    for (let at = 1; at < one.length; at++) sum += one[at]! * other[margin + at + lag]!
    return Math.abs(sum) / energy
  }
  const now = share(0)
  if (now <= 0 || lagsOf(sampleRate).some((lag) => share(lag) >= now)) return null
  return 20 * Math.log10(now)
}

/** The loudest level that five windows in a row reach at least; null for fewer windows, or where one of each five has none. */
export function leakOf(windows: readonly (number | null)[]): number | null {
  let worst: number | null = null
  for (let at = 0; at + LEAK_WINDOWS <= windows.length; at++) {
    const row = windows.slice(at, at + LEAK_WINDOWS)
    if (row.some((level) => level === null)) continue
    const least = Math.min(...(row as number[]))
    if (worst === null || least > worst) worst = least
  }
  return worst
}
