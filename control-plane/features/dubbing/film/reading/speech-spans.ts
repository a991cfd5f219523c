// Finds speech in a piece of sound, by the detector of this machine.

import { type Offer, requireLocalOffers } from '#control-plane/inference/offers.ts'
import { type Recording, recordingRequest } from '#control-plane/inference/recording.ts'
import type { Inference } from '#control-plane/inference/run.ts'
import { whenReady } from '#control-plane/inference/when-ready.ts'
import type { VadParams } from '#shared/operations/vad.ts'
import { Failure, type FailureCode } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'

/** In seconds of the recording. */
export type SpokenSpan = { readonly start: number; readonly end: number }
/**
 * Ascending; null when no engine of this machine can detect speech. Throws as `Inference.run`, and NOT_READY when the engines of this machine have not
 * started within two minutes.
 */
export type SpeechSpans = (recording: Recording, rules?: Partial<VadParams>) => Promise<readonly SpokenSpan[] | null>

type Deps = {
  readonly inference: Pick<Inference, 'keepInput' | 'run'>
  readonly offered: () => readonly Offer[]
  readonly clock: Pick<Clock, 'mono' | 'sleep'>
}

export function createSpeechSpans({ inference, offered, clock }: Deps): SpeechSpans {
  return async (recording, rules = {}) => {
    const [offer] = await whenReady(async () => requireLocalOffers(offered(), 'vad'), clock, recording.signal)
    if (!offer) return null
    const request = await recordingRequest(inference, offer, 'vad', rules, recording)
    return (await inference.run({ ...request, priority: 1 }, recording.signal)).segments
  }
}

/** Onsets of speech, in seconds of the recording. `missing`: why there are none. Throws the reason of the signal. */
export async function onsetsOf(spans: SpeechSpans, recording: Recording): Promise<{ onsets: number[]; missing: FailureCode | null }> {
  try {
    // The detector is told to add nothing before the speech.
    const found = await spans(recording, { pad_ms: 0 })
    return found ? { onsets: found.map(({ start }) => start), missing: null } : { onsets: [], missing: 'MODEL_NOT_DOWNLOADED' }
  } catch (error) {
    recording.signal.throwIfAborted()
    return { onsets: [], missing: Failure.from(error).code }
  }
}
