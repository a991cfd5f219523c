// Cuts the recording of a voice that comes without its transcript. Pure.

import { REFERENCE } from '#control-plane/media/recording.ts'
import { referenceLength } from '#shared/audio/pauses.ts'
import { parseWav, wavHeader } from '#shared/audio/wav.ts'

const HEADER_BYTES = 44
/** Most recordings are decided by their start; measuring a whole minute would block the thread for 40 ms. */
const HEAD_SECONDS = 12

function lengthOf(wav: Buffer): number {
  const head = parseWav(wav.subarray(0, HEADER_BYTES + 2 * HEAD_SECONDS * REFERENCE.sampleRate)).samples
  const length = referenceLength(head, REFERENCE.sampleRate)
  return length < head.length ? length : referenceLength(parseWav(wav).samples, REFERENCE.sampleRate)
}

/** `wav`: mono, 16 bit, at the rate of REFERENCE. `remark`: a sentence about the cut; null if the recording was short enough. */
export function cutReference(wav: Buffer): { readonly wav: Buffer; readonly remark: string | null } {
  const length = lengthOf(wav)
  if (length >= (wav.length - HEADER_BYTES) / 2) return { wav, remark: null }
  const header = wavHeader({ sampleRate: REFERENCE.sampleRate, channels: 1, samples: length })
  const seconds = (length / REFERENCE.sampleRate).toFixed(1)
  return {
    wav: Buffer.concat([header, wav.subarray(HEADER_BYTES, HEADER_BYTES + 2 * length)]),
    remark: `The first ${seconds} seconds of the reference were used. Send ref_text to use all of it.`,
  }
}
