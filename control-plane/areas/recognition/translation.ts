// Transcripts in English, for recognisers that only transcribe: the segments are translated as texts on this machine.
import type { AsrResult } from '#shared/operations/asr.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { joinPieces } from '#shared/text/join-pieces.ts'
import { localOffers, type Offer } from '../../inference/offers.ts'
import type { Inference } from '../../inference/run.ts'
import { LOCAL } from '../../workers/worker.store.ts'
import { asrMissing } from './recognisers.ts'

/** Best first. */
const TRANSLATORS = ['opus-mt', 'm2m100', 'apertium']
const ENGLISH = 'en'
/** Segments of one task. The operation allows 5,000. */
const AT_ONCE = 1_000
const WITHIN_MS = 900_000
const names = new Intl.DisplayNames(['en'], { type: 'language' })

type Deps = { readonly offered: () => readonly Offer[]; readonly inference: Pick<Inference, 'run'> }
type Caller = { readonly signal: AbortSignal; readonly traceparent: string }

const needsWhisper = (what: string) =>
  asrMissing(`${what} Install a Whisper model that translates speech itself, such as small or base; ./studio models lists the models.`)

export const createTranslation =
  ({ offered, inference }: Deps) =>
  /** `source`: its language, '' if unknown. Words have no times in the translation. Throws MODEL_NOT_INSTALLED without a translator that can. */
  async (transcript: AsrResult, source: string, { signal, traceparent }: Caller): Promise<AsrResult> => {
    const from = /^[a-z]{2,3}(?![a-z])/.exec(source.toLowerCase())?.[0] ?? ''
    if (from === ENGLISH || transcript.segments.length === 0) return { ...transcript, language: ENGLISH }
    if (from === '') throw needsWhisper('The language of the recording was not identified, so it cannot be translated.')
    const able = ({ engine, model, languages }: Offer) =>
      TRANSLATORS.includes(engine) && model === '' && (languages.includes('*') || [from, ENGLISH].every((code) => languages.includes(code)))
    const translators = localOffers(offered(), 'translate')
      .filter(able)
      .sort((one, other) => TRANSLATORS.indexOf(one.engine) - TRANSLATORS.indexOf(other.engine))
    for (const { engine } of translators) {
      try {
        const segments: AsrResult['segments'] = []
        const translatorNotices = new Set<string>()
        for (let at = 0; at < transcript.segments.length; at += AT_ONCE) {
          const some = transcript.segments.slice(at, at + AT_ONCE)
          const params = { texts: some.map(({ text }) => text), source: from, target: ENGLISH }
          const request = {
            operation: 'translate',
            engine,
            params,
            target: LOCAL,
            withinMs: WITHIN_MS,
            ephemeral: true,
            traceparent,
          } as const
          const { texts, notices } = await inference.run(request, signal)
          for (const notice of notices) translatorNotices.add(notice)
          for (const [index, { start, end }] of some.entries()) segments.push({ start, end, text: texts[index]! })
        }
        const notices = [...transcript.notices, `${engine} translated the transcript.`, ...translatorNotices]
        return { ...transcript, text: joinPieces(segments.map(({ text }) => text)), segments, language: ENGLISH, notices }
      } catch (error) {
        // An engine of several languages may lack this pair.
        if (Failure.from(error).code !== 'INVALID_TASK_PARAMS') throw error
      }
    }
    throw needsWhisper(`No program on this machine translates ${names.of(from)} to English.`)
  }
