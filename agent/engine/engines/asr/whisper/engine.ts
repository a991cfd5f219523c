// Recognition with the Whisper family: `faster-whisper` returns sentences with times, `whisperx` also aligns every word with a letter
// network. Both run the same ONNX exports.

import { setImmediate as turn } from 'node:timers/promises'
import { z } from 'zod'
import { readAudioAt } from '#agent/engine/audio/audio-input.ts'
import { type GraphFactory, openGraph } from '#agent/engine/runtimes/onnx/session.ts'
import { createStopper, openPipeline, type TransformersLibrary } from '#agent/engine/runtimes/transformers/library.ts'
import { settleWindow, type TimedText, WINDOW_SECONDS, type WindowChunk } from '#agent/engine/runtimes/transformers/windows.ts'
import { defineEngine, type EngineParts, type RunContext, withParams } from '#agent/engine/seam/define.ts'
import { type Capability, capability, type EngineEvent } from '#agent/engine/seam/engine.ts'
import { openPerModel } from '#agent/engine/seam/opening.ts'
import type { FilesOf } from '#agent/models/manifest.ts'
import { AsrParams } from '#shared/operations/asr.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { promptNotice } from '../../../seam/notices.ts'
import { type Aligner, openAligner } from '../align/network.ts'
import type { AlignedWord } from '../align/words.ts'

const WHISPER_ENGINES = { segments: 'faster-whisper', words: 'whisperx' } as const
/** Best first: the default is the first downloaded one. Both engines use the files of `faster-whisper`. */
export const WHISPER_MODELS = ['large-v3-turbo', 'large-v3-turbo-q8', 'large-v3-turbo-q4', 'small', 'base', 'base-q8', 'tiny']
export const ALIGNMENT_MODEL = 'wav2vec2-base-960h'
const ALIGNED_LANGUAGE = 'en'
const SAMPLE_RATE = 16_000
const GIBIBYTE = 1024 ** 3
/** The recogniser invents words for shorter recordings. */
const MIN_SECONDS = 0.1

/** The parameters of every recogniser and two of this family. Prompt and temperature are accepted and not used. */
export const WhisperParams = AsrParams.extend({
  /** A tag such as `en`; without it the recogniser decides. */
  language: z
    .string()
    .regex(/^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{1,8}){0,3}$/)
    .nullable()
    .default(null),
  /** `word` is refused by an engine that has no times of words; `words` asks for them where there are any. */
  timestamps: z.enum(['none', 'segment', 'word']).default('segment'),
})
export type WhisperParams = z.output<typeof WhisperParams>

type Generated = { readonly tolist: () => (number | bigint)[][] }
type Pipe = {
  (samples: Float32Array, options: Record<string, unknown>): Promise<{ text: string; chunks?: WindowChunk[] }>
  readonly model: {
    readonly generation_config: {
      readonly is_multilingual?: boolean
      readonly lang_to_id?: Record<string, number>
      readonly decoder_start_token_id?: number
    }
    readonly generate: (options: Record<string, unknown>) => Promise<Generated>
  }
  readonly processor: (samples: Float32Array) => Promise<{ input_features: unknown }>
  readonly dispose: () => Promise<unknown>
}
type Loaded = { readonly pipe: Pipe; readonly library: TransformersLibrary; readonly aligner: Aligner | null }

type Deps = { readonly filesOf: FilesOf }
const define = (id: (typeof WHISPER_ENGINES)[keyof typeof WHISPER_ENGINES]) =>
  defineEngine({ id, maxBlockSeconds: 60, create: (deps: Deps, open: GraphFactory = openGraph) => createWhisper(id, deps, open) })
export const fasterWhisper = define(WHISPER_ENGINES.segments)
export const whisperX = define(WHISPER_ENGINES.words)

function createWhisper(id: string, { filesOf }: Deps, open: GraphFactory): EngineParts {
  const withWords = id === WHISPER_ENGINES.words
  // Both engines run the models of `faster-whisper`.
  const whisperFiles = (model: string) => filesOf(WHISPER_ENGINES.segments, model)
  const downloadedModels = () => WHISPER_MODELS.filter((model) => whisperFiles(model) !== null)
  const hasAligner = () => !withWords || filesOf(id, ALIGNMENT_MODEL) !== null

  async function loadAll(model: string): Promise<Loaded> {
    const files = whisperFiles(model === '' ? (downloadedModels()[0] ?? '') : model)
    if (!files && model !== '')
      throw new Failure('MODEL_NOT_DOWNLOADED', `The model ${model.slice(0, 64)} of ${id} is not downloaded on this machine.`)
    if (!files) throw new Failure('MODEL_NOT_DOWNLOADED', `No Whisper model is downloaded on this machine.`)
    const letters = withWords ? filesOf(id, ALIGNMENT_MODEL) : null
    const { pipeline, library } = await openPipeline<Pipe>('automatic-speech-recognition', files)
    return { pipe: pipeline, library, aligner: letters && (await openAligner(letters, open)) }
  }
  const opening = openPerModel(loadAll, async ({ aligner, pipe }) => {
    await aligner?.close()
    await pipe.dispose()
  })

  async function* run(params: WhisperParams, { signal, inputs, model }: RunContext): AsyncGenerator<EngineEvent> {
    if (params.timestamps === 'word' && !withWords)
      throw new Failure('INVALID_TASK_PARAMS', `timestamps: ${id} has no word times. Use ${WHISPER_ENGINES.words}.`)
    const { samples, seconds } = await readAudioAt(SAMPLE_RATE, inputs, signal)
    const { pipe, library, aligner } = await opening.load(model)
    const { stopping, forget } = createStopper(library, signal)
    try {
      const first = samples.subarray(0, WINDOW_SECONDS * SAMPLE_RATE)
      const language = await languageOf(pipe, params.language, first)
      const isMultilingual = pipe.model.generation_config.is_multilingual === true
      if (!isMultilingual && params.task === 'translate')
        throw new Failure('INVALID_TASK_PARAMS', 'task: This model supports English only.')
      // Translated words, or letters that the network does not support, cannot be aligned.
      const wordAligner = params.task === 'transcribe' && language === ALIGNED_LANGUAGE ? aligner : null
      const sentences: (TimedText & { words?: AlignedWord[] })[] = []
      for (let from = 0; seconds - from >= MIN_SECONDS; ) {
        signal.throwIfAborted()
        const window = samples.slice(Math.round(from * SAMPLE_RATE), Math.round((from + WINDOW_SECONDS) * SAMPLE_RATE))
        const length = window.length / SAMPLE_RATE
        const isLast = from + length >= seconds - 1e-6
        const { chunks = [] } = await pipe(window, {
          return_timestamps: true,
          stopping_criteria: stopping,
          ...(isMultilingual && { language, task: params.task }),
        })
        signal.throwIfAborted()
        const { texts, next } = settleWindow(chunks, from, length, isLast)
        for (const one of texts) {
          const part = samples.subarray(Math.round(one.start * SAMPLE_RATE), Math.round(one.end * SAMPLE_RATE))
          const words = wordAligner ? await wordAligner.words(part, one.text, one.start) : null
          sentences.push(words ? { ...one, words } : one)
        }
        from = next
        yield { kind: 'progress', progress: Math.min(1, from / seconds), stage: 'recognising' }
        await turn()
      }
      yield { kind: 'progress', progress: 1, stage: 'recognising' }
      const text = sentences.map((one) => one.text).join(' ')
      const outputLanguage = params.task === 'translate' ? 'en' : language
      const isUnaligned = aligner !== null && wordAligner === null && params.task === 'transcribe'
      const notices = promptNotice(id, params.prompt)
      if (isUnaligned) notices.push(`The alignment model supports English only; there are no word times for "${language}".`)
      yield {
        kind: 'result',
        result: { text, language: outputLanguage, segments: sentences, duration: seconds, ...(notices.length > 0 && { notices }) },
      }
    } finally {
      forget()
    }
  }

  return {
    describe: () => {
      const row = describe(id, downloadedModels().length > 0, hasAligner())
      return [row, ...(row.downloaded ? downloadedModels().map((model) => ({ ...row, model })) : [])]
    },
    load: async (model) => void (await opening.load(model)),
    operations: { asr: withParams(WhisperParams, run) },
    unload: opening.unload,
  }
}

/** The requested language, or the one that the model detects: the first token of its output is the language. */
async function languageOf(pipe: Pipe, requested: string | null, samples: Float32Array): Promise<string> {
  const { is_multilingual: isMultilingual, lang_to_id: ids = {}, decoder_start_token_id: start } = pipe.model.generation_config
  const known = new Map(Object.entries(ids).map(([token, id]) => [token.slice(2, -2), id]))
  if (requested !== null) {
    const code = requested.toLowerCase().split(/[-_]/)[0]!
    if (isMultilingual ? known.has(code) : code === 'en') return code
    throw new Failure('INVALID_TASK_PARAMS', `language: This model does not support "${requested}".`)
  }
  if (!isMultilingual || start === undefined) return 'en'
  const { input_features } = await pipe.processor(samples)
  const answer = await pipe.model.generate({
    inputs: input_features,
    decoder_input_ids: [start],
    max_new_tokens: 1,
    return_timestamps: false,
  })
  const token = Number(answer.tolist()[0]?.at(-1))
  return [...known].find(([, id]) => id === token)?.[0] ?? 'en'
}

const NO_ALIGNER = `whisperx returns no word times because its alignment model ${ALIGNMENT_MODEL} is not downloaded on this machine.`

function describe(id: string, downloaded: boolean, isAligned: boolean): Capability {
  return capability({
    engine: id,
    operation: 'asr',
    implementation: id === WHISPER_ENGINES.words && isAligned ? 'whisper-onnx+ctc' : 'whisper-onnx',
    standsIn: downloaded && !isAligned ? NO_ALIGNER : null,
    languages: ['*'],
    downloaded,
    sampleRate: SAMPLE_RATE,
    memoryBytes: 2 * GIBIBYTE,
    ...(!downloaded && { reason: 'No Whisper model is downloaded on this machine. Download one of its models.' }),
  })
}
