// The part of a take that is heard: without the silence that engines leave around speech. Pure.
import { S16_SCALE, s16In } from '#shared/audio/pcm.ts'

/** In samples. */
export type AudiblePart = { readonly from: number; readonly to: number }

const WINDOW_SECONDS = 0.005
/** Below both of these, a window is silent: -50 dBFS, and 40 dB below the loudest window. */
const SILENCE = S16_SCALE * 10 ** (-50 / 20)
const BELOW_LOUDEST = 10 ** (-40 / 20)
/** Length of the fade at the start: the voice itself begins after it. */
const HEAD_SECONDS = 0.005
const TAIL_SECONDS = 0.06

/** `pcm`: s16le, mono. Null for silence. */
export function audiblePart(pcm: Uint8Array, sampleRate: number): AudiblePart | null {
  const samples = s16In(pcm)
  const width = Math.max(1, Math.round(WINDOW_SECONDS * sampleRate))
  const levels: number[] = []
  for (let from = 0; from < samples.length; from += width) {
    const to = Math.min(samples.length, from + width)
    let sum = 0
    for (let at = from; at < to; at++) sum += samples[at]! ** 2
    levels.push(Math.sqrt(sum / (to - from)))
  }
  const limit = Math.max(SILENCE, BELOW_LOUDEST * levels.reduce((most, level) => Math.max(most, level), 0))
  const isAudible = (level: number) => level >= limit
  const first = levels.findIndex(isAudible)
  if (first < 0) return null
  const last = levels.findLastIndex(isAudible)
  // Within the first window that is heard, the voice begins where the samples do.
  let onset = first * width
  while (onset < samples.length - 1 && Math.abs(samples[onset]!) < limit) onset++
  return {
    from: Math.max(0, onset - Math.round(HEAD_SECONDS * sampleRate)),
    to: Math.min(samples.length, (last + 1) * width + Math.round(TAIL_SECONDS * sampleRate)),
  }
}
