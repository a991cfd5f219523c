// KittenTTS nano: English, eight voices, 24 kHz, small enough for any machine; pronounced by the espeak-ng program. Weights and code are
// Apache-2.0; espeak-ng is GPL-3 and stays outside.

import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { placing } from '#agent/engine/runtimes/onnx/place.ts'
import type { GraphFactory } from '#agent/engine/runtimes/onnx/session.ts'
import type { EngineDeps } from '#agent/engine/seam/catalog.ts'
import { type Capability, capability, type Engine, type EngineEvent, type Inputs } from '#agent/engine/seam/engine.ts'
import { describeEach, downloaded, fileOf, type ModelFiles, need, readJson } from '#agent/engine/seam/model-files.ts'
import { openPerModel, placementOf } from '#agent/engine/seam/opening.ts'
import { createPhonemizer, ESPEAK, type Phonemizer } from '#agent/engine/speech/phonemes.ts'
import { openStyled, RATE, STYLE_WIDTH, type Styled } from '#agent/engine/speech/styled-graph.ts'
import { type Speaker, speakAll } from '#agent/engine/speech/tts-driver.ts'
import { noticesOf, voiceIn } from '#agent/engine/speech/voice-choice.ts'
import { parseParams } from '#shared/operations/table.ts'
import { TtsParams } from '#shared/operations/tts.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { findProgram } from '#shared/runtime/program.ts'
import { readNpz, type Table } from './npz.ts'
import { closed, toIds } from './symbols.ts'

export const KITTEN_ENGINE = 'kittentts'
const VOICES = [2, 3, 4, 5].flatMap((number) => ['m', 'f'].map((who) => `expr-voice-${number}-${who}`))
const DEFAULT_VOICE = 'expr-voice-5-m'
const LONGEST_PIECE = 400
/** The model ends every piece with a click and silence of this length. */
const TAIL = 5_000
const MEMORY_BYTES = 400 * 1024 ** 2

const name = z.string().regex(/^[\w.-]{1,100}$/)
const Settings = z.object({
  model_file: name,
  voices: name,
  voice_aliases: z.record(z.string().max(100), z.string().max(100)).default({}),
  speed_priors: z.record(z.string().max(100), z.number().min(0.1).max(10)).default({}),
})
type Settings = z.output<typeof Settings>
type Loaded = { graph: Styled; settings: Settings; voices: ReadonlyMap<string, Table> }
type More = { readonly open?: GraphFactory; readonly phonemize?: Phonemizer }

export function createKitten(
  { filesOf, path, clock }: EngineDeps,
  { open = placing, phonemize = createPhonemizer({ clock }) }: More = {},
): Engine {
  const opening = openPerModel(openAll, ({ graph }) => graph.close())
  async function openAll(model: string): Promise<Loaded> {
    const files = downloaded(filesOf, KITTEN_ENGINE, model)
    const settings = await readJson(need(files, KITTEN_ENGINE, 'config.json'), 'config.json', Settings)
    const voices = readNpz(await readFile(need(files, KITTEN_ENGINE, settings.voices)))
    for (const [id, { rows, columns }] of voices) {
      if (columns !== STYLE_WIDTH || rows === 0) {
        throw new Failure(
          'MODEL_NOT_DOWNLOADED',
          `the voice ${id.slice(0, 64)} of ${KITTEN_ENGINE} is ${rows} × ${columns}; download the model again`,
        )
      }
    }
    // Eight-bit weights are slower than single precision on the CPU and there is no other variant of one download.
    const wish = { file: need(files, KITTEN_ENGINE, settings.model_file), device: 'cpu', single: null, what: KITTEN_ENGINE }
    return { graph: await openStyled(wish, open), settings, voices }
  }

  async function* run(
    operation: string,
    params: unknown,
    signal: AbortSignal,
    _inputs?: Inputs,
    model?: string,
  ): AsyncGenerator<EngineEvent> {
    if (operation !== 'tts') throw new Failure('OPERATION_UNSUPPORTED', `${KITTEN_ENGINE} does not do ${operation}`)
    const wanted = parseParams(TtsParams, params)
    const tag = (wanted.language ?? '').trim().toLowerCase()
    if (tag !== '' && tag !== 'auto' && !/^en(?:[-_]|$)/.test(tag)) {
      throw new Failure('INVALID_TASK_PARAMS', `language: ${KITTEN_ENGINE} speaks English only, not "${tag.slice(0, 32)}"`)
    }
    const { graph, settings, voices } = await opening.load(model)
    const notices = noticesOf(wanted)
    const voice = voiceIn(wanted.voice, voicesOf(settings, voices), KITTEN_ENGINE, notices)
    const table = voices.get(voice)!
    const prior = settings.speed_priors[voice] ?? 1
    const speaker: Speaker = {
      rate: RATE,
      voice,
      longest: LONGEST_PIECE,
      gapMs: 0,
      speeds: [0.5, 2],
      async speak(piece, speed, _random, abort) {
        const text = closed(piece)
        const ids = toIds(await phonemize(text, 'en-us', abort))
        abort.throwIfAborted()
        const row = Math.min([...text].length, table.rows - 1) * STYLE_WIDTH
        const samples = await graph.speak(ids, table.values.subarray(row, row + STYLE_WIDTH), speed * prior)
        return samples.subarray(0, Math.max(1, samples.length - TAIL))
      },
      device: graph.device,
      deviceReason: graph.reason,
    }
    yield* speakAll(wanted, speaker, notices, signal)
  }

  return {
    describe: () => describeEach(filesOf, KITTEN_ENGINE, (files) => describe(files, findProgram(ESPEAK, path) !== null)),
    load: async (model) => void (await opening.load(model)),
    run,
    placement: () => placementOf(opening.opened()?.graph),
    unload: opening.unload,
  }
}

function voicesOf({ voice_aliases }: Settings, voices: ReadonlyMap<string, Table>) {
  const behind = (asked: string) =>
    Object.entries(voice_aliases).find(([friendly]) => friendly.toLowerCase() === asked.toLowerCase())?.[1] ?? asked
  const find = (asked: string) => (voices.has(behind(asked)) ? behind(asked) : undefined)
  return { names: [...voices.keys()], find, fallback: voices.has(DEFAULT_VOICE) ? DEFAULT_VOICE : undefined }
}

function describe(files: ModelFiles | null, hasEspeak: boolean): Capability {
  const isWhole = files !== null && fileOf(files, 'config.json') !== null && [...files.keys()].some((key) => key.endsWith('.onnx'))
  const reasons = [
    ...(hasEspeak ? [] : [`The program ${ESPEAK}, which pronounces the text, is not installed.`]),
    ...(isWhole ? [] : ['The model is not downloaded: ./studio models install kittentts']),
  ]
  return capability({
    engine: KITTEN_ENGINE,
    operation: 'tts',
    implementation: 'kitten-tts-nano-0.8',
    languages: ['en'],
    voices: VOICES.map((id) => ({ id, name: `${id.endsWith('m') ? 'Male' : 'Female'} ${id.at(-3)}`, language: 'en' })),
    installed: hasEspeak,
    downloaded: isWhole,
    sampleRate: RATE,
    memoryBytes: MEMORY_BYTES,
    ...(reasons.length > 0 && { reason: reasons.join(' ') }),
  })
}
