// The loudness of speech in a film: K-weighted and gated, over the spans in which there is speech.
import { createHistogramMeter, integratedLoudness } from '#shared/audio/master/histogram.ts'
import { FILM_RATE } from '../sound/extract.ts'
import type { SoundSpan } from './plan.ts'

const PIECE = FILM_RATE
const MAX_GAIN_DB = 24

/** LUFS, by which mono and dual mono sound are equally loud; null for silence. `read` returns one or two channels. */
export async function speechLoudness(
  spans: readonly SoundSpan[],
  read: (from: number, count: number) => Promise<readonly Float32Array[]>,
  signal: AbortSignal,
): Promise<number | null> {
  let meter: ReturnType<typeof createHistogramMeter> | null = null
  for (const { from, to } of spans)
    for (let at = from; at < to; at += PIECE) {
      signal.throwIfAborted()
      const channels = await read(at, Math.min(PIECE, to - at))
      meter ??= createHistogramMeter(FILM_RATE, channels.length === 1 ? 1 : 2)
      meter.push(...channels)
    }
  return meter === null ? null : integratedLoudness(meter.finish())
}

/** The gain that makes speech of `voice` as loud as that of `original`; 0 when either is silent. */
export const matchingGainDb = (original: number | null, voice: number | null): number =>
  original === null || voice === null ? 0 : Math.max(-MAX_GAIN_DB, Math.min(MAX_GAIN_DB, original - voice))
