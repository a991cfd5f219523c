// Language identification with the multilingual Whisper of dictation, by the native speech library. A separate engine, because an engine
// holds one model: identification must not unload the model of the recogniser.

import { readAudioAt } from '#agent/engine/audio/audio-input.ts'
import { firstSound } from '#agent/engine/audio/sound-pieces.ts'
import {
  type Identifier,
  isSherpaInstalled,
  isSherpaSupported,
  loadSherpa,
  SHERPA_NOT_INSTALLED,
  SHERPA_NOT_SUPPORTED,
  type SherpaLibrary,
} from '#agent/engine/runtimes/sherpa/library.ts'
import {
  identifierPlan,
  isoCode,
  SHERPA_ID,
  SHERPA_MODELS,
  SHERPA_SAMPLE_RATE,
  type SherpaModel,
} from '#agent/engine/runtimes/sherpa/models.ts'
import { createModelTrial, type ModelTrial } from '#agent/engine/runtimes/sherpa/trial.ts'
import { defineEngine, type EngineParts, type RunContext, withParams } from '#agent/engine/seam/define.ts'
import { type Capability, capability, type EngineEvent, type EnginePlacement } from '#agent/engine/seam/engine.ts'
import { requireDownloaded } from '#agent/engine/seam/model-files.ts'
import { openPerModel } from '#agent/engine/seam/opening.ts'
import type { FilesOf } from '#agent/models/manifest.ts'
import { IdentifyParams, type IdentifyResult } from '#shared/operations/identify.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { IDENTIFIER_VERIFICATION } from './verification.ts'

const ID = 'sherpa-onnx-lid'
/** Whisper's window without the silence that the library appends. */
const WINDOW_SECONDS = 29
/** The library ends its process for less than one frame, and a click does not reveal a language. */
const MIN_SECONDS = 0.2
const STAGE = 'identifying the language'
/** The multilingual models. Their files are those of dictation. */
const MODELS = SHERPA_MODELS.filter(({ kind }) => kind === 'offline-whisper')

function modelOf(name: string): SherpaModel {
  const model = MODELS.find((one) => one.model === name)
  if (model) return model
  throw new Failure('MODEL_REF_REJECTED', `The engine ${ID} has no such model.`)
}

function createIdentifier(
  { filesOf }: { readonly filesOf: FilesOf },
  load: () => Promise<SherpaLibrary> = loadSherpa,
  trial: ModelTrial = createModelTrial(systemClock),
): EngineParts {
  const opening = openPerModel<Identifier>(
    async (name) => {
      const { model } = modelOf(name)
      const plan = identifierPlan(requireDownloaded(filesOf, SHERPA_ID, model))
      const library = await load()
      await trial(plan)
      return library.identifier(plan.config)
    },
    async () => {},
  )

  async function* run(_params: IdentifyParams, { signal, inputs, model: modelName }: RunContext): AsyncGenerator<EngineEvent> {
    const { model } = modelOf(modelName)
    const { samples } = await readAudioAt(SHERPA_SAMPLE_RATE, inputs, signal)
    const sound = firstSound(samples, SHERPA_SAMPLE_RATE, WINDOW_SECONDS)
    const seconds = sound.length / SHERPA_SAMPLE_RATE
    let language = ''
    if (seconds >= MIN_SECONDS) {
      const identifier = await opening.load(model)
      yield { kind: 'progress', progress: 0, stage: STAGE }
      await nextTurn()
      signal.throwIfAborted()
      // Blocks the main thread for a second or two per half minute of sound; the library has no asynchronous call.
      language = isoCode(identifier.language(sound))
    }
    signal.throwIfAborted()
    yield { kind: 'progress', progress: 1, stage: STAGE }
    const result: IdentifyResult = { language, seconds }
    yield { kind: 'result', result }
  }

  return {
    describe: () => MODELS.map((model) => describe(model, filesOf(SHERPA_ID, model.model) !== null)),
    load: async (model) => void (await opening.load(model)),
    operations: { identify: withParams(IdentifyParams, run) },
    unload: opening.unload,
    placement: (): EnginePlacement | null => (opening.opened() ? { device: 'cpu', reason: '' } : null),
  }
}

export const languageIdentifier = defineEngine({
  id: ID,
  maxBlockSeconds: 60,
  verification: IDENTIFIER_VERIFICATION,
  create: createIdentifier,
  readsFilesOf: SHERPA_ID,
})

function describe({ model, memoryBytes }: SherpaModel, isDownloaded: boolean): Capability {
  const [supported, installed] = [isSherpaSupported(), isSherpaInstalled()]
  const missing = `The model ${model}, which identifies languages, is not downloaded on this machine. Download it for dictation.`
  const reason = !supported ? SHERPA_NOT_SUPPORTED : !installed ? SHERPA_NOT_INSTALLED : isDownloaded ? undefined : missing
  return capability({
    engine: ID,
    model,
    operation: 'identify',
    implementation: 'sherpa-onnx whisper language identification',
    languages: ['*'],
    supported,
    installed,
    downloaded: isDownloaded,
    sampleRate: SHERPA_SAMPLE_RATE,
    memoryBytes,
    ...(reason !== undefined && { reason }),
  })
}
