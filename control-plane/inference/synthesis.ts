// Speech by the public name of a model: which engine answers on which machine, and what the client should know about it.

import type { Priority, TaskInput } from '#control-plane/tasks/record.ts'
import { LOCAL } from '#control-plane/workers/worker.store.ts'
import { NATIVE_ENGINE } from '#shared/engines.ts'
import type { ParamsInput } from '#shared/operations/table.ts'
import { languageInParams } from '#shared/operations/tts.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { detectLanguage } from '#shared/text/language.ts'
import { englishNameOf } from '#shared/text/languages/language-names.ts'
import { cloningRefusal, downloadRefusal, modelBroken, type VoiceSource } from './missing-model.ts'
import { type Notice, noticeOf } from './notice.ts'
import { alphabetOf, defaultVoiceOf, findVoice, type Offer, offersAt, replacedVoice, runs } from './offers.ts'
import { deviceRouting } from './routing.ts'
import type { Inference, Request, Run, Stream } from './run.ts'
import { limitedSound, mostSoundBytes } from './sound-limit.ts'
import {
  type Choice,
  canSpeak,
  choose,
  engineOf,
  engineTitle,
  inPlaceOf,
  isKnown,
  isNamed,
  modelNames,
  offersLanguage,
  spokenBy,
} from './substitutes.ts'

export type SpeechParams = ParamsInput<'tts'>
export type SpeechRequest = {
  /** A public model name. */
  readonly model: string
  readonly params: SpeechParams
  /** SHA-256 of the files of the model that must speak. Default '': any. */
  readonly modelDigest?: string
  /** The recording of the voice to clone: WAV, stored by `keepInput`. */
  readonly reference?: TaskInput
  readonly idempotencyKey: string | null
  /** The bytes are needed only while the caller reads them. */
  readonly ephemeral: boolean
  /** Trace context of the request. */
  readonly traceparent: string
  /** Target: 'auto', 'local' or a worker id. Null for the target that the owner chose. */
  readonly target?: string | null
  /** Default 0, interactive. */
  readonly priority?: Priority
  /** Same as in `Request`. */
  readonly lastCheck?: () => void
  readonly isWhole?: boolean
}
/** The language that was sent to the engine, named or detected; null for none. */
export const spokenLanguage = ({ spec }: Run<'tts'>): string | null => languageInParams(spec.params)
/** The voice and the language of a task, what its engine reported, and its text. */
type AskedVoice = {
  readonly voice: string | null
  readonly language: string | null
  readonly reported: string | null
  readonly segments: SpeechParams['segments']
}
export type Synthesis = ReturnType<typeof createSynthesis>
type Deps = {
  readonly inference: Pick<Inference, 'start' | 'stream' | 'resume' | 'taskOf' | 'workerOf' | 'outputOf' | 'resultSoFar'>
  /** Offers of every connected machine. */
  readonly offered: () => readonly Offer[]
  /** The current target of this operation: 'local', 'auto' or a worker id. */
  readonly target: (operation: string) => string
  /** Reason why this operation runs here although another machine is chosen, as a sentence; null if it does not. */
  readonly fallback: (operation: string) => string | null
  /** The name of a target for people. */
  readonly labelOf: (target: string) => string
  /** The engine that is selected for speech. */
  readonly selected: () => string
}
const WITHIN_MS = 2 * 3600_000
/** After this time a machine has connected, as a rule. */
const STARTING_SECONDS = 3
/** UTF-16 units. */
const LANGUAGE_CHARS = 4_000

/** Long factory: a stream, a stored take and their resumption prepare one request in the same way. */
export function createSynthesis({ inference, offered, target, fallback, labelOf, selected }: Deps) {
  /** Throws MODEL_NOT_FOUND, NOT_READY for an unknown name before a machine is connected, MODEL_NOT_INSTALLED for an engine that the machines lack, and MODEL_NOT_DOWNLOADED for one without its model. */
  function resolve(
    model: string,
    params: Pick<SpeechParams, 'language' | 'voice' | 'segments'>,
    where: string,
    isCloning: boolean,
    source: VoiceSource = 'reference',
  ): Choice {
    const engine = engineOf(model, selected())
    const all = offered()
    const there = offersAt(all, where)
    const offers = there.filter((offer) => offer.engine === engine && canSpeak(offer))
    const isUnknown = offers.length === 0 && !isKnown(engine) && !all.some((offer) => offer.engine === engine && canSpeak(offer))
    // A machine may have engines that no table names.
    if (isUnknown && all.length === 0) throw new Failure('NOT_READY', 'The engines are starting.', { retryAfterSeconds: STARTING_SECONDS })
    if (isUnknown) throw new Failure('MODEL_NOT_FOUND', `Unknown model '${model.slice(0, 64)}'. Use one of ${modelNames(all).join(', ')}.`)
    // While the machine is not connected, its engines are unknown, so the task waits for it.
    if (offers.length === 0 && there.length > 0)
      throw new Failure(
        'MODEL_NOT_INSTALLED',
        `Engine '${engine}' is not available: it is not installed on ${where === 'auto' ? 'any connected machine' : 'the chosen machine'}.`,
        { values: { engine } },
      )
    const { language = null, voice = null, segments } = params
    const at = { target: where, label: labelOf(where) }
    if (!isCloning) {
      const choice = choose({ engine, isNamed: isNamed(model, selected()) }, { language, voice, text: startOf(segments) }, offers, there)
      const able = there.filter((offer) => offer.engine === choice.engine && canSpeak(offer))
      if (able.length > 0 && !able.some(runs)) throw downloadRefusal(engine, at, all)
      return choice
    }
    // A requested voice is never substituted.
    if (offers.length > 0 && !offers.some((offer) => offer.cloning && offer.downloaded)) throw cloningRefusal(engine, at, source)
    return { engine, language }
  }

  function requestOf({
    model,
    modelDigest,
    params,
    reference,
    idempotencyKey,
    ephemeral,
    traceparent,
    ...request
  }: SpeechRequest): Request<'tts'> {
    const where = request.target ?? target('tts')
    const { engine, language } = resolve(model, params, where, reference !== undefined)
    return {
      operation: 'tts',
      engine,
      ...(modelDigest && { modelDigest }),
      speaks: spokenBy(engine, { voice: reference ? null : (params.voice ?? null), language }, offersAt(offered(), where)),
      params: { ...params, language },
      ...(reference && { inputs: [reference] }),
      target: where,
      withinMs: WITHIN_MS,
      ...(request.priority !== undefined && { priority: request.priority }),
      ...(request.lastCheck && { lastCheck: request.lastCheck }),
      ...(request.isWhole && { isWhole: true }),
      idempotencyKey,
      ephemeral,
      traceparent,
    }
  }

  /** The offer of the machine that runs or ran the task, seen as an answer to `model`. Undefined if that machine disconnected. */
  async function offerFor(run: Run<'tts'>, model: string): Promise<Offer | undefined> {
    const { taskId, spec } = run
    const workerId = (await inference.workerOf(taskId)) ?? spec.target // before it is placed, only a chosen machine is known
    const offer = offered().find((one) => one.workerId === workerId && one.engine === spec.engine && one.operation === spec.operation)
    return inPlaceOf(engineOf(model, selected()), offer, spokenLanguage(run))
  }

  return {
    /** Throws what `start` throws for an engine or a language, so that a request can be refused before it starts. */
    check: (model: string, params: SpeechParams): void => void resolve(model, params, target('tts'), false),
    /**
     * The engine that clones a voice for `model`. Throws what `start` throws for a request with a reference, so that it can be refused before
     * the recording is read. `where`: null for the target that the owner chose.
     */
    cloningEngine: (model: string, where: string | null = null, source: VoiceSource = 'reference'): string =>
      resolve(model, { segments: [] }, where ?? target('tts'), true, source).engine,
    /**
     * Chooses the engine, and the language to send, for all tasks of a longer work. `where`: null for the target that the owner chose.
     * Throws what `start` throws.
     */
    choiceOf: (model: string, params: Pick<SpeechParams, 'language' | 'voice' | 'segments'>, where: string | null, isCloning: boolean) =>
      resolve(model, params, where ?? target('tts'), isCloning),
    /**
     * The engine that would speak, and the alphabet that it takes within a text. A request that cannot run has none; it is refused when it
     * starts.
     */
    alphabetFor(model: string, params: Pick<SpeechParams, 'language' | 'voice' | 'segments'>, where: string | null, isCloning: boolean) {
      const place = where ?? target('tts')
      try {
        const { engine } = resolve(model, params, place, isCloning)
        return { engine, alphabet: alphabetOf(offersAt(offered(), place), engine) }
      } catch {
        return { engine: engineOf(model, selected()), alphabet: null }
      }
    },
    /** True if a borrowed machine may speak with this engine. `where`: 'auto', 'local' or a worker id. */
    mayBorrow: (engine: string, where: string): boolean =>
      offersAt(offered(), where).some((offer) => offer.engine === engine && offer.workerId !== LOCAL && canSpeak(offer)),
    /** The engine that a public name stands for; another one may answer in its place. */
    engineOf: (model: string): string => engineOf(model, selected()),
    /**
     * The engine whose voice is meant where the studio may choose: another one than the selected engine, if only that one has a voice of this id.
     * Null if the selected engine has it, or lists no voices, or no engine has it.
     */
    engineWithVoice(model: string, voice: string): string | null {
      const engine = engineOf(model, selected())
      if (engine === NATIVE_ENGINE || isNamed(model, selected())) return null
      const speaking = offered().filter((offer) => offer.operation === 'tts' && runs(offer))
      const own = speaking.filter((offer) => offer.engine === engine).flatMap(({ voices }) => voices)
      if (own.length === 0 || findVoice(engine, own, voice)) return null
      return speaking.find(({ stands_in, voices }) => stands_in === '' && voices.some(({ id }) => id === voice))?.engine ?? null
    },
    /** True for the id of an engine that speaks, also one that no machine has now. */
    isEngine: (id: string): boolean => isKnown(id) || offered().some(({ engine, operation }) => engine === id && operation === 'tts'),
    /** Throws MODEL_NOT_FOUND, MODEL_NOT_INSTALLED, MODEL_NOT_DOWNLOADED, and what `Inference.start` throws. */
    start: async (request: SpeechRequest, signal: AbortSignal): Promise<Run<'tts'>> => inference.start(requestOf(request), signal),
    /** Same as `start`, with the audio from the first byte. Its pieces throw INVALID_RESULT beyond what the text can last. */
    async stream(request: SpeechRequest, signal: AbortSignal): Promise<Stream<'tts'>> {
      const task = requestOf(request)
      const run = await inference.stream(task, signal)
      return { ...run, pieces: limitedSound(run.pieces, mostSoundBytes(task.params)) }
    },

    /** Same as `Inference.resume`. */
    resume: (taskId: string, signal: AbortSignal): Promise<Run<'tts'> | null> => inference.resume('tts', taskId, signal),
    /** Resolves at the first byte. Rejects with how the task ended, WORKER_FAILED when it returned no audio. */
    async firstSound(run: Run<'tts'>): Promise<void> {
      for await (const _piece of run.output()) return
      throw new Failure('WORKER_FAILED', 'The engine returned no audio.')
    },

    offerFor,
    /** Error of an ended task. An engine that cannot use its model names it, for clients that install it again. */
    async explained(run: Run<'tts'>, error: unknown): Promise<unknown> {
      if (!(error instanceof Failure) || error.code !== 'MODEL_NOT_DOWNLOADED' || error.detail) return error
      const workerId = (await inference.workerOf(run.taskId)) ?? run.spec.target
      const at = { target: workerId, label: labelOf(workerId) }
      return modelBroken(run.spec.engine, error.message, at, offersAt(offered(), workerId)) ?? error
    },
    /** The task of a run; null if it was deleted. */
    taskOf: ({ taskId }: Run<'tts'>) => inference.taskOf(taskId),
    /** Reason why a request that starts now runs here although another machine is chosen, as a sentence; null if it does not. */
    fallback: (): string | null => fallback('tts'),
    /** The length of each part in samples; null before the task has ended well. */
    partsOf: async (run: Run<'tts'>): Promise<readonly { readonly samples: number }[] | null> =>
      (await inference.resultSoFar('tts', run.taskId))?.parts ?? null,

    /** Same as `Inference.outputOf`. */
    outputOf: ({ taskId }: Run<'tts'>) => inference.outputOf(taskId),

    /** Hz. Throws WORKER_DISCONNECTED if the machine disconnected before reporting the rate, because a guessed rate would change the pitch. */
    async sampleRateOf(run: Run<'tts'>): Promise<number> {
      const result = await inference.resultSoFar('tts', run.taskId)
      const rate = result?.sample_rate ?? (await offerFor(run, run.spec.engine))?.sample_rate
      if (rate !== undefined && rate > 0) return rate
      throw new Failure('WORKER_DISCONNECTED', 'The machine disconnected before it reported the sample rate.')
    },

    /** The voice that the engine reports for a task that has ended; null before, and where it reports none. */
    voiceOf: async (run: Run<'tts'>): Promise<string | null> => (await inference.resultSoFar('tts', run.taskId))?.voice || null,

    /**
     * The substitute that answered, a GPU that was wanted and not used, the voice that does not exist, and `replaced`; apart from these
     * `information`. `asked`: the voice that was asked for, or null, the language that the task has, and the voice that the engine has reported
     * (null before the task has ended), and the text.
     */
    notice(
      offer: Offer | undefined,
      asked: AskedVoice,
      replaced: readonly (string | null)[] = [],
      information: readonly string[] = [],
    ): Notice | null {
      const routing = offer && deviceRouting(offer, offered())
      const isFallback = routing?.routing_status === 'cpu_fallback'
      const { voice, language, reported, segments } = asked
      const isMissing =
        offer &&
        voice !== null &&
        voice !== reported &&
        offer.voices.length > 0 &&
        findVoice(offer.engine, offer.voices, voice)?.id !== voice
      const notice = noticeOf(
        [
          offer
            ? isFallback
              ? routing.routing_reason
              : offer.stands_in
            : 'The machine has disconnected, so it is unknown whether a substitute was used.',
          isMissing ? replacedVoice(voice, reported ?? defaultVoiceOf(offer.voices, language)?.id) : null,
          ...replaced,
        ],
        Boolean(offer?.stands_in),
        [...information, ...(offer ? foreignRules(offer, asked, startOf(segments)) : [])],
      )
      return notice?.routing === 'notice' && isFallback ? { ...notice, routing: 'cpu_fallback' } : notice
    },
  }
}

/** Says that a text without a named language is spoken with the rules of another one, which its engine lacks or has another voice for. */
function foreignRules(offer: Offer, { voice, language, reported }: AskedVoice, text: string): string[] {
  const wanted = (language ?? '').toLowerCase()
  const detected = wanted === '' || wanted === 'auto' ? detectLanguage(text) : null
  if (detected?.by !== 'words') return []
  const id = (reported ?? voice ?? defaultVoiceOf(offer.voices, language)?.id ?? '').split(/[(+]/)[0]
  const speaker = offer.voices.find((each) => each.id === id)
  const own = (speaker?.language ?? (offer.languages.length === 1 ? offer.languages[0]! : '*')).toLowerCase().split(/[-_]/)[0]!
  const native = offer.voices.find(({ default_for: tags }) => tags?.includes(detected.code))
  const isSpoken = native ? native === speaker : offersLanguage(offer, detected.code)
  if (isSpoken || own === detected.code) return []
  const [given, spoken] = [englishNameOf(detected.code), englishNameOf(own)]
  return given && spoken ? [`The text seems to be ${given}, and ${engineTitle(offer.engine)} pronounces it as ${spoken}.`] : []
}

/** Enough text to tell its language. */
function startOf(segments: SpeechParams['segments']): string {
  let text = ''
  for (const segment of segments) {
    text += `${segment.text} `
    if (text.length > LANGUAGE_CHARS) break
  }
  return text
}
