// The quality of a canonical recording. A minute of samples takes 50 ms to read, so other requests run between its parts.

import { REFERENCE } from '#control-plane/media/recording.ts'
import { fromS16 } from '#shared/audio/pcm.ts'
import { WAV_HEADER_BYTES } from '#shared/audio/wav.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'
import { openMeter, type Quality } from './quality.ts'

/** About 5 seconds. */
const PARTS_AT_ONCE = 100

/** `wav`: mono, 24 kHz, 16 bit, as the intake makes it. */
export async function measuredQuality(wav: Uint8Array): Promise<Required<Omit<Quality, 'transcript'>>> {
  const meter = openMeter(REFERENCE.sampleRate)
  const bytes = meter.partSamples * PARTS_AT_ONCE * 2
  for (let at = WAV_HEADER_BYTES; at < wav.length; at += bytes) {
    if (at > WAV_HEADER_BYTES) await nextTurn()
    meter.push(fromS16(wav.subarray(at, at + bytes)))
  }
  return meter.read()
}
