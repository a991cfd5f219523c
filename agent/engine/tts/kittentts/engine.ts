// KittenTTS nano: English, eight voices, 24 kHz, small enough for any machine, pronunciation by the espeak-ng program. Weights and code are
// Apache-2.0; espeak-ng is GPL-3 and runs as a separate program.

import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { openPlacedGraph } from '#agent/engine/runtimes/onnx/place.ts'
import type { GraphFactory } from '#agent/engine/runtimes/onnx/session.ts'
import { defineEngine, type EngineDeps, type EngineParts, type RunContext, withParams } from '#agent/engine/seam/define.ts'
import { type Capability, capability, type EngineEvent } from '#agent/engine/seam/engine.ts'
import { describeEach, findFile, type ModelFiles, readModelJson, requireDownloaded, requireFile } from '#agent/engine/seam/model-files.ts'
import { openPerModel, placementOf } from '#agent/engine/seam/opening.ts'
import { refusedWords } from '#agent/engine/speech/espeak-phones.ts'
import { createPhonemizer, ESPEAK, type Phonemizer } from '#agent/engine/speech/phonemes.ts'
import { openStyledGraph, STYLE_WIDTH, STYLED_SAMPLE_RATE, type StyledGraph } from '#agent/engine/speech/styled-graph.ts'
import { type Speaker, speakSegments } from '#agent/engine/speech/tts-driver.ts'
import { chooseVoice, unsupportedNotices } from '#agent/engine/speech/voice-choice.ts'
import { speedsOf } from '#shared/engines.ts'
import { TtsParams } from '#shared/operations/tts.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { COMMAND } from '#shared/protocol/version.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'
import { findProgram } from '#shared/runtime/program.ts'
import { withoutAnnotations } from '#shared/text/pronunciation/annotation.ts'
import { readNpz, type StyleTable } from './npz.ts'
import { toKittenRuns, withEndPunctuation } from './symbols.ts'
import { KITTEN_VERIFICATION } from './verification.ts'

const ID = 'kittentts'
/** Published names of the voices, by the number and the gender in their id. */
const NAMES = { '2-m': 'Jasper', '2-f': 'Bella', '3-m': 'Bruno', '3-f': 'Luna', '4-m': 'Hugo', '4-f': 'Rosie', '5-m': 'Leo', '5-f': 'Kiki' }
const DEFAULT_VOICE = 'expr-voice-5-m'
/** Samples of a click and silence that the model adds to every run. */
const TAIL_SAMPLES = 5_000
/** Every frame of the output `duration` is 600 samples, 25 ms. */
const FRAME_SAMPLES = 600
const MEMORY_BYTES = 400 * 1024 ** 2

const name = z.string().regex(/^[\w.-]{1,100}$/)
const Settings = z.object({
  model_file: name,
  voices: name,
  voice_aliases: z.record(z.string().max(100), z.string().max(100)).default({}),
  speed_priors: z.record(z.string().max(100), z.number().min(0.1).max(10)).default({}),
})
type Settings = z.output<typeof Settings>
type Loaded = { graph: StyledGraph; settings: Settings; voices: ReadonlyMap<string, StyleTable> }
type More = { readonly open?: GraphFactory; readonly phonemize?: Phonemizer }

function createKitten(
  { filesOf, path, clock }: EngineDeps,
  { open = openPlacedGraph, phonemize = createPhonemizer({ clock }) }: More = {},
): EngineParts {
  const opening = openPerModel(openAll, ({ graph }) => graph.close())
  async function openAll(model: string): Promise<Loaded> {
    const files = requireDownloaded(filesOf, ID, model)
    const settings = await readModelJson(requireFile(files, ID, 'config.json'), 'config.json', Settings)
    const voices = await readNpz(await readFile(requireFile(files, ID, settings.voices)))
    for (const [id, { rows, columns }] of voices) {
      if (columns !== STYLE_WIDTH || rows === 0) {
        throw new Failure(
          'MODEL_NOT_DOWNLOADED',
          `The voice ${id.slice(0, 64)} of ${ID} has ${rows} × ${columns} values. Download the model again.`,
        )
      }
    }
    // CPU only: most downloads have 8-bit weights, which the providers of a GPU cannot compute.
    const options = { file: requireFile(files, ID, settings.model_file), device: 'cpu', single: null, what: ID }
    return { graph: await openStyledGraph(options, open), settings, voices }
  }

  async function* run(params: TtsParams, { signal, model }: RunContext): AsyncGenerator<EngineEvent> {
    // An agent that describes itself does not need the rules of sentences.
    const { MAX_KITTEN_CHARACTERS, toKittenPieces } = await import('./pieces.ts')
    const tag = (params.language ?? '').trim().toLowerCase()
    if (tag !== '' && tag !== 'auto' && !/^en(?:[-_]|$)/.test(tag)) {
      throw new Failure('INVALID_TASK_PARAMS', `language: ${ID} supports English only, not "${tag.slice(0, 32)}".`)
    }
    const { graph, settings, voices } = await opening.load(model)
    const notices = unsupportedNotices(params)
    const voice = chooseVoice(params.voice, voicesOf(settings, voices), ID, notices)
    const table = voices.get(voice)!
    const prior = settings.speed_priors[voice] ?? 1
    let unexpected = 0
    const refused = new Set<string>()
    const speaker: Speaker = {
      rate: STYLED_SAMPLE_RATE,
      engine: ID,
      language: 'en-us',
      voice,
      maxCharacters: MAX_KITTEN_CHARACTERS,
      split: toKittenPieces,
      gapMs: 0,
      speeds: graph.hasWholeSpeeds ? [1, 1] : speedsOf(ID),
      async *speak(piece, speed, _random, abort) {
        const text = withEndPunctuation(piece)
        const row = Math.min([...withoutAnnotations(text)].length, table.rows - 1) * STYLE_WIDTH
        const style = table.values.subarray(row, row + STYLE_WIDTH)
        for (const ids of toKittenRuns(await phonemize(text, 'en-us', abort, (word) => refused.add(word)))) {
          await nextTurn()
          abort.throwIfAborted()
          const { samples, frames } = await graph.speakFrames(ids, style, speed * prior)
          if (frames !== null && frames * FRAME_SAMPLES !== samples.length) unexpected++
          yield samples.subarray(0, Math.max(1, samples.length - TAIL_SAMPLES))
        }
      },
      device: graph.device,
      deviceReason: graph.reason,
    }
    for await (const event of speakSegments(params, speaker, notices, signal)) {
      if (event.kind === 'result') {
        if (unexpected > 0)
          notices.push(`${unexpected} pieces have another length than the model announced; this export may differ from the reference.`)
        notices.push(...refusedWords(refused))
      }
      yield event
    }
  }

  return {
    describe: () => describeEach(filesOf, ID, (files) => describe(files, findProgram(ESPEAK, path) !== null)),
    load: async (model) => void (await opening.load(model)),
    operations: { tts: withParams(TtsParams, run) },
    placement: () => placementOf(opening.opened()?.graph),
    unload: opening.unload,
  }
}

export const kittenTts = defineEngine({ id: ID, maxBlockSeconds: 90, verification: KITTEN_VERIFICATION, create: createKitten })

function voicesOf({ voice_aliases }: Settings, voices: ReadonlyMap<string, StyleTable>) {
  const resolveAlias = (requested: string) =>
    Object.entries(voice_aliases).find(([friendly]) => friendly.toLowerCase() === requested.toLowerCase())?.[1] ?? requested
  const find = (requested: string) => (voices.has(resolveAlias(requested)) ? resolveAlias(requested) : undefined)
  return { names: [...voices.keys()], find, fallback: voices.has(DEFAULT_VOICE) ? DEFAULT_VOICE : undefined }
}

function describe(files: ModelFiles | null, hasEspeak: boolean): Capability {
  const isWhole = files !== null && findFile(files, 'config.json') !== null && [...files.keys()].some((key) => key.endsWith('.onnx'))
  const reasons = [
    ...(hasEspeak ? [] : [`The program ${ESPEAK}, which pronounces the text, is not installed. Run ${COMMAND} setup.`]),
    ...(isWhole ? [] : [`The model is not downloaded. Install it with ${COMMAND} models install KittenML/kitten-tts-nano-0.8-fp32.`]),
  ]
  return capability({
    engine: ID,
    operation: 'tts',
    implementation: 'kitten-tts-nano-0.8',
    languages: ['en'],
    voices: Object.entries(NAMES).map(([number, name]) => {
      const id = `expr-voice-${number}`
      return { id, name, language: 'en', ...(id === DEFAULT_VOICE && { defaultFor: ['*'] }) }
    }),
    installed: hasEspeak,
    downloaded: isWhole,
    phones: 'ipa',
    sampleRate: STYLED_SAMPLE_RATE,
    memoryBytes: MEMORY_BYTES,
    ...(reasons.length > 0 && { reason: reasons.join(' ') }),
  })
}
