// Which language is spoken: the multilingual Whisper of dictation, asked by the native speech library for that alone. An engine beside the
// recogniser, which holds one model: to identify a language must not cost it the one that is going to listen.

import { setImmediate as turn } from 'node:timers/promises'
import { soundAt } from '#agent/engine/audio/audio-input.ts'
import { soundIn } from '#agent/engine/audio/sound-pieces.ts'
import {
  type Identifier,
  isInstalled,
  isSupported,
  type Library,
  loadLibrary,
  NOT_INSTALLED,
  NOT_SUPPORTED,
} from '#agent/engine/runtimes/sherpa/library.ts'
import {
  identifierPlanOf,
  isoCode,
  SHERPA_ENGINE,
  SHERPA_MODELS,
  SHERPA_RATE,
  type SherpaModel,
} from '#agent/engine/runtimes/sherpa/models.ts'
import { createTrial, type Trial } from '#agent/engine/runtimes/sherpa/trial.ts'
import type { FilesOf } from '#agent/engine/seam/catalog.ts'
import { type Capability, capability, type Engine, type EngineEvent, type Inputs, type Placement } from '#agent/engine/seam/engine.ts'
import { downloaded } from '#agent/engine/seam/model-files.ts'
import { openPerModel } from '#agent/engine/seam/opening.ts'
import { IdentifyParams, type IdentifyResult } from '#shared/operations/identify.ts'
import { parseParams } from '#shared/operations/table.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { systemClock } from '#shared/runtime/clock.ts'

export const LID_ENGINE = 'sherpa-onnx-lid'
/** Whisper's window, less the silence that the library puts behind it. */
const WINDOW_SECONDS = 29
/** Fewer samples than a frame end the process of the library, and nobody knows a language by a click. */
const SHORTEST_SECONDS = 0.2
const STAGE = 'identifying the language'
/** Those that know enough languages to tell them apart. Their files are those of dictation. */
const MODELS = SHERPA_MODELS.filter(({ kind }) => kind === 'offline-whisper')

function modelOf(name: string): SherpaModel {
  const model = MODELS.find((one) => one.model === name)
  if (model) return model
  throw new Failure('MODEL_REF_REJECTED', `${LID_ENGINE} has no such model`)
}

export function createIdentifier(
  { filesOf }: { readonly filesOf: FilesOf },
  load: () => Promise<Library> = loadLibrary,
  trial: Trial = createTrial(systemClock),
): Engine {
  const opening = openPerModel<Identifier>(
    async (name) => {
      const { model } = modelOf(name)
      const plan = identifierPlanOf(downloaded(filesOf, SHERPA_ENGINE, model))
      const library = await load()
      await trial(plan)
      return library.identifier(plan.config)
    },
    async () => {},
  )

  async function* run(operation: string, params: unknown, signal: AbortSignal, inputs?: Inputs, named = ''): AsyncGenerator<EngineEvent> {
    if (operation !== 'identify') throw new Failure('OPERATION_UNSUPPORTED', `${LID_ENGINE} does not do ${operation}`)
    parseParams(IdentifyParams, params)
    const { model } = modelOf(named)
    const { samples } = await soundAt(SHERPA_RATE, inputs, signal)
    const heard = soundIn(samples, SHERPA_RATE, WINDOW_SECONDS)
    const seconds = heard.length / SHERPA_RATE
    let language = ''
    if (seconds >= SHORTEST_SECONDS) {
      const identifier = await opening.load(model)
      yield { kind: 'progress', progress: 0, stage: STAGE }
      await turn()
      signal.throwIfAborted()
      // The library has no other way: this holds the main thread for as long as half a minute of sound takes, a second or two.
      language = isoCode(identifier.language(heard))
    }
    signal.throwIfAborted()
    yield { kind: 'progress', progress: 1, stage: STAGE }
    const result: IdentifyResult = { language, seconds }
    yield { kind: 'result', result }
  }

  return {
    describe: () => MODELS.map((model) => describe(model, filesOf(SHERPA_ENGINE, model.model) !== null)),
    load: async (model) => void (await opening.load(model)),
    run,
    unload: opening.unload,
    placement: (): Placement | null => (opening.opened() ? { device: 'cpu', reason: '' } : null),
  }
}

function describe({ model, memoryBytes }: SherpaModel, isHere: boolean): Capability {
  const [supported, installed] = [isSupported(), isInstalled()]
  const missing = `The model ${model}, which identifies languages, is not downloaded on this machine: download it for dictation.`
  const reason = !supported ? NOT_SUPPORTED : !installed ? NOT_INSTALLED : isHere ? undefined : missing
  return capability({
    engine: LID_ENGINE,
    model,
    operation: 'identify',
    implementation: 'sherpa-onnx whisper language identification',
    languages: ['*'],
    supported,
    installed,
    downloaded: isHere,
    sampleRate: SHERPA_RATE,
    memoryBytes,
    ...(reason !== undefined && { reason }),
  })
}
