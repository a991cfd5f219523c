// Recognition by the native speech library: the seven models of dictation, offline and streaming, and NeMo's Parakeet among them under the name
// by which users ask for it. All are heard piece by piece, so that a long recording takes no more memory than half a minute of it and a task
// can be stopped in between.

import { setImmediate as turn } from 'node:timers/promises'
import { soundAt } from '#agent/engine/audio/audio-input.ts'
import { piecesOf } from '#agent/engine/audio/sound-pieces.ts'
import { isInstalled, isSupported, NOT_INSTALLED, NOT_SUPPORTED } from '#agent/engine/runtimes/sherpa/library.ts'
import {
  languageFor,
  PARAKEET_MODELS,
  SHERPA_ENGINE,
  SHERPA_MODELS,
  SHERPA_RATE,
  type SherpaModel,
} from '#agent/engine/runtimes/sherpa/models.ts'
import { createRecogniserCache, type Ears } from '#agent/engine/runtimes/sherpa/recogniser-cache.ts'
import { heardIn, spokenLanguage } from '#agent/engine/runtimes/sherpa/words.ts'
import type { FilesOf } from '#agent/engine/seam/catalog.ts'
import { type Capability, capability, type Engine, type EngineEvent, type Inputs } from '#agent/engine/seam/engine.ts'
import { downloaded } from '#agent/engine/seam/model-files.ts'
import { AsrParams, type AsrResult, type AsrSegment } from '#shared/operations/asr.ts'
import { parseParams } from '#shared/operations/table.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { withoutPrompt } from '../../../seam/notices.ts'

export const PARAKEET_ENGINE = 'nemo-parakeet'
type Deps = { readonly filesOf: FilesOf }
type Offer = {
  readonly id: string
  readonly models: readonly SherpaModel[]
  /** Who names no model gets the best that is here. */
  readonly hasDefault: boolean
}

export const createSherpa = (deps: Deps, ears?: Ears): Engine =>
  createRecogniser({ id: SHERPA_ENGINE, models: SHERPA_MODELS, hasDefault: false }, deps, ears)
/** The Parakeets of dictation, which are what NeMo trained: the same files, and where `ears` are shared the same network in memory. */
export const createParakeet = (deps: Deps, ears?: Ears): Engine =>
  createRecogniser({ id: PARAKEET_ENGINE, models: PARAKEET_MODELS, hasDefault: true }, deps, ears)

function createRecogniser({ id, models, hasDefault }: Offer, { filesOf }: Deps, ears: Ears = createRecogniserCache()): Engine {
  const isHere = ({ model }: SherpaModel) => filesOf(SHERPA_ENGINE, model) !== null
  const best = () => models.find(isHere) ?? models[0]!
  function modelOf(name: string): SherpaModel {
    const model = hasDefault && name === '' ? best() : models.find((one) => one.model === name)
    if (model) return model
    throw new Failure('MODEL_REF_REJECTED', `${id} has no such model`)
  }

  async function* run(operation: string, params: unknown, signal: AbortSignal, inputs?: Inputs, named = ''): AsyncGenerator<EngineEvent> {
    if (operation !== 'asr') throw new Failure('OPERATION_UNSUPPORTED', `${id} does not do ${operation}`)
    const { language: wished, prompt, words } = parseParams(AsrParams, params)
    const model = modelOf(named)
    const wanted = languageFor(model, wished)
    const { samples, seconds } = await soundAt(SHERPA_RATE, inputs, signal)
    const ear = await ears.open(model, downloaded(filesOf, SHERPA_ENGINE, model.model))
    let language = wanted
    const segments: AsrSegment[] = []
    for (const { from, to } of piecesOf(samples, SHERPA_RATE)) {
      const said = await ear.hear(samples.slice(from, to), language, signal)
      // What it takes the first words for holds for the rest: a noise later on must not change the language.
      language ??= spokenLanguage(said) || null
      segments.push(...heardIn(said, from / SHERPA_RATE, to / SHERPA_RATE))
      yield { kind: 'progress', progress: Math.min(1, to / samples.length), stage: 'recognising' }
      await turn()
      signal.throwIfAborted()
    }
    yield { kind: 'progress', progress: 1, stage: 'recognising' }
    const result: AsrResult = {
      text: segments.map(({ text }) => text).join(' '),
      language: language ?? '',
      segments: words ? segments : segments.map(({ start, end, text }) => ({ start, end, text })),
      duration: seconds,
      notices: withoutPrompt(id, prompt),
    }
    yield { kind: 'result', result }
  }

  return {
    describe: () => [
      ...(hasDefault ? [{ ...describe(id, best(), isHere(best())), model: '' }] : []),
      ...models.map((model) => describe(id, model, isHere(model))),
    ],
    // Which model is wanted is known with the first task.
    load: ears.load,
    run,
    unload: ears.close,
    // No placement: what is measured holds for the engine as a whole, and its models differ by a factor of thirty.
  }
}

function describe(engine: string, { model, kind, languages, memoryBytes }: SherpaModel, isHere: boolean): Capability {
  const [supported, installed] = [isSupported(), isInstalled()]
  const missing = `The model ${model} is not downloaded on this machine: download it for dictation.`
  const reason = !supported ? NOT_SUPPORTED : !installed ? NOT_INSTALLED : isHere ? undefined : missing
  return capability({
    engine,
    model,
    operation: 'asr',
    implementation: `sherpa-onnx ${kind}`,
    languages,
    supported,
    installed,
    downloaded: isHere,
    sampleRate: SHERPA_RATE,
    memoryBytes,
    ...(reason !== undefined && { reason }),
  })
}
