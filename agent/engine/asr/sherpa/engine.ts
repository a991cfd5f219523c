// Recognition with the native speech library: the seven models of dictation, offline and streaming, and NeMo Parakeet under its own id.
// Recordings are processed in pieces, so that a long one needs no more memory than half a minute and a task can be cancelled between
// pieces.

import { readAudioAt } from '#agent/engine/audio/audio-input.ts'
import { speechPieces } from '#agent/engine/audio/sound-pieces.ts'
import { isSherpaInstalled, isSherpaSupported, SHERPA_NOT_INSTALLED, SHERPA_NOT_SUPPORTED } from '#agent/engine/runtimes/sherpa/library.ts'
import {
  modelLanguage,
  ownSherpaModel,
  PARAKEET_MODELS,
  SHERPA_ID,
  SHERPA_MODELS,
  SHERPA_SAMPLE_RATE,
  type SherpaModel,
} from '#agent/engine/runtimes/sherpa/models.ts'
import { createRecogniserCache, type RecogniserCache } from '#agent/engine/runtimes/sherpa/recogniser-cache.ts'
import { resultLanguage, toSegments } from '#agent/engine/runtimes/sherpa/words.ts'
import { defineEngine, type EngineParts, type RunContext, withParams } from '#agent/engine/seam/define.ts'
import { type Capability, capability, type EngineEvent } from '#agent/engine/seam/engine.ts'
import { requireDownloaded } from '#agent/engine/seam/model-files.ts'
import { promptNotice } from '#agent/engine/seam/notices.ts'
import { type FilesOf, ownNamesOf } from '#agent/models/manifest.ts'
import { type AsrResult, type AsrSegment, TranscribeParams } from '#shared/operations/asr.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'
import { joinPieces } from '#shared/text/join-pieces.ts'
import { SHERPA_VERIFICATION } from './verification.ts'

const PARAKEET = 'nemo-parakeet'
type Deps = { readonly filesOf: FilesOf }
type Offer = {
  readonly id: string
  readonly models: readonly SherpaModel[]
  /** True if '' selects the best downloaded model. */
  readonly hasDefault: boolean
}

/** Both engines run in one host process: a model that both of them use is in its memory once. */
const SHARED_CACHE = createRecogniserCache()
// Opening a streaming model, and each of its steps, block the main thread.
const MAX_BLOCK_SECONDS = 60

export const sherpaOnnx = defineEngine({
  id: SHERPA_ID,
  maxBlockSeconds: MAX_BLOCK_SECONDS,
  verification: SHERPA_VERIFICATION,
  create: (deps: Deps, cache: RecogniserCache = SHARED_CACHE) =>
    createRecogniser({ id: SHERPA_ID, models: SHERPA_MODELS, hasDefault: false }, deps, cache),
})
/** The Parakeet models of dictation, under the id by which users request them. They use the same files. */
export const nemoParakeet = defineEngine({
  id: PARAKEET,
  maxBlockSeconds: MAX_BLOCK_SECONDS,
  verification: SHERPA_VERIFICATION,
  readsFilesOf: SHERPA_ID,
  create: (deps: Deps, cache: RecogniserCache = SHARED_CACHE) =>
    createRecogniser({ id: PARAKEET, models: PARAKEET_MODELS, hasDefault: true }, deps, cache),
})

function createRecogniser({ id, models, hasDefault }: Offer, { filesOf }: Deps, cache: RecogniserCache): EngineParts {
  const isDownloaded = ({ model }: SherpaModel) => filesOf(SHERPA_ID, model) !== null
  /** Models with those that were added from files; Parakeet has its own list. */
  const allModels = () => (hasDefault ? models : withOwn(filesOf, models))
  const best = () => models.find(isDownloaded) ?? models[0]!
  function modelOf(name: string): SherpaModel {
    const model = hasDefault && name === '' ? best() : allModels().find((one) => one.model === name)
    if (model) return model
    throw new Failure('MODEL_REF_REJECTED', `The engine ${id} has no such model.`)
  }

  async function* run(
    { language: requestedLanguage, prompt, words, partial }: TranscribeParams,
    { signal, inputs, model: modelName }: RunContext,
  ): AsyncGenerator<EngineEvent> {
    const model = modelOf(modelName)
    const modelLanguageCode = modelLanguage(model, requestedLanguage)
    const { samples, seconds } = await readAudioAt(SHERPA_SAMPLE_RATE, inputs, signal)
    const recogniser = await cache.open(model, requireDownloaded(filesOf, SHERPA_ID, model.model))
    let language = modelLanguageCode
    const segments: AsrSegment[] = []
    for (const { from, to } of speechPieces(samples, SHERPA_SAMPLE_RATE)) {
      const result = await recogniser.recognise(samples.slice(from, to), { language, isPartial: partial }, signal)
      // The language of the first words is kept, because later noise must not change it.
      language ??= resultLanguage(result) || null
      segments.push(...toSegments(result, from / SHERPA_SAMPLE_RATE, to / SHERPA_SAMPLE_RATE))
      yield { kind: 'progress', progress: Math.min(1, to / samples.length), stage: 'recognising' }
      await nextTurn()
      signal.throwIfAborted()
    }
    yield { kind: 'progress', progress: 1, stage: 'recognising' }
    const result: AsrResult = {
      text: joinPieces(segments.map(({ text }) => text)),
      language: language ?? '',
      segments: words ? segments : segments.map(({ start, end, text }) => ({ start, end, text })),
      duration: seconds,
      notices: promptNotice(id, prompt),
    }
    yield { kind: 'result', result }
  }

  return {
    describe: () => [
      ...(hasDefault ? [{ ...describe(id, best(), isDownloaded(best())), model: '' }] : []),
      ...allModels().map((model) => describe(id, model, isDownloaded(model))),
    ],
    // Only the library: the model is known with the first task.
    load: cache.load,
    operations: { asr: withParams(TranscribeParams, run) },
    unload: cache.close,
    // No placement: memory is measured per engine, and its models differ by a factor of thirty.
  }
}

/** Those of the owner of the machine are first, and those that studios sent are last. */
function withOwn(filesOf: FilesOf, models: readonly SherpaModel[]): SherpaModel[] {
  const { chosen, sent } = ownNamesOf(filesOf, SHERPA_ID)
  const own = (names: readonly string[]) => names.flatMap((model) => ownSherpaModel(model, filesOf(SHERPA_ID, model)) ?? [])
  return [...own(chosen), ...models, ...own(sent)]
}

function describe(engine: string, { model, kind, languages, memoryBytes }: SherpaModel, isDownloaded: boolean): Capability {
  const [supported, installed] = [isSherpaSupported(), isSherpaInstalled()]
  const missing = `The model ${model} is not downloaded on this machine. Download it for dictation.`
  const reason = !supported ? SHERPA_NOT_SUPPORTED : !installed ? SHERPA_NOT_INSTALLED : isDownloaded ? undefined : missing
  return capability({
    engine,
    model,
    operation: 'asr',
    implementation: `sherpa-onnx ${kind}`,
    languages,
    continues: kind.startsWith('online'),
    supported,
    installed,
    downloaded: isDownloaded,
    sampleRate: SHERPA_SAMPLE_RATE,
    memoryBytes,
    ...(reason !== undefined && { reason }),
  })
}
