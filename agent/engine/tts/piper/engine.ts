// Voices of the project Piper: one network each, many times faster than real time on a plain processor, in about fifty languages. Pronunciation by
// the espeak-ng program, which is GPL-3 and runs as a separate program; the licence of each voice is on its card. `sherpa-onnx` is the same engine
// under the id of another program that speaks with these voices.

import { openPlacedGraph } from '#agent/engine/runtimes/onnx/place.ts'
import type { Graph, GraphFactory } from '#agent/engine/runtimes/onnx/session.ts'
import { defineEngine, type EngineDeps, type EngineParts, type RunContext, withParams } from '#agent/engine/seam/define.ts'
import type { EngineEvent } from '#agent/engine/seam/engine.ts'
import type { SeededRandom } from '#agent/engine/seam/random.ts'
import { withoutEnds } from '#agent/engine/speech/edges.ts'
import { createPhonemizer, type Phonemizer } from '#agent/engine/speech/phonemes.ts'
import { chooseVoice, unsupportedNotices } from '#agent/engine/speech/voice-choice.ts'
import { concat } from '#shared/audio/stage.ts'
import { type EngineId, speedsOf } from '#shared/engines.ts'
import { TtsParams } from '#shared/operations/tts.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { COMMAND } from '#shared/protocol/version.ts'
import { withoutAnnotations } from '#shared/text/pronunciation/annotation.ts'
import { type PiperConfig, readPiperConfig } from './config.ts'
import { describePiper, FRONT_ENDS } from './describe.ts'
import { openPiper, speakIds } from './network.ts'
import { createOpenVoices } from './open-voices.ts'
import { PIPER_VERIFICATION } from './verification.ts'
import {
  configPath,
  fallbackVoice,
  findPiperVoice,
  graphPath,
  PIPER_ID,
  type PiperModel,
  type PiperVoice,
  piperModels,
  usualVoice,
} from './voices.ts'

/** Characters of the first and of the longest piece of a text. */
const PIECES = { first: 60, most: 240 }
/** About half a minute of speech: the time and the memory of a run grow with the square. */
const MAX_IDS = 1_200
const MAX_BLOCK_SECONDS = 90

type Loaded = { readonly graph: Graph; readonly config: PiperConfig }
type More = { readonly open?: GraphFactory; readonly phonemize?: Phonemizer }
type Deps = EngineDeps

export const piper = defineEngine({
  id: PIPER_ID,
  maxBlockSeconds: MAX_BLOCK_SECONDS,
  verification: PIPER_VERIFICATION,
  create: (deps: Deps, more: More = {}) => createPiper(PIPER_ID, deps, more),
})
export const sherpaVoices = defineEngine({
  id: 'sherpa-onnx',
  maxBlockSeconds: MAX_BLOCK_SECONDS,
  verification: PIPER_VERIFICATION,
  readsFilesOf: PIPER_ID,
  create: (deps: Deps, more: More = {}) => createPiper('sherpa-onnx', deps, more),
})

function createPiper(
  id: EngineId,
  { filesOf, path, clock }: Deps,
  { open = openPlacedGraph, phonemize = createPhonemizer({ clock }) }: More,
): EngineParts {
  const opening = createOpenVoices(openModel, ({ graph }) => graph.close())
  async function openModel(model: string): Promise<Loaded> {
    const files = filesOf(PIPER_ID, model)
    const [file, settings] = files ? [graphPath(files), configPath(files)] : [null, null]
    if (file === null || settings === null)
      throw new Failure('MODEL_NOT_DOWNLOADED', `The voice ${model.slice(0, 64)} of ${PIPER_ID} is not downloaded on this machine.`)
    const config = await readPiperConfig(settings, `${model}.onnx.json`)
    if (!FRONT_ENDS.includes(config.phoneme_type))
      throw new Failure(
        'MODEL_NOT_DOWNLOADED',
        `The voice ${model.slice(0, 64)} reads ${config.phoneme_type}, which cannot be made from text here. Use another voice.`,
      )
    return { graph: await openPiper(file, open), config }
  }

  async function* run(params: TtsParams, { signal, model }: RunContext): AsyncGenerator<EngineEvent> {
    // An agent that describes itself does not need the rules of sentences.
    const { splitInHalf, toGrowingPieces } = await import('#agent/engine/text/text-pieces.ts')
    const { toSentences } = await import('#shared/text/sentences.ts')
    const notices = unsupportedNotices(params)
    // An agent that describes itself does not need its modules.
    const { toPiperIds, toPiperMarks } = await import('./symbols.ts')
    const { nothingLeftOut, speakPhones } = await import('#agent/engine/speech/phone-run.ts')
    const voice = chosenVoice(params, model, piperModels(filesOf), id, notices)
    const { graph, config } = await opening.load(voice.model)
    const leftOut = nothingLeftOut()
    const symbolsOf = async (piece: string, abort: AbortSignal): Promise<string> =>
      config.phoneme_type === 'text'
        ? withoutAnnotations(piece)
        : toPiperMarks(await phonemize(piece, config.espeak!.voice, abort, (word) => leftOut.words.add(word)))

    const rate = config.audio.sample_rate
    const speak = async (piece: string, speed: number, random: SeededRandom, abort: AbortSignal): Promise<Float32Array> => {
      abort.throwIfAborted()
      const { ids, dropped: unknown } = toPiperIds(await symbolsOf(piece, abort), config)
      // Numbers and abbreviations become much longer as symbols.
      const halves = ids.length > MAX_IDS ? splitInHalf(piece) : null
      if (halves) return concat([await speak(halves[0], speed, random, abort), await speak(halves[1], speed, random, abort)])
      leftOut.sounds += unknown + Math.max(0, ids.length - MAX_IDS)
      return withoutEnds(await speakIds(graph, config, { ids: ids.slice(0, MAX_IDS), speaker: voice.speaker, speed, random }), rate)
    }
    const speaker = {
      rate,
      engine: id,
      language: voice.tag,
      voice: voice.id,
      maxCharacters: PIECES.most,
      // A sentence at a time, as piper-tts and as the recordings that the voices learned from.
      split: (text: string) => toGrowingPieces(text, PIECES, voice.tag).flatMap((piece) => toSentences(piece, voice.tag)),
      speeds: speedsOf(id),
      speak,
      device: graph.device,
      deviceReason: graph.reason,
    }
    yield* speakPhones(params, speaker, { notices, leftOut }, signal)
  }

  return {
    describe: () => describePiper(id, piperModels(filesOf), path),
    async load(model = '') {
      const models = requireModels(piperModels(filesOf), id)
      // A run opens the voice that it needs.
      if (model !== '' || !opening.isOpen()) await opening.load(model || models[0]!.model)
    },
    operations: { tts: withParams(TtsParams, run) },
    placement: () => (opening.isOpen() ? { device: 'cpu', reason: '' } : null),
    unload: opening.unload,
  }
}

function requireModels(models: readonly PiperModel[], id: string): readonly PiperModel[] {
  if (models.length > 0) return models
  throw new Failure('MODEL_NOT_DOWNLOADED', `No voice of ${id} is downloaded on this machine. List them with ${COMMAND} models.`)
}

/** A requested voice is used even if it speaks another language. Throws MODEL_NOT_DOWNLOADED, INVALID_TASK_PARAMS. */
function chosenVoice(
  { voice, language }: TtsParams,
  model: string,
  here: readonly PiperModel[],
  id: string,
  notices: string[],
): PiperVoice {
  const models = requireModels(model === '' ? here : here.filter((each) => each.model === model), id)
  const tag = (language ?? '').trim().toLowerCase()
  const usual = model === '' ? fallbackVoice(tag === 'auto' ? '' : tag, models) : usualVoice(models[0]!)
  const named = voice ? findPiperVoice(voice, models) : undefined
  if (named === undefined && model === '' && models.every(({ isSent }) => isSent))
    throw new Failure('INVALID_TASK_PARAMS', `voice: Studios sent the voices of ${id} on this machine, so a task must name one of them.`)
  if (usual === undefined && named === undefined)
    throw new Failure('INVALID_TASK_PARAMS', `language: No downloaded voice of ${id} speaks "${tag.slice(0, 32)}".`)
  const voices = models.flatMap((each) => each.voices)
  const chosen = chooseVoice(
    voice,
    { names: voices.map((each) => each.id), fallback: (usual ?? named)!.id, find: () => named?.id },
    id,
    notices,
  )
  return voices.find((each) => each.id === chosen)!
}
