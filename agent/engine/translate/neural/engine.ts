// Neural translation: `opus-mt`, one small model per language pair, and `m2m100`, one larger model for a hundred languages.

import { createStopper, type OpenedPipeline, openPipeline } from '#agent/engine/runtimes/transformers/library.ts'
import { defineEngine, type EngineParts, type RunContext, withParams } from '#agent/engine/seam/define.ts'
import { devicesOf } from '#agent/engine/seam/devices.ts'
import { type Capability, capability, type EngineEvent, type EnginePlacement } from '#agent/engine/seam/engine.ts'
import { placementOf } from '#agent/engine/seam/opening.ts'
import { languageOf } from '#agent/engine/translate/languages.ts'
import { pairNotAvailable } from '#agent/engine/translate/no-pair.ts'
import type { FilesOf } from '#agent/models/manifest.ts'
import type { EngineId } from '#shared/engines.ts'
import { TranslateParams, type TranslateResult } from '#shared/operations/translate.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'
import { type Framing, M2M100_LANGUAGES, m2mCode, m2mFraming, opusFraming, opusPairs } from './families.ts'
import type { TranslationPipeline } from './translator.ts'
import { TRANSLATION_VERIFICATIONS } from './verification.ts'

const OPUS = 'opus-mt'
const M2M_MODEL = 'm2m100-418m'
const GIBIBYTE = 1024 ** 3

type Pipe = TranslationPipeline & { readonly dispose: () => Promise<unknown> }
type Loaded = OpenedPipeline<Pipe>
/** Opens the model on the first of the devices that works. */
type Open = (files: ReadonlyMap<string, string>, devices: string) => Promise<Loaded>
const openModel: Open = (files, devices) => openPipeline<Pipe>('translation', files, devices)

const define = (id: typeof OPUS | 'm2m100') =>
  defineEngine({
    id,
    maxBlockSeconds: 60,
    verification: TRANSLATION_VERIFICATIONS[id],
    create: (deps: { readonly filesOf: FilesOf }, open: Open = openModel) => createTranslation(id, deps.filesOf, open),
  })
export const opusMt = define(OPUS)
export const m2m100 = define('m2m100')

function createTranslation(id: EngineId, filesOf: FilesOf, openOn: Open): EngineParts {
  const isPaired = id === OPUS
  const pairs = () => opusPairs((pair) => filesOf(id, `opus-mt-${pair}`) !== null)
  const hasModel = () => (isPaired ? pairs().length > 0 : filesOf(id, M2M_MODEL) !== null)
  const refuseMissing = (model: string) => {
    if (filesOf(id, model) === null)
      throw new Failure('MODEL_NOT_DOWNLOADED', `The model ${model.slice(0, 64)} of ${id} is not downloaded on this machine.`)
  }
  // Models of pairs are small and used in runs; only the current one is kept.
  let current: { readonly model: string; readonly loaded: Promise<Loaded> } | null = null
  let placed: EnginePlacement | null = null
  const closeCurrent = async () => {
    const previous = current
    current = null
    placed = null
    await (await previous?.loaded.catch(() => null))?.pipeline.dispose()
  }
  async function open(model: string, files: ReadonlyMap<string, string>): Promise<Loaded> {
    if (current?.model !== model) {
      await closeCurrent()
      current = { model, loaded: openOn(files, devicesOf(id)) }
    }
    const { loaded } = current!
    try {
      const opened = await loaded
      if (current?.loaded === loaded) placed = placementOf(opened)
      return opened
    } catch (error) {
      if (current?.loaded === loaded) current = null
      throw error
    }
  }

  /** Throws INVALID_TASK_PARAMS for a language or a pair that the model does not have, and MODEL_NOT_DOWNLOADED. */
  function choose(tags: { readonly source: string; readonly target: string }): { readonly model: string; readonly framing: Framing } {
    if (!isPaired) {
      const [source, target] = [m2mCode(tags.source), m2mCode(tags.target)]
      if (source === null || target === null)
        throw new Failure(
          'INVALID_TASK_PARAMS',
          `source, target: ${id} does not support the language "${source === null ? tags.source : tags.target}". It supports ${M2M100_LANGUAGES.join(', ')}.`,
        )
      refuseMissing(M2M_MODEL)
      return { model: M2M_MODEL, framing: m2mFraming(source, target) }
    }
    const [source, target] = [languageOf(tags.source), languageOf(tags.target)]
    const pair = `${source}-${target}`
    const model = `opus-mt-${pair}`
    if (filesOf(id, model) === null && hasModel()) throw pairNotAvailable(id, source, target, pairs())
    refuseMissing(model)
    return { model, framing: opusFraming(pair, tags.target) }
  }

  async function* run({ texts, ...tags }: TranslateParams, { signal, model: modelName }: RunContext): AsyncGenerator<EngineEvent> {
    if (modelName !== '') refuseMissing(modelName)
    if (languageOf(tags.source) === languageOf(tags.target)) {
      yield { kind: 'progress', progress: 1, stage: 'translating' }
      yield { kind: 'result', result: { texts } }
      return
    }
    const { model, framing } = choose(tags)
    if (modelName !== '' && modelName !== model)
      throw new Failure(
        'INVALID_TASK_PARAMS',
        `source, target: The model ${modelName.slice(0, 64)} does not translate from ${tags.source} to ${tags.target}.`,
      )
    const { pipeline, library } = await open(model, filesOf(id, model)!)
    const { stopping, forget } = createStopper(library, signal)
    try {
      const toTensor = (values: BigInt64Array, dims: readonly number[]) => new library.Tensor('int64', values, dims)
      const { createTranslator } = await import('./translator.ts')
      const translator = createTranslator({ pipeline, toTensor, framing, source: tags.source, stopping, signal })
      const translated: string[] = []
      for (const text of texts) {
        translated.push(await translator.translate(text))
        yield { kind: 'progress', progress: translated.length / texts.length, stage: 'translating' }
        await nextTurn()
        signal.throwIfAborted()
      }
      const unfinished = translator.unfinished()
      const notices = unfinished === 0 ? [] : [`${id} did not finish ${unfinished} of the sentences. Their translation may be incomplete.`]
      const result: TranslateResult = { texts: translated, notices }
      yield { kind: 'result', result }
    } catch (error) {
      // Errors of the library repeat the input, so the message must not contain them.
      throw error instanceof Failure || signal.aborted
        ? error
        : new Failure('WORKER_FAILED', `The model ${model} failed on a text.`, { cause: error })
    } finally {
      forget()
    }
  }

  function describe(): Capability[] {
    const isDownloaded = hasModel()
    const row: Capability = capability({
      engine: id,
      operation: 'translate',
      implementation: isPaired ? 'marian-onnx' : 'm2m100-onnx',
      languages: isPaired ? [...new Set(pairs().flatMap((pair) => pair.split('-')))].sort() : [...M2M100_LANGUAGES],
      downloaded: isDownloaded,
      memoryBytes: isPaired ? GIBIBYTE : 3 * GIBIBYTE,
      ...(!isDownloaded && { reason: `No model of ${id} is downloaded on this machine. Download one of its models.` }),
    })
    const named = isPaired
      ? pairs().map((pair) => ({ ...row, model: `opus-mt-${pair}`, languages: pair.split('-').sort() }))
      : isDownloaded
        ? [{ ...row, model: M2M_MODEL }]
        : []
    return [row, ...named]
  }

  return {
    describe,
    load: async (model = '') => {
      if (model !== '') refuseMissing(model)
      if (!hasModel()) throw new Failure('MODEL_NOT_DOWNLOADED', `No model of ${id} is downloaded on this machine.`)
    },
    operations: { translate: withParams(TranslateParams, run) },
    unload: closeCurrent,
    placement: () => placed,
  }
}
