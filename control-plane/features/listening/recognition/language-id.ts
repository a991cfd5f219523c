// Identifies the language of a recording when the request names none and the chosen recogniser supports only some languages without
// detecting them, and then chooses a recogniser that supports it.

import { type Offer, requireLocalOffers } from '#control-plane/inference/offers.ts'
import { type Recording, recordingRequest } from '#control-plane/inference/recording.ts'
import type { Inference } from '#control-plane/inference/run.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { englishNameOf } from '#shared/text/languages/language-names.ts'
import { type Chosen, detectsLanguage, findRecogniser, type IsPreferred, supportsLanguage } from './recognisers.ts'

/** Seconds of a recording that are examined. */
const EXAMINED_SECONDS = 30
/** Milliseconds. Short, because the client waits for the transcript: without a result in time the first choice is used. */
export const IDENTIFY_WITHIN_MS = 60_000

type Request = { readonly model: string; readonly language: string | null }
/** `language`: '' when it was not identified. */
export type ChosenFor = Chosen & { readonly language: string; readonly notice: string | null }

/** The recogniser for an identified language; null if none on this machine supports it. */
export function recogniserFor(
  offered: readonly Offer[],
  first: Chosen,
  model: string,
  language: string,
  isPreferred?: IsPreferred,
): Chosen | null {
  if (supportsLanguage(first.recogniser, language)) return first
  // A request that names an engine never gets another one.
  const candidates = first.recogniser.engine === model ? offered.filter(({ engine }) => engine === model) : offered
  return findRecogniser(candidates, model, language, isPreferred)
}

const nameOf = ({ engine, model }: Offer): string => (model === '' ? engine : `${engine} (${model})`)
type Deps = { readonly offered: () => readonly Offer[]; readonly inference: Pick<Inference, 'keepInput' | 'run'> }

/**
 * Without an identification model, or after its failure, the first choice is used, so the request still succeeds. Throws NOT_READY while the engines of
 * this machine start.
 */
export const createLanguageId =
  ({ offered, inference }: Deps) =>
  async (
    first: Chosen,
    { model, language: named }: Request,
    isPreferred: IsPreferred,
    beginning: () => Promise<Recording>,
  ): Promise<ChosenFor> => {
    const unidentified = { ...first, language: '', notice: null }
    if (named !== null || detectsLanguage(first.recogniser)) return unidentified
    const [identifier] = requireLocalOffers(offered(), 'identify')
    if (!identifier) return unidentified
    const opening = await beginning()
    const recording = { ...opening, seconds: Math.min(opening.seconds, EXAMINED_SECONDS) }
    try {
      const request = await recordingRequest(inference, identifier, 'identify', {}, recording)
      const { language } = await inference.run(request, recording.signal)
      if (language === '') return unidentified
      const able = recogniserFor(offered(), first, model, language, isPreferred)
      if (able) return { ...able, language, notice: null }
      const notice = `The recording seems to be in ${englishNameOf(language) ?? language} (${language}), which ${nameOf(first.recogniser)} does not support.`
      return { ...first, language, notice }
    } catch (error) {
      recording.signal.throwIfAborted()
      return { ...unidentified, notice: `The language was not identified: ${identifier.engine} failed (${Failure.from(error).code}).` }
    }
  }
