// Neural translation: `opus-mt`, one small model per language pair, and `m2m100`, one larger model for a hundred languages.

import { setImmediate as turn } from 'node:timers/promises'
import { createStopper, openPipeline, type TransformersLibrary } from '#agent/engine/runtimes/transformers/library.ts'
import { defineEngine, type EngineParts, type RunContext, withParams } from '#agent/engine/seam/define.ts'
import { type Capability, capability, type EngineEvent } from '#agent/engine/seam/engine.ts'
import type { FilesOf } from '#agent/models/manifest.ts'
import { OPUS_PAIRS } from '#shared/models/translation-models.ts'
import { TranslateParams, type TranslateResult } from '#shared/operations/translate.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { toSentences } from '#shared/text/sentences.ts'
import { pairNotAvailable } from '../no-pair.ts'

const OPUS = 'opus-mt'
const M2M_MODEL = 'm2m100-418m'
const MAX_TOKENS = 512
const GIBIBYTE = 1024 ** 3

type Pipe = {
  (texts: string, options: Record<string, unknown>): Promise<{ translation_text: string }[]>
  readonly dispose: () => Promise<unknown>
}
type Loaded = { readonly pipeline: Pipe; readonly library: TransformersLibrary }
/** The two-letter code that both model families use. */
const codeOf = (tag: string): string => tag.toLowerCase().split(/[-_]/)[0]!

const define = (id: typeof OPUS | 'm2m100') =>
  defineEngine({ id, maxBlockSeconds: 60, create: (deps: { readonly filesOf: FilesOf }) => createTranslation(id, deps.filesOf) })
export const opusMt = define(OPUS)
export const m2m100 = define('m2m100')

function createTranslation(id: string, filesOf: FilesOf): EngineParts {
  const isPaired = id === OPUS
  const modelFor = (source: string, target: string): string => (isPaired ? `opus-mt-${source}-${target}` : M2M_MODEL)
  const pairs = () => OPUS_PAIRS.filter((pair) => filesOf(id, `opus-mt-${pair}`) !== null)
  const hasModel = () => (isPaired ? pairs().length > 0 : filesOf(id, M2M_MODEL) !== null)
  const refuseMissing = (model: string) => {
    if (filesOf(id, model) === null)
      throw new Failure('MODEL_NOT_DOWNLOADED', `The model ${model.slice(0, 64)} of ${id} is not downloaded on this machine.`)
  }
  // Models of pairs are small and used in runs; only the current one is kept.
  let current: { readonly model: string; readonly loaded: Promise<Loaded> } | null = null
  const closeCurrent = async () => {
    const previous = current
    current = null
    await (await previous?.loaded.catch(() => null))?.pipeline.dispose()
  }
  async function open(model: string, files: ReadonlyMap<string, string>): Promise<Loaded> {
    if (current?.model !== model) {
      await closeCurrent()
      current = { model, loaded: openPipeline<Pipe>('translation', files) }
    }
    const { loaded } = current!
    return await loaded.catch((error) => {
      if (current?.loaded === loaded) current = null
      throw error
    })
  }

  async function* run({ texts, ...tags }: TranslateParams, { signal, model: modelName }: RunContext): AsyncGenerator<EngineEvent> {
    const [source, target] = [codeOf(tags.source), codeOf(tags.target)]
    const model = modelFor(source, target)
    if (modelName !== '' && modelName !== model) {
      refuseMissing(modelName)
      throw new Failure(
        'INVALID_TASK_PARAMS',
        `source, target: The model ${modelName.slice(0, 64)} does not translate from ${source} to ${target}.`,
      )
    }
    const files = filesOf(id, model)
    if (!files && isPaired && hasModel()) throw pairNotAvailable(id, source, target, pairs())
    if (!files) throw new Failure('MODEL_NOT_DOWNLOADED', `The model ${model} of ${id} is not downloaded on this machine.`)
    const { pipeline, library } = await open(model, files)
    const { stopping, forget } = createStopper(library, signal)
    const options = { max_new_tokens: MAX_TOKENS, stopping_criteria: stopping, ...(!isPaired && { src_lang: source, tgt_lang: target }) }
    try {
      const translated: string[] = []
      for (const text of texts) {
        const sentences: string[] = []
        // Sentence by sentence: the network would cut off a longer text at its context limit.
        for (const sentence of source === target || !/\p{L}/u.test(text) ? [] : toSentences(text)) {
          signal.throwIfAborted()
          const [answer] = await pipeline(sentence, options)
          signal.throwIfAborted()
          sentences.push(answer?.translation_text.trim() ?? '')
        }
        translated.push(sentences.length === 0 ? text : sentences.join(' '))
        yield { kind: 'progress', progress: translated.length / texts.length, stage: 'translating' }
        await turn()
      }
      const result: TranslateResult = { texts: translated }
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
      languages: isPaired ? [...new Set(pairs().flatMap((pair) => pair.split('-')))].sort() : ['*'],
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
  }
}
