// Kokoro-82M: 24 kHz, preset voices. English needs no other program; other languages are pronounced by espeak-ng, which is GPL-3 and runs as a
// separate program. Weights and code are Apache-2.0.

import { stat } from 'node:fs/promises'
import { z } from 'zod'
import { openPlacedGraph } from '#agent/engine/runtimes/onnx/place.ts'
import type { GraphFactory } from '#agent/engine/runtimes/onnx/session.ts'
import { defineEngine, type EngineDeps, type EngineParts, type RunContext, withParams } from '#agent/engine/seam/define.ts'
import { devicesOf } from '#agent/engine/seam/devices.ts'
import { type Capability, capability, type EngineEvent } from '#agent/engine/seam/engine.ts'
import {
  describeEach,
  filesWithEnding,
  findFile,
  type ModelFiles,
  readModelJson,
  requireDownloaded,
  requireFile,
} from '#agent/engine/seam/model-files.ts'
import { openPerModel, placementOf } from '#agent/engine/seam/opening.ts'
import type { SeededRandom } from '#agent/engine/seam/random.ts'
import { withoutEnds } from '#agent/engine/speech/edges.ts'
import { type SymbolTable, toKokoroIds } from '#agent/engine/speech/kokoro-symbols.ts'
import { ESPEAK } from '#agent/engine/speech/phonemes.ts'
import { openStyledGraph, STYLE_WIDTH, STYLED_SAMPLE_RATE, type StyledGraph } from '#agent/engine/speech/styled-graph.ts'
import { chooseVoice, unsupportedNotices } from '#agent/engine/speech/voice-choice.ts'
import { concat } from '#shared/audio/stage.ts'
import { speedsOf, unpronouncedLanguage } from '#shared/engines.ts'
import { TtsParams } from '#shared/operations/tts.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { COMMAND } from '#shared/protocol/version.ts'
import { findProgram } from '#shared/runtime/program.ts'
import { parseBlend } from '#shared/voices/blend.ts'
import { createKokoroSymbols, type KokoroSymbols } from './symbols.ts'
import { KOKORO_VERIFICATION } from './verification.ts'
import { blended, MAX_IDS, readVoice, styleRow, voiceLanguage, voiceName } from './voices.ts'

const ID = 'kokoro'
const DEFAULT_VOICE = 'af_heart'
/**
 * Characters of the first and of the longest piece of a text. A processor speaks about as fast as the text lasts, so the first piece decides when
 * sound begins, and the longest how long a step takes.
 */
const PIECES = { first: 60, most: 240 }
/** Speeds of a graph that takes whole numbers only. */
const ONE_SPEED = [1, 1] as const
const MEMORY_BYTES = 1024 ** 3
const SINGLE = 'model.onnx'
/** A larger file has no 8-bit weights. Exports of others may have any name. */
const MAX_QUANTISED_BYTES = 150 * 1024 ** 2
/** In order of preference on the CPU, where half precision is not faster. */
const GRAPHS = [SINGLE, 'model_fp16.onnx', 'model_quantized.onnx', 'model_q8f16.onnx'] as const
// Without WebGPU in the table, which produces wrong audio for this graph on some chips.
const DEVICES = devicesOf(ID)

const Tokenizer = z.object({ model: z.object({ vocab: z.record(z.string(), z.number().int().min(0).max(10_000)) }) })

type Loaded = { graph: StyledGraph; table: SymbolTable; voices: Map<string, string>; styles: Map<string, Float32Array> }
type More = { readonly open?: GraphFactory; readonly pronunciation?: KokoroSymbols }

function createKokoro(
  { filesOf, path, clock }: EngineDeps,
  { open = openPlacedGraph, pronunciation = createKokoroSymbols(clock) }: More = {},
): EngineParts {
  const opening = openPerModel(openAll, ({ graph }) => graph.close())
  async function openAll(model: string): Promise<Loaded> {
    const files = requireDownloaded(filesOf, ID, model)
    const name = GRAPHS.find((candidate) => findFile(files, candidate)) ?? SINGLE
    const { model: words } = await readModelJson(requireFile(files, ID, 'tokenizer.json'), 'tokenizer.json', Tokenizer)
    const file = requireFile(files, ID, name)
    const { size } = await stat(file)
    const options = { file, device: DEVICES, single: findFile(files, SINGLE), what: ID }
    // An agent that describes itself does not need its modules.
    const { withFloatConvolutions } = await import('#agent/engine/runtimes/onnx/float-convolutions.ts')
    const quantised = size <= MAX_QUANTISED_BYTES && { rewrite: withFloatConvolutions }
    return {
      graph: await openStyledGraph({ ...options, ...quantised }, open),
      table: words.vocab,
      voices: voicesOf(files),
      styles: new Map(),
    }
  }

  async function* run(params: TtsParams, { signal, model }: RunContext): AsyncGenerator<EngineEvent> {
    // An agent that describes itself does not need the rules of sentences.
    const { splitInHalf, toGrowingPieces } = await import('#agent/engine/text/text-pieces.ts')
    const { graph, table, voices, styles } = await opening.load(model)
    const notices = unsupportedNotices(params)
    refuseUnpronounced(params.voice)
    const voice = chooseVoice(params.voice, voicesFor(params, [...voices.keys()]), ID, notices)
    const tableOf = async (id: string) => {
      const read = styles.get(id) ?? (await readVoice(id, voices.get(id)!))
      styles.set(id, read)
      return read
    }
    const parts = blendOf(voice, [...voices.keys()])?.parts ?? [{ voice, share: 1 }]
    const style = await blended(parts, tableOf)
    const language = voiceLanguage(parts[0]!.voice)!
    // An agent that describes itself does not need its modules.
    const { nothingLeftOut, speakPhones } = await import('#agent/engine/speech/phone-run.ts')
    const leftOut = nothingLeftOut()

    const speak = async (piece: string, speed: number, abort: AbortSignal): Promise<Float32Array> => {
      abort.throwIfAborted()
      const converted = toKokoroIds(
        await pronunciation.symbols(piece, language, { signal: abort, refused: (word) => leftOut.words.add(word) }),
        table,
      )
      if (converted.ids.length > MAX_IDS) {
        // Numbers and abbreviations become much longer as phonemes.
        const cut = splitInHalf(piece)
        if (cut) return concat([await speak(cut[0], speed, abort), await speak(cut[1], speed, abort)])
        leftOut.sounds += converted.ids.length - MAX_IDS
        converted.ids.length = MAX_IDS
      }
      leftOut.sounds += converted.dropped
      if (converted.ids.length === 0) return new Float32Array(1)
      const row = styleRow(converted.ids.length) * STYLE_WIDTH
      const samples = await graph.speak([0, ...converted.ids, 0], style.subarray(row, row + STYLE_WIDTH), speed)
      return withoutEnds(samples, STYLED_SAMPLE_RATE)
    }
    const speeds = graph.hasWholeSpeeds ? ONE_SPEED : speedsOf(ID)
    const speaker = {
      rate: STYLED_SAMPLE_RATE,
      engine: ID,
      language: language.spells,
      voice,
      maxCharacters: PIECES.most,
      split: (text: string) => toGrowingPieces(text, PIECES, language.spells),
      speeds,
      speak: (piece: string, speed: number, _random: SeededRandom, abort: AbortSignal) => speak(piece, speed, abort),
      device: graph.device,
      deviceReason: graph.reason,
    }
    yield* speakPhones(params, speaker, { notices, leftOut }, signal)
  }

  return {
    describe: () => describeEach(filesOf, ID, (files) => describe(files, findProgram(ESPEAK, path) !== null)),
    load: async (model) => void (await opening.load(model)),
    operations: { tts: withParams(TtsParams, run) },
    placement: () => placementOf(opening.opened()?.graph),
    async unload() {
      await Promise.all([opening.unload(), pronunciation.close()])
    },
  }
}

export const kokoro = defineEngine({ id: ID, maxBlockSeconds: 90, verification: KOKORO_VERIFICATION, create: createKokoro })

const idOf = (name: string, names: readonly string[]): string | undefined =>
  names.find((id) => [id, voiceName(id)].some((each) => each.toLowerCase() === name.toLowerCase()))
/** A blend speaks the language of its first voice. */
const blendOf = (name: string, names: readonly string[]) => parseBlend(name, (part) => idOf(part, names))

/** The voices whose language has a front end. */
const voicesOf = (files: ModelFiles) => new Map([...filesWithEnding(files, 'voices', '.bin')].filter(([voice]) => voiceLanguage(voice)))

/** Throws INVALID_TASK_PARAMS for a voice whose language has no front end. */
function refuseUnpronounced(voice: string | null): void {
  const language = voice && unpronouncedLanguage(ID, voice)
  if (!language) return
  throw new Failure('INVALID_TASK_PARAMS', `voice: ${voice.slice(0, 64)} speaks ${language}, which ${ID} cannot pronounce here.`)
}

/** Without a requested voice, the fallback speaks the requested language. A requested voice is used even if it speaks another language. */
function voicesFor({ voice, language }: Pick<TtsParams, 'voice' | 'language'>, names: readonly string[]) {
  const tag = (language ?? '').trim().toLowerCase()
  const short = tag === 'auto' ? '' : tag.split(/[-_]/)[0]!
  const fitting = short === '' ? names : names.filter((id) => voiceLanguage(id)!.language === short)
  const british = fitting.find((id) => id.startsWith('b'))
  const fallback = tag === 'en-gb' && british ? british : fitting.includes(DEFAULT_VOICE) ? DEFAULT_VOICE : fitting[0]
  const find = (requested: string) => idOf(requested, names) ?? blendOf(requested, names)?.id
  if (fallback === undefined && names.length > 0 && !(voice && find(voice)))
    throw new Failure('INVALID_TASK_PARAMS', `language: No downloaded voice of ${ID} speaks "${tag.slice(0, 32)}".`)
  return { names, fallback, find }
}

/** The languages in which `id` is the fallback. */
function defaultsOf(id: string, names: readonly string[]): string[] {
  const languages = ['', 'en-gb', ...new Set(names.map((name) => voiceLanguage(name)!.language))]
  return languages.filter((language) => voicesFor({ voice: id, language }, names).fallback === id)
}

function describe(files: ModelFiles | null, hasEspeak: boolean): Capability {
  const isSpoken = (id: string) => hasEspeak || voiceLanguage(id)!.variety !== null
  const voices = files ? [...voicesOf(files).keys()].filter(isSpoken) : []
  const isWhole =
    files !== null && voices.length > 0 && GRAPHS.some((name) => findFile(files, name)) && findFile(files, 'tokenizer.json') !== null
  const reasons = [
    ...(isWhole ? [] : [`The model is not downloaded. Install it with ${COMMAND} models install onnx-community/Kokoro-82M-v1.0-ONNX.`]),
  ]
  return capability({
    engine: ID,
    operation: 'tts',
    implementation: 'kokoro-82m',
    languages: isWhole
      ? [...new Set(voices.map((id) => voiceLanguage(id)!.language))]
      : hasEspeak
        ? ['en', 'es', 'fr', 'hi', 'it', 'pt']
        : ['en'],
    voices: voices.map((id) => ({ id, name: voiceName(id), language: voiceLanguage(id)!.language, defaultFor: defaultsOf(id, voices) })),
    downloaded: isWhole,
    phones: 'ipa',
    sampleRate: STYLED_SAMPLE_RATE,
    memoryBytes: MEMORY_BYTES,
    ...(reasons.length > 0 && { reason: reasons.join(' ') }),
  })
}
