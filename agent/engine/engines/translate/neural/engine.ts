// Translation by networks: `opus-mt`, one small model for each pair of languages, and `m2m100`, one larger model for a hundred languages.

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
const MOST_TOKENS = 512
const GIBIBYTE = 1024 ** 3

type Pipe = {
  (texts: string, options: Record<string, unknown>): Promise<{ translation_text: string }[]>
  readonly dispose: () => Promise<unknown>
}
type Loaded = { readonly pipeline: Pipe; readonly library: TransformersLibrary }
/** The short form in which both families name languages. */
const codeOf = (tag: string): string => tag.toLowerCase().split(/[-_]/)[0]!

const define = (id: typeof OPUS | 'm2m100') =>
  defineEngine({ id, maxBlockSeconds: 60, create: (deps: { readonly filesOf: FilesOf }) => createTranslation(id, deps.filesOf) })
export const opusMt = define(OPUS)
export const m2m100 = define('m2m100')

function createTranslation(id: string, filesOf: FilesOf): EngineParts {
  const isPaired = id === OPUS
  const modelFor = (source: string, target: string): string => (isPaired ? `opus-mt-${source}-${target}` : M2M_MODEL)
  const pairs = () => OPUS_PAIRS.filter((pair) => filesOf(id, `opus-mt-${pair}`) !== null)
  const downloaded = () => (isPaired ? pairs().length > 0 : filesOf(id, M2M_MODEL) !== null)
  const refuseMissing = (model: string) => {
    if (filesOf(id, model) === null)
      throw new Failure('MODEL_NOT_DOWNLOADED', `${id}: the model ${model.slice(0, 64)} is not downloaded on this machine`)
  }
  // Pairs are small and asked for in runs; the one in use is kept and the one before it given back.
  let held: { readonly model: string; readonly loaded: Promise<Loaded> } | null = null
  const giveBack = async () => {
    const leaving = held
    held = null
    await (await leaving?.loaded.catch(() => null))?.pipeline.dispose()
  }
  async function open(model: string, files: ReadonlyMap<string, string>): Promise<Loaded> {
    if (held?.model !== model) {
      await giveBack()
      held = { model, loaded: openPipeline<Pipe>('translation', files) }
    }
    const { loaded } = held!
    return await loaded.catch((error) => {
      if (held?.loaded === loaded) held = null
      throw error
    })
  }

  async function* run({ texts, ...tags }: TranslateParams, { signal, model: named }: RunContext): AsyncGenerator<EngineEvent> {
    const [source, target] = [codeOf(tags.source), codeOf(tags.target)]
    const model = modelFor(source, target)
    if (named !== '' && named !== model) {
      refuseMissing(named)
      throw new Failure('INVALID_TASK_PARAMS', `source, target: ${named.slice(0, 64)} does not translate from ${source} into ${target}`)
    }
    const files = filesOf(id, model)
    if (!files && isPaired && downloaded()) throw pairNotAvailable(id, source, target, pairs())
    if (!files) throw new Failure('MODEL_NOT_DOWNLOADED', `${id}: ${model} is not downloaded on this machine`)
    const { pipeline, library } = await open(model, files)
    const { stopping, forget } = createStopper(library, signal)
    const options = { max_new_tokens: MOST_TOKENS, stopping_criteria: stopping, ...(!isPaired && { src_lang: source, tgt_lang: target }) }
    try {
      const translated: string[] = []
      for (const text of texts) {
        const sentences: string[] = []
        // Sentence by sentence: a longer text would be cut off where the network's memory ends.
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
      // What the library throws repeats its input.
      throw error instanceof Failure || signal.aborted ? error : new Failure('WORKER_FAILED', `${model} failed on a text`, { cause: error })
    } finally {
      forget()
    }
  }

  function describe(): Capability[] {
    const here = downloaded()
    const row: Capability = capability({
      engine: id,
      operation: 'translate',
      implementation: isPaired ? 'marian-onnx' : 'm2m100-onnx',
      languages: isPaired ? [...new Set(pairs().flatMap((pair) => pair.split('-')))].sort() : ['*'],
      downloaded: here,
      memoryBytes: isPaired ? GIBIBYTE : 3 * GIBIBYTE,
      ...(!here && { reason: `No model of ${id} is downloaded on this machine.` }),
    })
    const named = isPaired
      ? pairs().map((pair) => ({ ...row, model: `opus-mt-${pair}`, languages: pair.split('-').sort() }))
      : here
        ? [{ ...row, model: M2M_MODEL }]
        : []
    return [row, ...named]
  }

  return {
    describe,
    load: async (model = '') => {
      if (model !== '') refuseMissing(model)
      if (!downloaded()) throw new Failure('MODEL_NOT_DOWNLOADED', `${id}: no model is downloaded on this machine`)
    },
    operations: { translate: withParams(TranslateParams, run) },
    unload: giveBack,
  }
}
