// Transcripts in English, for recognisers that only transcribe: the segments are translated as texts on this machine.

import { type Offer, requireLocalOffers } from '#control-plane/inference/offers.ts'
import type { Inference } from '#control-plane/inference/run.ts'
import { createTranslateHere, translatorsFor } from '#control-plane/inference/translators.ts'
import type { AsrResult } from '#shared/operations/asr.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { isRejection } from '#shared/protocol/fields/peer-codes.ts'
import { COMMAND } from '#shared/protocol/version.ts'
import { joinPieces } from '#shared/text/join-pieces.ts'
import { englishNameOf } from '#shared/text/languages/language-names.ts'
import { asrMissing } from './recognisers.ts'

const ENGLISH = 'en'

type Deps = { readonly offered: () => readonly Offer[]; readonly inference: Pick<Inference, 'run'> }
type Caller = { readonly signal: AbortSignal; readonly traceparent: string }

const needsWhisper = (what: string) =>
  asrMissing(`${what} Install a Whisper model that translates speech itself, such as small or base; ${COMMAND} models lists the models.`)

export function createTranslation({ offered, inference }: Deps) {
  const translateHere = createTranslateHere({ inference })
  /** `source`: its language, '' if unknown. Words have no times in the translation. Throws MODEL_NOT_INSTALLED without a translator that can. */
  return async (transcript: AsrResult, source: string, caller: Caller): Promise<AsrResult> => {
    const from = /^[a-z]{2,3}(?![a-z])/.exec(source.toLowerCase())?.[0] ?? ''
    if (from === ENGLISH || transcript.segments.length === 0) return { ...transcript, language: ENGLISH }
    if (from === '') throw needsWhisper('The language of the recording was not identified, so it cannot be translated.')
    const engines = translatorsFor(requireLocalOffers(offered(), 'translate'), from, ENGLISH, null)
    const noPair = () => needsWhisper(`No program on this machine translates ${englishNameOf(from) ?? from} to English.`)
    if (engines.length === 0) throw noPair()
    const texts = transcript.segments.map(({ text }) => text)
    const found = await translateHere(texts, { source: from, target: ENGLISH, engines }, caller).catch((error: unknown) => {
      // An engine of several languages may lack this pair.
      throw isRejection(Failure.from(error).code) ? noPair() : error
    })
    const segments = transcript.segments.map(({ start, end }, at) => ({ start, end, text: found.texts[at]! }))
    const notices = [...transcript.notices, `${found.engine} translated the transcript.`, ...found.notices]
    return { ...transcript, text: joinPieces(found.texts), segments, language: ENGLISH, notices }
  }
}
