// Recognition with the Whisper family: `faster-whisper` returns sentences and words with the times that the network gives, `whisperx` aligns the
// words of English with a letter network. Both run the same ONNX exports.

import { z } from 'zod'
import { type Aligner, openAligner } from '#agent/engine/asr/align/network.ts'
import { readAudioAt } from '#agent/engine/audio/audio-input.ts'
import { condense, type Stretch } from '#agent/engine/audio/condensed.ts'
import { openPlacedGraph } from '#agent/engine/runtimes/onnx/place.ts'
import type { GraphFactory } from '#agent/engine/runtimes/onnx/session.ts'
import { openWhisper, WHISPER_RATE, type WhisperNetwork } from '#agent/engine/runtimes/transformers/whisper.ts'
import { defineEngine, type EngineParts, type RunContext, withParams } from '#agent/engine/seam/define.ts'
import { devicesOf } from '#agent/engine/seam/devices.ts'
import { type Capability, capability, type EngineEvent } from '#agent/engine/seam/engine.ts'
import { openPerModel, placementOf } from '#agent/engine/seam/opening.ts'
import type { FilesOf } from '#agent/models/manifest.ts'
import type { EngineId } from '#shared/engines.ts'
import { AsrParams, type AsrResult } from '#shared/operations/asr.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { cleanLines } from '#shared/protocol/fields/clean-text.ts'
import type { CondensedSpeech } from './decoding/coverage.ts'
import type { DecodedSegment } from './decoding/speech-windows.ts'
import { isoLanguage, whisperCode } from './languages.ts'
import { createWhisperModels, WHISPER_ENGINES } from './models.ts'
import { openSpeechFinder, type SpeechFinder } from './speech.ts'
import { WHISPER_VERIFICATIONS } from './verification.ts'

export const ALIGNMENT_MODEL = 'wav2vec2-base-960h'
const ALIGNED_LANGUAGE = 'en'
const GIBIBYTE = 1024 ** 3
const STAGE = 'recognising'
const LanguageTag = z.string().regex(/^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{1,8}){0,3}$/)
/** The parameters of every recogniser and three of this family. */
export const WhisperParams = AsrParams.extend({
  /** A tag such as `en`; without it the recogniser decides. */
  language: LanguageTag.nullable().default(null),
  /** Without a language, one of these is detected. Those that the model does not support are ignored. */
  expected_languages: z.array(LanguageTag).max(100).default([]),
  /** `word` is refused by a model that has no times of words; `words` asks for them where there are any. */
  timestamps: z.enum(['none', 'segment', 'word']).default('segment'),
})
export type WhisperParams = z.output<typeof WhisperParams>

type Loaded = { readonly network: WhisperNetwork; readonly finder: SpeechFinder; readonly aligner: Aligner | null }
type Deps = { readonly filesOf: FilesOf }
type OpenFinder = (open: GraphFactory) => Promise<SpeechFinder>
const define = (id: (typeof WHISPER_ENGINES)[keyof typeof WHISPER_ENGINES]) =>
  defineEngine({
    id,
    maxBlockSeconds: 60,
    verification: WHISPER_VERIFICATIONS[id],
    create: (deps: Deps, open: GraphFactory = openPlacedGraph, openFinder: OpenFinder = openSpeechFinder) =>
      createWhisper(id, deps, open, openFinder),
  })
export const fasterWhisper = define(WHISPER_ENGINES.segments)
export const whisperX = define(WHISPER_ENGINES.words)

function createWhisper(id: EngineId, { filesOf }: Deps, open: GraphFactory, openFinder: OpenFinder): EngineParts {
  const withWords = id === WHISPER_ENGINES.words
  const models = createWhisperModels(filesOf)
  const hasAligner = () => !withWords || filesOf(id, ALIGNMENT_MODEL) !== null

  async function loadAll(model: string): Promise<Loaded> {
    const network = await openWhisper(models.files(model), open, devicesOf(id))
    let finder: SpeechFinder | null = null
    try {
      finder = await openFinder(open)
      const letters = withWords ? filesOf(id, ALIGNMENT_MODEL) : null
      return { network, finder, aligner: letters && (await openAligner(letters, open)) }
    } catch (error) {
      await finder?.close()
      await network.close()
      throw error
    }
  }
  const opening = openPerModel(loadAll, async ({ aligner, finder, network }) => {
    await aligner?.close()
    await finder.close()
    await network.close()
  })

  async function* run(params: WhisperParams, { signal, inputs, model }: RunContext): AsyncGenerator<EngineEvent> {
    const { task } = params
    // An agent that describes itself does not need these modules.
    const { trimmedToVoice, uncovered } = await import('./decoding/coverage.ts')
    const { decodeSpeech } = await import('./decoding/speech-windows.ts')
    const { createNotices } = await import('./notices.ts')
    const wantsWords = params.timestamps === 'word' || params.words
    const { samples, seconds } = await readAudioAt(WHISPER_RATE, inputs, signal)
    const { network, finder, aligner } = await opening.load(await models.choose(model, task))
    if (params.timestamps === 'word' && aligner === null && network.alignmentHeads === null)
      throw new Failure('INVALID_TASK_PARAMS', 'timestamps: This model does not compute the times of words.')
    const requested = requestedLanguage(network, params.language)
    const expected = params.expected_languages.flatMap((tag) => whisperCode(tag, [...network.languages.keys()]) ?? [])
    if (!network.isMultilingual && task === 'translate') throw new Failure('INVALID_TASK_PARAMS', 'task: This model supports English only.')

    const search = finder.find(samples, signal)
    let found = await search.next()
    for (; !found.done; found = await search.next()) yield { kind: 'progress', progress: 0, stage: STAGE }
    const { stretches, voice } = found.value
    const condensed = condense(samples, WHISPER_RATE, stretches)
    const { originalTime, condensedTime } = condensed
    const speech: CondensedSpeech = {
      ...condensed,
      voice: voice.map(({ start, end }) => ({ start: condensedTime(start), end: condensedTime(end) })),
    }
    const inRecording = ({ start, end }: Stretch) => ({ start: originalTime(start, 'start'), end: originalTime(end, 'end') })
    const notices = createNotices(id, stretches.length > 0)

    let language = requested
    const segments: DecodedSegment[] = []
    const texts: string[] = []
    let sent = 0
    const request = {
      language: requested,
      expected,
      task,
      prompt: params.prompt,
      temperature: params.temperature ?? 0,
      words: wantsWords,
      signal,
    }
    for await (const { share, window } of decodeSpeech(network, speech, request)) {
      if (window) {
        language = window.language
        notices.add(window.verdict, inRecording(window))
        for (const decoded of window.segments) {
          const segment = trimmedToVoice(decoded, speech)
          const { start, end, text } = segment
          // Translated words, or letters that the network does not support, cannot be aligned.
          const wordAligner = task === 'transcribe' && segment.language === ALIGNED_LANGUAGE ? aligner : null
          const part = speech.samples.subarray(Math.round(start * WHISPER_RATE), Math.round(end * WHISPER_RATE))
          const words = wordAligner ? await wordAligner.words(part, text, start) : segment.words?.map((word) => within(word, segment))
          texts.push(text)
          segments.push({ ...segment, text: text.trim(), ...(words && { words }) })
        }
      }
      yield { kind: 'progress', progress: share, stage: STAGE }
      const more = window && params.stream ? textOf(texts).slice(sent) : ''
      sent += more.length
      if (more !== '') yield { kind: 'text', text: more }
    }
    yield { kind: 'progress', progress: 1, stage: STAGE }
    const spoken = isoLanguage(mostSpoken(segments) ?? language ?? '')
    const isUnaligned = aligner && network.alignmentHeads === null && task === 'transcribe'
    if (isUnaligned && spoken !== ALIGNED_LANGUAGE && spoken !== '') notices.addUnaligned(spoken)
    const missing = uncovered({ start: 0, end: speech.samples.length / WHISPER_RATE }, segments, speech).map(inRecording)
    notices.addMissing(missing)
    const result: Omit<AsrResult, 'notices'> = {
      text: textOf(texts),
      language: task === 'translate' ? 'en' : spoken,
      segments: segments.map(({ words, ...segment }) => ({
        ...segment,
        ...inRecording(segment),
        language: isoLanguage(segment.language),
        ...(words && { words: words.map((word) => ({ ...word, ...inRecording(word) })) }),
      })),
      ...(missing.length > 0 && { speech_without_words: missing }),
      duration: seconds,
    }
    const said = notices.all()
    yield { kind: 'result', result: { ...result, ...(said.length > 0 && { notices: said }) } }
  }

  return {
    describe: () => {
      const [downloaded, named] = [models.downloaded(), describe(id, true, hasAligner())]
      const names = named.downloaded ? [...downloaded, ...models.sent()] : []
      return [describe(id, downloaded.length > 0, hasAligner()), ...names.map((model) => ({ ...named, model }))]
    },
    load: async (model = '') => void (await opening.load(await models.choose(model, 'transcribe'))),
    operations: { asr: withParams(WhisperParams, run) },
    unload: opening.unload,
    placement: () => placementOf(opening.opened()?.network),
  }
}

/** The model's code of the requested language; null to detect it. Throws INVALID_TASK_PARAMS. */
function requestedLanguage({ isMultilingual, languages }: WhisperNetwork, requested: string | null): string | null {
  if (requested === null) return isMultilingual ? null : 'en'
  const code = whisperCode(requested, isMultilingual ? [...languages.keys()] : ['en'])
  if (code !== null) return code
  throw new Failure('INVALID_TASK_PARAMS', `language: This model does not support "${requested}".`)
}

/**
 * The texts of segments have their own blanks, none in languages without them. More of them only append to it, so it can be sent in pieces. The
 * studio cleans the result in the same way, and compares it with the pieces.
 */
const textOf = (texts: readonly string[]): string => cleanLines(texts.join('')).trim()

/** The time of a word within its segment, which ends with its voice. */
const within = <W extends Stretch>(word: W, { start, end }: Stretch): W => ({
  ...word,
  start: Math.min(end, Math.max(start, word.start)),
  end: Math.min(end, Math.max(start, word.end)),
})

/** The language with the longest text; null without segments. */
function mostSpoken(segments: readonly DecodedSegment[]): string | null {
  const lengths = new Map<string, number>()
  for (const { language, text } of segments) lengths.set(language, (lengths.get(language) ?? 0) + text.length)
  return [...lengths].reduce<[string, number] | null>((most, one) => (most === null || one[1] > most[1] ? one : most), null)?.[0] ?? null
}

const NO_ALIGNER = `whisperx takes word times from Whisper because its alignment model ${ALIGNMENT_MODEL} is not downloaded on this machine.`

function describe(id: string, downloaded: boolean, isAligned: boolean): Capability {
  return capability({
    engine: id,
    operation: 'asr',
    implementation: id === WHISPER_ENGINES.words && isAligned ? 'whisper-onnx+ctc' : 'whisper-onnx',
    standsIn: downloaded && !isAligned ? NO_ALIGNER : null,
    languages: ['*'],
    streams: true,
    downloaded,
    sampleRate: WHISPER_RATE,
    memoryBytes: 2 * GIBIBYTE,
    ...(!downloaded && { reason: 'No Whisper model is downloaded on this machine. Download one of its models.' }),
  })
}
