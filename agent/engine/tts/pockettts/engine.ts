// Pocket-TTS of Kyutai: a small streaming voice with cloning on a CPU, one model per language. The weights are under CC-BY-4.0, which
// requires attribution to Kyutai; users acknowledge that before the download.

import { readNpy } from '#agent/engine/runtimes/onnx/npy.ts'
import { openPlacedGraph } from '#agent/engine/runtimes/onnx/place.ts'
import type { GraphFactory } from '#agent/engine/runtimes/onnx/session.ts'
import { defineEngine, type EngineDeps, type EngineParts, type RunContext, withParams } from '#agent/engine/seam/define.ts'
import { type Capability, capability, type EngineEvent, type EngineVoice } from '#agent/engine/seam/engine.ts'
import { findFile, type ModelFiles, requireFile } from '#agent/engine/seam/model-files.ts'
import { type Opening, openOnce, placementOf } from '#agent/engine/seam/opening.ts'
import { readReference } from '#agent/engine/speech/autoregressive/reference.ts'
import type { Memory } from '#agent/engine/speech/autoregressive/states.ts'
import { type Speaker, speakSegments } from '#agent/engine/speech/tts-driver.ts'
import { createVoiceCache } from '#agent/engine/speech/voice-cache.ts'
import { chooseLanguage, choosePreset, unsupportedNotices } from '#agent/engine/speech/voice-choice.ts'
import { readSentencePiece, type Tokenizer } from '#agent/engine/text/sentencepiece.ts'
import { readSmallFile } from '#agent/engine/text/small-file.ts'
import { speedsOf } from '#shared/engines.ts'
import { TtsParams } from '#shared/operations/tts.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { COMMAND } from '#shared/protocol/version.ts'
import { BUNDLE_FILE, type Bundle, readBundle } from './bundle.ts'
import { openPocket, type Pocket, type PocketGraph } from './graphs.ts'
import { defaultVoice, POCKET_LANGUAGES, replacedIn, TEMPERATURE } from './languages.ts'
import { preparedText } from './text.ts'
import { POCKET_VERIFICATION } from './verification.ts'
import { readVoices, type StoredVoice, type VoiceMemory, voiceMemory } from './voices.ts'

const ID = 'pockettts'
const VOICES_FILE = 'voices.bin'
const RATE = 24_000
/** Voices of the published models, for descriptions; the actual list is read when the model is opened. */
const PUBLISHED_VOICES = ['alba', 'azelma', 'cosette', 'eponine', 'fantine', 'javert', 'jean', 'marius']
const STEPS = [1, 16] as const
const MAX_VOICE_BYTES = 512 * 1024 ** 2
/** Estimate until a host has measured it: the graphs, their states and the stored voices. */
const MEMORY_BYTES = 700 * 1024 ** 2

/** File name endings in order of preference: 8-bit weights where quality is unaffected, full precision for the decoder. */
const ENDINGS: Readonly<Record<PocketGraph, readonly string[]>> = {
  text_conditioner: ['', '_int8'],
  flow_lm_main: ['_int8', ''],
  flow_lm_flow: ['_int8', ''],
  mimi_decoder: ['', '_int8'],
  mimi_encoder: ['', '_int8'],
}
const ROLES = Object.keys(ENDINGS) as PocketGraph[]
const graphIn = (files: ModelFiles, role: PocketGraph): string | null =>
  ENDINGS[role].map((ending) => findFile(files, `${role}${ending}.onnx`)).find((path) => path !== null) ?? null

type Loaded = {
  readonly bundle: Bundle
  readonly pocket: Pocket
  readonly tokenizer: Tokenizer
  readonly voices: ReadonlyMap<string, StoredVoice>
  readonly memories: Map<string, VoiceMemory>
  readonly bos: Float32Array | null
}

function createPocket({ filesOf }: EngineDeps, open: GraphFactory = openPlacedGraph): EngineParts {
  const filesFor = (language: string) => filesOf(ID, language === 'en' ? '' : language)
  const downloadedLanguages = () => POCKET_LANGUAGES.filter((language) => filesFor(language) !== null)
  const voiceCache = createVoiceCache<Memory>()
  const openings = new Map<string, Opening<Loaded>>()
  const openingFor = (language: string): Opening<Loaded> => {
    const known =
      openings.get(language) ??
      openOnce(
        () => openAll(language),
        ({ pocket }) => pocket.close(),
      )
    openings.set(language, known)
    return known
  }

  async function openAll(language: string): Promise<Loaded> {
    const files = filesFor(language)
    if (!files) throw new Failure('MODEL_NOT_DOWNLOADED', `The model of ${ID} for "${language}" is not downloaded on this machine.`)
    const small = async (name: string, most?: number) => await readSmallFile(requireFile(files, ID, name), name, most)
    const bundle = await readBundle(requireFile(files, ID, BUNDLE_FILE))
    const tokenizer = readSentencePiece(await small(bundle.tokenizer_file), bundle.tokenizer_file)
    const bosFile = bundle.insert_bos_before_voice ? bundle.bos_before_voice_file : null
    const bos = bosFile === null ? null : rowOf(await small(bosFile), bosFile, bundle.conditioning_dim)
    const stored = findFile(files, VOICES_FILE) ? await small(VOICES_FILE, MAX_VOICE_BYTES) : null
    const voices = stored ? readVoices(stored, VOICES_FILE) : new Map<string, StoredVoice>()
    const pocket = await openPocket(bundle, (role) => graphIn(files, role) ?? requireFile(files, ID, `${role}.onnx`), open)
    return { bundle, pocket, tokenizer, voices, memories: new Map(), bos }
  }
  const firstLanguage = (): string => {
    const [language] = downloadedLanguages()
    if (language === undefined) throw new Failure('MODEL_NOT_DOWNLOADED', `The model of ${ID} is not downloaded on this machine.`)
    return language
  }

  async function* run(params: TtsParams, { signal, inputs, owner }: RunContext): AsyncGenerator<EngineEvent> {
    // An agent that describes itself does not need the rules of sentences.
    const { toTokenPieces } = await import('#agent/engine/text/token-pieces.ts')
    const language = chooseLanguage(params.language, POCKET_LANGUAGES, ID) || firstLanguage()
    const model = await openingFor(language).load()
    const { bundle, pocket, tokenizer, voices } = model
    signal.throwIfAborted()
    const recorded = inputs.get('reference')
    const notices = unsupportedNotices(params, recorded !== undefined)
    const names = [...voices.keys()]
    const presets = { names, fallback: defaultVoice(language, names) }
    const voiceId = recorded ? 'reference' : choosePreset(params.voice, presets, ID, notices)
    const encodeVoice = async () => {
      const { withEndingPause } = await import('./prompt.ts')
      const recording = await readReference(bundle.sample_rate, inputs, signal, notices)
      return await pocket.encode(withEndingPause(recording, bundle.sample_rate), model.bos)
    }
    const voice = recorded
      ? await voiceCache.of({ owner, recording: recorded, variant: language }, encodeVoice)
      : stored(model, voiceId, notices)
    const steps = Math.min(STEPS[1], Math.max(STEPS[0], params.num_step ?? STEPS[0]))
    if (params.num_step !== null && steps !== params.num_step)
      notices.push(`This voice supports ${STEPS[0]} to ${STEPS[1]} steps; ${steps} were used.`)

    let cut = 0
    const prepared = (piece: string) => preparedText(piece, bundle, replacedIn(language))
    const idsOf = (piece: string) => tokenizer.encode(prepared(piece).text)
    const speaker: Speaker = {
      rate: bundle.sample_rate,
      engine: ID,
      language,
      voice: voiceId,
      maxCharacters: bundle.max_token_per_chunk,
      split: (text) => toTokenPieces(text, bundle.max_token_per_chunk, (piece) => idsOf(piece).length, language),
      gapMs: 0,
      speeds: speedsOf(ID),
      speak: (piece, _speed, random, abort) => {
        const { text, tail } = prepared(piece)
        const request = { voice, ids: tokenizer.encode(text), tail, steps, temperature: TEMPERATURE }
        return pocket.speak({ ...request, random, signal: abort, onCut: () => cut++ })
      },
      device: pocket.device,
      deviceReason: pocket.reason,
    }
    for await (const event of speakSegments(params, speaker, notices, signal)) {
      if (event.kind === 'result' && cut > 0)
        notices.push(`${cut} pieces of the text exceeded the length limit and were cut; another seed may help.`)
      yield event
    }
  }

  return {
    describe: () => [describe(downloadedLanguages(), filesFor)],
    load: async () => void (await openingFor(firstLanguage()).load()),
    operations: { tts: withParams(TtsParams, run) },
    placement: () => placementOf([...openings.values()].map((opening) => opening.opened()?.pocket).find((pocket) => pocket)),
    forgetVoices: voiceCache.forget,
    async unload() {
      voiceCache.clear()
      const all = [...openings.values()]
      openings.clear()
      await Promise.all(all.map((opening) => opening.unload()))
    },
  }
}

export const pocketTts = defineEngine({ id: ID, maxBlockSeconds: 90, verification: POCKET_VERIFICATION, create: createPocket })

function stored({ voices, memories, bundle }: Loaded, name: string, notices: string[]): Memory {
  const voice = memories.get(name) ?? voiceMemory(voices.get(name)!, bundle.speechStates)
  // A memory has tens of megabytes and is created in milliseconds, so only one is kept.
  memories.clear()
  memories.set(name, voice)
  if (voice.unused > 0)
    notices.push(
      `The stored voice ${name.slice(0, 64)} does not fit this model in ${voice.unused} of ${bundle.speechStates.length} states, which start empty; it may sound different.`,
    )
  return voice.memory
}

function rowOf(bytes: Buffer, name: string, width: number): Float32Array {
  const broken = (what: string, cause?: unknown) =>
    new Failure('MODEL_NOT_DOWNLOADED', `The file ${name} is not valid (${what}). Download the model again.`, { cause })
  try {
    const { values } = readNpy(bytes)
    if (values.length === 0 || values.length % width !== 0) throw new RangeError(`it is not ${width} wide`)
    return values
  } catch (error) {
    throw broken((error as Error).message, error)
  }
}

function voiceOf(id: string, languages: readonly string[]): EngineVoice {
  const defaultFor = languages.filter((language) => defaultVoice(language, PUBLISHED_VOICES) === id)
  return {
    id,
    name: `${id[0]!.toUpperCase()}${id.slice(1)}`,
    language: '*',
    ...(defaultFor.length > 0 && { defaultFor: [...defaultFor, ''] }),
  }
}

function describe(downloadedLanguages: readonly string[], filesFor: (language: string) => ModelFiles | null): Capability {
  const completeLanguages = downloadedLanguages.filter((language) => {
    const files = filesFor(language)!
    return findFile(files, BUNDLE_FILE) !== null && ROLES.every((role) => graphIn(files, role) !== null)
  })
  const speaking = completeLanguages.filter((language) => findFile(filesFor(language)!, VOICES_FILE) !== null)
  const isDownloaded = completeLanguages.length > 0
  return capability({
    engine: ID,
    operation: 'tts',
    implementation: 'pocket-tts',
    languages: isDownloaded ? completeLanguages : POCKET_LANGUAGES,
    voices: speaking.length > 0 ? PUBLISHED_VOICES.map((id) => voiceOf(id, speaking)) : [],
    cloning: true,
    downloaded: isDownloaded,
    sampleRate: RATE,
    memoryBytes: MEMORY_BYTES,
    ...(isDownloaded
      ? {}
      : { reason: `The model is not downloaded. Install it with ${COMMAND} models install KevinAHM/pocket-tts-web:en.` }),
  })
}
