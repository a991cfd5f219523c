// Opens a recording for transcription: chooses the recogniser of this machine, divides the recording, and transcribes it part by part.
import { readFile } from 'node:fs/promises'
import type { Upload } from '#control-plane/http/input/form.ts'
import { isRecognitionAlias, RECOGNITION_ALIASES } from '#control-plane/inference/aliases.ts'
import { localOffers, type Offer } from '#control-plane/inference/offers.ts'
import { type Recording, recordingRequest } from '#control-plane/inference/recording.ts'
import type { Inference } from '#control-plane/inference/run.ts'
import type { Intake, Part } from '#control-plane/media/intake.ts'
import { engineRow } from '#shared/engines.ts'
import type { AsrResult } from '#shared/operations/asr.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { isRejection } from '#shared/protocol/fields/peer-codes.ts'
import { createLanguageId, IDENTIFY_WITHIN_MS } from './language-id.ts'
import { asrMissing, chooseRecogniser, supportsLanguage, translates } from './recognisers.ts'
import type { PartTranscript } from './transcript/parts.ts'
import { streamedText } from './transcript/streamed-text.ts'
import { createTranslation } from './translation.ts'

export type ListenRequest = {
  readonly model: string
  readonly language: string | null
  readonly prompt: string | null
  readonly temperature: number | null
  readonly words: boolean
  /** `translate`: to English. Default: transcribe. */
  readonly task?: 'transcribe' | 'translate'
  /** Prefers the owner's choice for dictation. */
  readonly isQuick?: boolean
  /** Requests diarisation. `count`: number of speakers, null to estimate it. `isRequired`: a transcript without speakers is a failure. */
  readonly speakers?: { readonly count: number | null; readonly isRequired?: boolean | undefined }
  /** A sentence to add to the notice. */
  readonly remark?: string | null
  readonly priority?: 0 | 1
  readonly signal: AbortSignal
  readonly traceparent: string
}
export type PartRequest = {
  /** The share of the part that is recognised, as the engine reports it. */
  readonly onProgress?: (share: number) => void
  /**
   * Requests the pieces of the text. When a second attempt differs from them, they end with the failure UPLOAD_INCOMPLETE if they are `final`,
   * and without one if they are `replaceable`.
   */
  readonly text?: 'final' | 'replaceable'
}
/** A recording in parts, with its recogniser. */
export type OpenedRecording = {
  readonly recogniser: Offer
  /** Sentences that are known before the first part. */
  readonly reasons: readonly (string | null)[]
  readonly isSubstitute: boolean
  /** '' when it was not identified. */
  readonly identified: string
  /** Length of the recording. */
  readonly seconds: number
  /** The whole recording if it has one part; null otherwise. */
  readonly whole: () => Promise<Recording | null>
  /** The number of parts. */
  readonly count: number
  /** The pieces of the text of a part as they are recognised, none from a recogniser without `streams`; then the transcript. */
  readonly textOf: (part: number, following: PartRequest) => AsyncGenerator<string, PartTranscript>
  /** In order, one at a time: other recordings can run between two parts, and nothing more starts after the client disconnects. */
  readonly transcripts: () => AsyncGenerator<PartTranscript>
  /** Deletes the parts. */
  readonly close: () => Promise<void>
}
/** Plain data, so that a job can store it. */
export type RecogniserChoice = {
  readonly engine: string
  /** Digest of the model, or its name. */
  readonly model: string
  /** '' when it was not identified. */
  readonly language: string
  readonly notices: readonly string[]
}
export type ListeningDeps = {
  readonly inference: Pick<Inference, 'keepInput' | 'run' | 'stream'>
  readonly intake: Intake
  readonly offered: () => readonly Offer[]
  readonly isForDictation?: (offer: Offer) => boolean
  /** The engine that is selected for recognition. */
  readonly selected?: () => string
  /** Codes of the languages among which an engine detects one, where it can; none: all. */
  readonly expectedLanguages?: () => readonly string[]
}

/** Time limit of a recognition task, relative to the length of the recording. A slower result is of no use to a waiting client. */
const BUDGET = { leastMs: 300_000, perSecondMs: 10_000, mostMs: 4 * 3600_000 }
const budgetOf = ({ seconds }: Part) => Math.min(BUDGET.mostMs, Math.max(BUDGET.leastMs, Math.ceil(seconds * BUDGET.perSecondMs)))

/** The speakers of one part cannot be matched with those of another. */
export const TOO_LONG_FOR_SPEAKERS = 'Speakers were not identified: the recording is longer than 15 minutes.'
const ignoredLanguage = ({ engine }: Offer, language: string | null): string =>
  `${engine} does not support "${language}". The language was ignored.`

export function createListening({
  inference,
  intake,
  offered,
  isForDictation = () => false,
  selected = () => '',
  expectedLanguages = () => [],
}: ListeningDeps) {
  const identifyLanguage = createLanguageId({ offered, inference })
  const translate = createTranslation({ offered, inference })

  const preferenceOf = ({ model, isQuick }: ListenRequest) => {
    if (isQuick && localOffers(offered(), 'asr').some(isForDictation)) return isForDictation
    const chosen = isRecognitionAlias(model) ? selected() : ''
    return (offer: Offer) => offer.engine === chosen
  }

  /** A recogniser that translates is preferred for a translation, unless the request names another one. */
  function candidatesFor({ model, task }: ListenRequest): readonly Offer[] {
    const all = offered()
    const local = localOffers(all, 'asr')
    if (task !== 'translate' || local.some(({ engine }) => engine === model)) return all
    const translating = local.filter(translates)
    return translating.length > 0 ? translating : all
  }

  async function* recognise(
    opened: Pick<OpenedRecording, 'recogniser' | 'identified'>,
    request: ListenRequest,
    recording: Recording,
    { onProgress, text }: PartRequest = {},
  ): AsyncGenerator<string, AsrResult> {
    const { recogniser, identified } = opened
    const { language: requested, prompt, temperature, words, task } = request
    // An engine refuses a language that it does not support.
    const language = supportsLanguage(recogniser, requested) ? requested : null
    async function* transcribe(named: string | null, isDirect = false): AsyncGenerator<string, AsrResult> {
      const expected = named === null && engineRow(recogniser.engine)?.expectsLanguages ? [...expectedLanguages()] : []
      const params = {
        language: named,
        prompt,
        temperature,
        words,
        ...(isDirect && { task }),
        ...(expected.length > 0 && { expected_languages: expected }),
      }
      const run = await recordingRequest(inference, recogniser, 'asr', params, recording)
      const asked = { ...run, ...(request.priority !== undefined && { priority: request.priority }), ...(onProgress && { onProgress }) }
      if (text === undefined || !recogniser.streams) return await inference.run(asked, recording.signal)
      return yield* streamedText(inference, asked, text === 'replaceable', recording.signal)
    }
    // Whether a model translates, and the languages of a model with many, are known only to its engine.
    if (task === 'translate' && translates(recogniser)) {
      const direct = yield* unlessRefused(transcribe(language, true))
      if (direct) return direct
    }
    const named = language === null ? null : yield* unlessRefused(transcribe(language))
    const result = named ?? (yield* transcribe(null))
    if (named === null && language !== null) result.notices.push(ignoredLanguage(recogniser, language))
    return task === 'translate' ? await translate(result, result.language || identified || language || '', request) : result
  }

  /** The first choice for a request. Throws what `chooseRecogniser` throws. */
  const check = (request: ListenRequest) => chooseRecogniser(candidatesFor(request), request.model, request.language, preferenceOf(request))

  /** Throws BAD_REQUEST for a missing or unreadable file, and what `chooseRecogniser` throws. */
  async function open(upload: Upload | undefined, request: ListenRequest): Promise<OpenedRecording> {
    const { language, signal, traceparent } = request
    if (!upload) throw new Failure('BAD_REQUEST', 'The recording is missing from the form.')
    const isPreferred = preferenceOf(request)
    const first = check(request)
    const { parts, seconds, remark, remove: close } = await intake.split(upload.path, signal)
    const recordingOf = async (part: Part, withinMs = budgetOf(part)): Promise<Recording> => {
      signal.throwIfAborted()
      return { wav: await readFile(part.path), seconds: part.seconds, withinMs, signal, traceparent }
    }
    try {
      if (request.speakers?.isRequired && parts.length > 1) throw new Failure('BAD_REQUEST', TOO_LONG_FOR_SPEAKERS)
      const beginning = () => recordingOf(parts[0]!, IDENTIFY_WITHIN_MS)
      const { recogniser, instead, language: identified, notice } = await identifyLanguage(first, request, isPreferred, beginning)
      const ignored = supportsLanguage(recogniser, language) ? null : ignoredLanguage(recogniser, language)
      async function* textOf(part: Part, following: PartRequest): AsyncGenerator<string, PartTranscript> {
        const transcript = yield* recognise({ recogniser, identified }, request, await recordingOf(part), following)
        return { from: part.from, transcript }
      }
      return {
        recogniser,
        reasons: [recogniser.stands_in, instead, notice, ignored, remark],
        isSubstitute: Boolean(recogniser.stands_in || instead),
        identified,
        seconds,
        whole: async () => (parts.length === 1 ? await recordingOf(parts[0]!) : null),
        count: parts.length,
        textOf: (part, following) => textOf(parts[part]!, following),
        async *transcripts() {
          for (const part of parts) yield await outcomeOf(textOf(part, {}))
        },
        close,
      }
    } catch (error) {
      await close()
      throw error
    }
  }

  const partwise = ({ signal, traceparent }: Pick<Recording, 'signal' | 'traceparent'>): ListenRequest => ({
    model: RECOGNITION_ALIASES[0]!,
    language: null,
    prompt: null,
    temperature: null,
    words: true,
    priority: 1,
    signal,
    traceparent,
  })

  return {
    open,
    check,

    /** Throws NOT_READY, or MODEL_NOT_INSTALLED with the payload that clients read. */
    require: (): void => void chooseRecogniser(offered(), RECOGNITION_ALIASES[0]!, null, preferenceOf(partwise(NO_CALLER))),

    /**
     * The recogniser for sound that arrives in parts. `opening`: its beginning, in which the language may be identified. `spoken`: the language, if
     * it is known. Throws as `require`, and MODEL_NOT_INSTALLED if no recogniser knows that language.
     */
    async choose(opening: Recording, spoken: string | null = null): Promise<RecogniserChoice> {
      const request = { ...partwise(opening), language: spoken }
      const isPreferred = preferenceOf(request)
      const first = chooseRecogniser(offered(), request.model, spoken, isPreferred)
      if (!supportsLanguage(first.recogniser, spoken)) throw asrMissing(`No recogniser on this machine knows the language '${spoken}'.`)
      const { recogniser, language, notice } = await identifyLanguage(first, request, isPreferred, async () => opening)
      const { engine, model, model_digest: digest } = recogniser
      return {
        engine,
        model: digest || model,
        language: spoken ?? language,
        notices: [recogniser.stands_in, notice].filter((text): text is string => !!text),
      }
    },

    /** A part, with the times of words where the recogniser has them. Throws as `require`, and the failure of the task. */
    async recognisePart({ engine, language }: Pick<RecogniserChoice, 'engine' | 'language'>, part: Recording): Promise<AsrResult> {
      const { recogniser } = chooseRecogniser(offered(), engine, null)
      if (recogniser.engine !== engine) throw asrMissing(`${engine}, which transcribed the beginning, is not installed any more.`)
      return await outcomeOf(recognise({ recogniser, identified: language }, { ...partwise(part), language: language || null }, part))
    },
  }
}

/** Null if the engine refuses the request before it has returned any text. */
async function* unlessRefused(work: AsyncGenerator<string, AsrResult>): AsyncGenerator<string, AsrResult | null> {
  let isBegun = false
  const counted = async function* () {
    let step = await work.next()
    for (; !step.done; step = await work.next()) {
      isBegun = true
      yield step.value
    }
    return step.value
  }
  try {
    return yield* counted()
  } catch (error) {
    if (isBegun || !isRejection(Failure.from(error).code)) throw error
    return null
  }
}

/** Runs the work to its end. `onText`: called with each piece of its text. */
export async function outcomeOf<T>(work: AsyncGenerator<string, T>, onText: (text: string) => void = () => {}): Promise<T> {
  let step = await work.next()
  for (; !step.done; step = await work.next()) onText(step.value)
  return step.value
}

const NO_CALLER = { signal: new AbortController().signal, traceparent: '' }
