// A neural English voice that is part of the agent: its network has 8 MB and speaks about fifty times faster than real time on one core. Further
// voices of the same kind are models of the catalogue.

import { isOnnxInstalled, ONNX_NOT_INSTALLED } from '#agent/engine/runtimes/onnx/library.ts'
import { type Graph, type GraphFactory, openGraph } from '#agent/engine/runtimes/onnx/session.ts'
import { defineEngine, type EngineDeps, type EngineParts, type RunContext, withParams } from '#agent/engine/seam/define.ts'
import { type Capability, capability, type EngineEvent } from '#agent/engine/seam/engine.ts'
import { type Opening, openOnce } from '#agent/engine/seam/opening.ts'
import type { SeededRandom } from '#agent/engine/seam/random.ts'
import { withoutEnds } from '#agent/engine/speech/edges.ts'
import { type SymbolTable, toKokoroIds } from '#agent/engine/speech/kokoro-symbols.ts'
import { chooseLanguage, chooseVoice, unsupportedNotices } from '#agent/engine/speech/voice-choice.ts'
import type { FilesOf } from '#agent/models/manifest.ts'
import { concat } from '#shared/audio/stage.ts'
import { speedsOf } from '#shared/engines.ts'
import { TtsParams } from '#shared/operations/tts.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { foreignWords, omittedWords, type ScriptCode } from '#shared/text/scripts.ts'
import { MAX_SYMBOLS, openHeart, readHeartTable, spectraAt } from './network.ts'
import { HEART_SAMPLE_RATE, type HeartFrames, toSound } from './sound.ts'
import { HEART_VERIFICATION } from './verification.ts'
import { EMBEDDED_VOICE, graphOf, HEART_DIGEST, HEART_ID, type HeartVoice, heartVoices } from './voices.ts'
import { noiseOf } from './waves.ts'

/** Characters of the first and of the longest piece of a text. */
const PIECES = { first: 60, most: 300 }
/** The network is quieter than the other voices by 7 dB. */
const GAIN = 10 ** (7 / 20)
const LANGUAGES: readonly string[] = ['en']
const SCRIPTS: readonly ScriptCode[] = ['Latn']
/** Measured: memory of the host process after a run. */
const MEMORY_BYTES = 256 * 1024 ** 2

type Loaded = { readonly graph: Graph; readonly table: SymbolTable }

function createHeart({ filesOf, clock }: EngineDeps, open: GraphFactory = openGraph): EngineParts {
  const openings = new Map<string, Opening<Loaded>>()
  // An agent that describes itself does not need its modules.
  const english = openOnce(
    async () => (await import('#agent/engine/speech/english/english.ts')).createEnglish({ clock }),
    (opened) => opened.close(),
  )
  async function load(voice: HeartVoice): Promise<Loaded> {
    const opening =
      openings.get(voice.id) ??
      openOnce(
        () => openVoice(voice),
        ({ graph }) => graph.close(),
      )
    openings.set(voice.id, opening)
    await (await english.load()).load(voice.language)
    return await opening.load()
  }
  async function openVoice({ id }: HeartVoice): Promise<Loaded> {
    const file = graphOf(id, filesOf)
    if (file === null) throw new Failure('MODEL_NOT_DOWNLOADED', `The voice ${id} of ${HEART_ID} is not on this machine.`)
    return { graph: await openHeart(file, open), table: await readHeartTable() }
  }

  async function* run(params: TtsParams, { signal, model }: RunContext): AsyncGenerator<EngineEvent> {
    // An agent that describes itself does not need the rules of sentences.
    const { splitInHalf, toGrowingPieces } = await import('#agent/engine/text/text-pieces.ts')
    chooseLanguage(params.language, LANGUAGES, HEART_ID)
    const notices = unsupportedNotices(params)
    const omitted = omittedWords(params.segments.reduce((sum, { text }) => sum + foreignWords(text, SCRIPTS), 0))
    if (omitted !== null) notices.push(omitted)
    const voice = voiceFor(params, model, filesOf, notices)
    const { graph, table } = await load(voice)
    const { symbols: symbolsOf } = await english.load()
    // An agent that describes itself does not need its modules.
    const { nothingLeftOut, speakPhones } = await import('#agent/engine/speech/phone-run.ts')
    const leftOut = nothingLeftOut()

    const speak = async (piece: string, speed: number, random: SeededRandom, abort: AbortSignal): Promise<Float32Array> => {
      abort.throwIfAborted()
      const symbols = await symbolsOf(piece, voice.language, { signal: abort, refused: (word) => leftOut.words.add(word) })
      const { ids, dropped } = toKokoroIds(symbols, table)
      // The network makes a sound of marks alone as well.
      if (!/\p{L}/u.test(symbols)) return new Float32Array(1)
      const halves = ids.length > MAX_SYMBOLS ? splitInHalf(piece) : null
      if (halves) return concat([await speak(halves[0], speed, random, abort), await speak(halves[1], speed, random, abort)])
      leftOut.sounds += dropped
      const noise = noiseOf(random)
      const samplesOf = (spectra: HeartFrames, pace: number) => withoutEnds(toSound(spectra, noise), HEART_SAMPLE_RATE, pace).length
      const parts: Float32Array[] = []
      // A word without a blank may be longer than what the network takes at once.
      for (let from = 0; from < ids.length; from += MAX_SYMBOLS)
        parts.push(toSound(await spectraAt(graph, ids.slice(from, from + MAX_SYMBOLS), speed, samplesOf), noise))
      return withoutEnds(concat(parts), HEART_SAMPLE_RATE, speed).map((sample) => sample * GAIN)
    }
    const speaker = {
      rate: HEART_SAMPLE_RATE,
      engine: HEART_ID,
      language: voice.language,
      voice: voice.id,
      maxCharacters: PIECES.most,
      split: (text: string) => toGrowingPieces(text, PIECES, voice.language),
      speeds: speedsOf(HEART_ID),
      speak,
      device: graph.device,
      deviceReason: graph.reason,
    }
    yield* speakPhones(params, speaker, { notices, leftOut }, signal)
  }

  return {
    describe: () => describe(filesOf),
    load: async (model = '') => void (await load(voiceFor({ voice: null, language: null }, model, filesOf, []))),
    operations: { tts: withParams(TtsParams, run) },
    async unload() {
      const open = [...openings.values()]
      openings.clear()
      await Promise.all([english.unload(), ...open.map((opening) => opening.unload())])
    },
  }
}

export const heart = defineEngine({ id: HEART_ID, maxBlockSeconds: 30, verification: HEART_VERIFICATION, create: createHeart })

/** The model is a voice. Without a requested voice, British English has a British voice where there is one. */
function voiceFor(
  { voice, language }: Pick<TtsParams, 'voice' | 'language'>,
  model: string,
  filesOf: FilesOf,
  notices: string[],
): HeartVoice {
  const voices = heartVoices(filesOf)
  const isBritish = (language ?? '').trim().toLowerCase().replace('_', '-') === 'en-gb'
  const british = isBritish ? voices.find((each) => each.language === 'en-gb') : undefined
  const find = (requested: string) => {
    const name = requested.toLowerCase().replace(/^[ab][fm]_/, '')
    return voices.find(({ id }) => id.replace(/^[ab][fm]_/, '') === name)?.id
  }
  const fallback = model || british?.id || EMBEDDED_VOICE
  const id = chooseVoice(voice, { names: voices.map((each) => each.id), fallback, find }, HEART_ID, notices)
  const found = voices.find((each) => each.id === id)
  if (found) return found
  throw new Failure('MODEL_NOT_DOWNLOADED', `The voice ${id.slice(0, 64)} of ${HEART_ID} is not on this machine.`)
}

function describe(filesOf: FilesOf): Capability[] {
  const voices = heartVoices(filesOf)
  const installed = isOnnxInstalled() && voices.some(({ id }) => id === EMBEDDED_VOICE)
  const whole = capability({
    engine: HEART_ID,
    operation: 'tts',
    implementation: 'hibari',
    languages: LANGUAGES,
    scripts: SCRIPTS,
    voices: voices.map((voice) => ({ ...voice, defaultFor: defaultsOf(voice, voices) })),
    installed,
    downloaded: installed,
    phones: 'ipa',
    sampleRate: HEART_SAMPLE_RATE,
    // Runs share one thread piece by piece; at fifty times real time, four streams have no gaps.
    permits: 4,
    modelDigest: HEART_DIGEST,
    memoryBytes: MEMORY_BYTES,
    ...(!installed && { reason: ONNX_NOT_INSTALLED }),
  })
  const further = voices.filter(({ id }) => id !== EMBEDDED_VOICE)
  return [whole, ...further.map((voice) => ({ ...whole, model: voice.id, voices: [{ ...voice, defaultFor: ['*'] }], modelDigest: '' }))]
}

/** The languages without a requested voice that `voiceFor` gives to this one. */
function defaultsOf({ id }: HeartVoice, voices: readonly HeartVoice[]): string[] {
  if (id === EMBEDDED_VOICE) return ['*']
  return id === voices.find(({ language }) => language === 'en-gb')?.id ? ['en-gb'] : []
}
