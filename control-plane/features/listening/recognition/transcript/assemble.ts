// The whole transcript of a recording from those of its parts, with its speakers.

import { firstModelOf, modelMissing } from '#control-plane/inference/missing-model.ts'
import { needFor } from '#control-plane/inference/needs/needs.ts'
import { type Notice, noticeOf } from '#control-plane/inference/notice.ts'
import { type Offer, requireLocalOffers } from '#control-plane/inference/offers.ts'
import { type Recording, recordingRequest } from '#control-plane/inference/recording.ts'
import type { AsrResult } from '#shared/operations/asr.ts'
import type { SpeakerTurn } from '#shared/operations/diarize.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { ModelNeed } from '#shared/protocol/fields/model-need.ts'
import { type ListeningDeps, type ListenRequest, type OpenedRecording, TOO_LONG_FOR_SPEAKERS } from '../listening.ts'
import { joinParts, type PartTranscript } from './parts.ts'
import { withSpeakers } from './speakers.ts'
import type { SubtitleSegment } from './subtitles.ts'

export type Transcript = {
  readonly task: 'transcribe' | 'translate'
  /** Temperature of the decoder, as requested. */
  readonly temperature: number
  readonly text: string
  readonly language: string
  readonly segments: readonly SubtitleSegment[]
  /** Parts in which the recogniser found speech and no words; absent if there are none. */
  readonly speechWithoutWords?: NonNullable<AsrResult['speech_without_words']>
  /** Length of the recording. */
  readonly seconds: number
  readonly engine: string
  readonly notice: Notice | null
}
/** Facts about a recording before its first part is transcribed. Plain data, so that a job can store it. */
export type RecordingFacts = Pick<OpenedRecording, 'reasons' | 'isSubstitute' | 'identified' | 'seconds' | 'count'> & {
  readonly engine: string
}

const NO_DIARISER = 'Speakers were not identified: the model for speakers is not installed.'
/** Throws NOT_READY, and MODEL_NOT_DOWNLOADED without a diariser. */
export function requireDiariser(offered: readonly Offer[]): void {
  if (requireLocalOffers(offered, 'diarize').length === 0) throw modelMissing('pyannote', NO_DIARISER, firstModelOf('pyannote'))
}
export const factsOf = ({ recogniser, reasons, isSubstitute, identified, seconds, count }: OpenedRecording): RecordingFacts => ({
  engine: recogniser.engine,
  reasons,
  isSubstitute,
  identified,
  seconds,
  count,
})
type Speakers = NonNullable<ListenRequest['speakers']>
export function createAssembly({ inference, offered }: Pick<ListeningDeps, 'inference' | 'offered'>) {
  /**
   * The turns of the speakers. Without a diarisation model, or after its failure, the transcript is returned with a notice. Throws that failure for a
   * request that requires speakers.
   */
  async function diarise(
    recording: Recording,
    { count, isRequired = false }: Speakers,
  ): Promise<{ turns: SpeakerTurn[]; notice: string | null; needs?: ModelNeed }> {
    let engine = 'the engine'
    try {
      if (isRequired) requireDiariser(offered())
      const [diariser] = requireLocalOffers(offered(), 'diarize')
      if (!diariser) return { turns: [], notice: NO_DIARISER, needs: needFor('speakers') }
      engine = diariser.engine
      const request = await recordingRequest(inference, diariser, 'diarize', { num_speakers: count }, recording)
      const { segments } = await inference.run(request, recording.signal)
      const turns = segments.sort((left, right) => left.start - right.start)
      const found = new Set(turns.map(({ speaker }) => speaker)).size
      const differs = count !== null && found !== count
      return { turns, notice: differs ? `${found} of the ${count} speakers were identified.` : null }
    } catch (error) {
      recording.signal.throwIfAborted()
      if (isRequired) throw error
      const { code } = Failure.from(error)
      return { turns: [], notice: `Speakers were not identified: ${engine} failed (${code}).` }
    }
  }

  const speakersIn = async (recording: Recording | null, speakers: Speakers) =>
    recording ? await diarise(recording, speakers) : { turns: [], notice: TOO_LONG_FOR_SPEAKERS, needs: undefined }

  /** The whole transcript. `whole` is called for a diarisation only. Throws its abort. */
  return async function assembled(
    { speakers, remark, task = 'transcribe', temperature }: ListenRequest,
    { reasons, isSubstitute, identified, seconds, engine }: RecordingFacts,
    parts: readonly PartTranscript[],
    whole: OpenedRecording['whole'],
  ): Promise<Transcript> {
    const joined = joinParts(parts)
    const diarised = speakers ? await speakersIn(await whole(), speakers) : { turns: [], notice: null, needs: undefined }
    const notice = noticeOf([...reasons, ...joined.notices, diarised.notice, remark], isSubstitute)
    return {
      task,
      temperature: temperature ?? 0,
      text: joined.text,
      language: joined.language || identified,
      segments: withSpeakers(joined.segments, diarised.turns),
      ...(joined.speech_without_words && { speechWithoutWords: joined.speech_without_words }),
      seconds,
      engine,
      notice: notice && diarised.needs ? { ...notice, needs: diarised.needs } : notice,
    }
  }
}
