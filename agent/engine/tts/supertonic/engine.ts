// Supertonic-3: 31 languages at 44.1 kHz, ten voices, no phonemizer, no cloning. The weights are under OpenRAIL-M, whose use restrictions
// apply to every copy; the code of the model is MIT.

import { z } from 'zod'
import { openPlacedGraph } from '#agent/engine/runtimes/onnx/place.ts'
import { floats, type GraphFactory } from '#agent/engine/runtimes/onnx/session.ts'
import { defineEngine, type EngineDeps, type EngineParts, type RunContext, withParams } from '#agent/engine/seam/define.ts'
import { type Capability, capability, type EngineEvent } from '#agent/engine/seam/engine.ts'
import { describeEach, filesWithEnding, findFile, readModelJson, requireDownloaded, requireFile } from '#agent/engine/seam/model-files.ts'
import { openPerModel, placementOf } from '#agent/engine/seam/opening.ts'
import { type Speaker, speakSegments } from '#agent/engine/speech/tts-driver.ts'
import { chooseLanguage, chooseVoice, unsupportedNotices } from '#agent/engine/speech/voice-choice.ts'
import { speedsOf } from '#shared/engines.ts'
import { TtsParams } from '#shared/operations/tts.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { COMMAND } from '#shared/protocol/version.ts'
import {
  openSupertonic,
  SUPERTONIC_CONTRACTS,
  type Supertonic,
  type SupertonicGraph,
  type SupertonicShape,
  type SupertonicStyle,
} from './graphs.ts'
import {
  maxPieceCharacters,
  SUPERTONIC_LANGUAGES,
  toParagraphs,
  toSupertonicIds,
  toTaggedText,
  UNKNOWN_LANGUAGE,
  type UnicodeTable,
} from './text.ts'
import { SUPERTONIC_VERIFICATION } from './verification.ts'

const ID = 'supertonic3'
const RATE = 44_100
const DEFAULT_VOICE = 'M1'
const VOICES = ['F1', 'F2', 'F3', 'F4', 'F5', 'M1', 'M2', 'M3', 'M4', 'M5']
/** The default speed of upstream. */
const NORMAL_SPEED = 1.05
/** Default and range as in the documentation of version 3, which calls 5 steps low and 12 high quality. */
const DEFAULT_STEPS = 8
const STEPS = [1, 50] as const
const GAP_MS = 300
/** Estimate until a host has measured it: the weights and the working memory for one piece. */
const MEMORY_BYTES = 900 * 1024 ** 2

const size = z.int().min(1).max(1_000_000)
const Settings = z.object({
  ae: z.object({ sample_rate: size, base_chunk_size: size }),
  ttl: z.object({ chunk_compress_factor: size.max(1_000), latent_dim: size.max(10_000) }),
})
const Table = z.union([z.array(z.number().int()).max(2 ** 21), z.record(z.string(), z.number().int())])
type Nested = number | Nested[]
const values: z.ZodType<Nested> = z.lazy(() => z.union([z.number(), z.array(values)]))
const StyleTensor = z.object({ dims: z.array(size).length(3), data: z.array(values).max(1_000_000) })
const VoiceStyle = z.object({ style_ttl: StyleTensor, style_dp: StyleTensor })

type Loaded = {
  graphs: Supertonic
  shape: SupertonicShape
  table: UnicodeTable
  voices: Map<string, string>
  styles: Map<string, SupertonicStyle>
}

function createSupertonic({ filesOf }: EngineDeps, open: GraphFactory = openPlacedGraph): EngineParts {
  const opening = openPerModel(openAll, ({ graphs }) => graphs.close())
  async function openAll(model: string): Promise<Loaded> {
    const files = requireDownloaded(filesOf, ID, model)
    const path = (name: string) => requireFile(files, ID, name)
    const { ae, ttl } = await readModelJson(path('tts.json'), 'tts.json', Settings)
    const table: UnicodeTable = await readModelJson(path('unicode_indexer.json'), 'unicode_indexer.json', Table)
    const factor = ttl.chunk_compress_factor
    const shape = { rate: ae.sample_rate, chunk: ae.base_chunk_size * factor, channels: ttl.latent_dim * factor }
    const graphs = await openSupertonic((name: SupertonicGraph) => path(`${name}.onnx`), shape, open)
    return { graphs, shape, table, voices: filesWithEnding(files, 'voice_styles', '.json'), styles: new Map() }
  }

  async function* run(params: TtsParams, { signal, model }: RunContext): AsyncGenerator<EngineEvent> {
    // An agent that describes itself does not need the rules of sentences.
    const { toTextPieces } = await import('#agent/engine/text/text-pieces.ts')
    const language = chooseLanguage(params.language, SUPERTONIC_LANGUAGES, ID) || UNKNOWN_LANGUAGE
    const { graphs, shape, table, voices, styles } = await opening.load(model)
    const notices = unsupportedNotices(params)
    const names = [...voices.keys()]
    const voice = chooseVoice(params.voice, { names, fallback: fallbackOf(names) }, ID, notices)
    const style = styles.get(voice) ?? (await readStyle(voice, voices.get(voice)!))
    styles.set(voice, style)
    const steps = Math.min(STEPS[1], Math.max(STEPS[0], params.num_step ?? DEFAULT_STEPS))
    if (steps !== (params.num_step ?? steps)) notices.push(`This voice supports ${STEPS[0]} to ${STEPS[1]} steps; ${steps} were used.`)

    let dropped = 0
    const idsOf = (piece: string) => toSupertonicIds(toTaggedText(piece, language), table)
    const speaker: Speaker = {
      rate: shape.rate,
      engine: ID,
      language,
      voice,
      maxCharacters: maxPieceCharacters(language),
      split: (text) => toParagraphs(text).flatMap((paragraph) => toTextPieces(paragraph, maxPieceCharacters(language), language)),
      gapMs: GAP_MS,
      speeds: speedsOf(ID),
      seconds: async (piece) => (await graphs.seconds(idsOf(piece).ids, style)) / NORMAL_SPEED,
      async speak(piece, speed, random, abort) {
        const converted = idsOf(piece)
        dropped += converted.dropped
        if (converted.ids.length === 0) return new Float32Array(1)
        return await graphs.speak({ ids: converted.ids, style, speed: speed * NORMAL_SPEED, steps, random, signal: abort })
      },
      device: graphs.device,
      deviceReason: graphs.reason,
    }
    for await (const event of speakSegments(params, speaker, notices, signal)) {
      if (event.kind === 'result' && dropped > 0) notices.push(`${dropped} characters that this voice does not support were left out.`)
      yield event
    }
  }

  return {
    describe: () => describeEach(filesOf, ID, describe),
    load: async (model) => void (await opening.load(model)),
    operations: { tts: withParams(TtsParams, run) },
    placement: () => placementOf(opening.opened()?.graphs),
    unload: opening.unload,
  }
}

export const supertonic = defineEngine({ id: ID, maxBlockSeconds: 90, verification: SUPERTONIC_VERIFICATION, create: createSupertonic })

async function readStyle(voice: string, path: string): Promise<SupertonicStyle> {
  const { style_ttl, style_dp } = await readModelJson(path, `${voice}.json`, VoiceStyle)
  const tensor = ({ dims, data }: z.output<typeof StyleTensor>) => {
    const flat = Float32Array.from((data as unknown[]).flat(Number.POSITIVE_INFINITY) as number[])
    if (flat.length === dims.reduce((product, count) => product * count, 1)) return floats(flat, dims)
    throw new Failure(
      'MODEL_NOT_DOWNLOADED',
      `The file ${voice}.json has another number of values than it announces. Download the model again.`,
    )
  }
  return { ttl: tensor(style_ttl), dp: tensor(style_dp) }
}

/** Undefined if the first voice is the default. */
const fallbackOf = (names: readonly string[]) => (names.includes(DEFAULT_VOICE) ? DEFAULT_VOICE : undefined)

function describe(files: ReadonlyMap<string, string> | null): Capability {
  const voiceIds = files ? [...filesWithEnding(files, 'voice_styles', '.json').keys()] : VOICES
  const missing = files && Object.keys(SUPERTONIC_CONTRACTS).filter((name) => !findFile(files, `${name}.onnx`))
  const isComplete = missing?.length === 0
  return capability({
    engine: ID,
    operation: 'tts',
    implementation: 'supertonic-3',
    languages: SUPERTONIC_LANGUAGES,
    voices: voiceIds.map((id) => ({
      id,
      name: `${id.startsWith('F') ? 'Female' : 'Male'} ${id.slice(1)}`,
      language: '*',
      ...(id === (fallbackOf(voiceIds) ?? voiceIds[0]) && { defaultFor: ['*'] }),
    })),
    downloaded: isComplete,
    sampleRate: RATE,
    memoryBytes: MEMORY_BYTES,
    ...(isComplete ? {} : { reason: `The model is not downloaded. Install it with ${COMMAND} models install Supertone/supertonic-3.` }),
  })
}
