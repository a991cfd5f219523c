// MOSS-TTS-Nano: 20 languages at 48 kHz, built-in voices and cloning, about real time on a plain processor. Code and weights are Apache-2.0.
// Upstream spells numbers out with a normaliser of its own before it speaks; here the text is read as it is written.

import { placing } from '#agent/engine/runtimes/onnx/place.ts'
import type { GraphFactory } from '#agent/engine/runtimes/onnx/session.ts'
import type { EngineDeps } from '#agent/engine/seam/catalog.ts'
import { type Capability, capability, type Engine, type EngineEvent, type Inputs } from '#agent/engine/seam/engine.ts'
import { downloaded, fileOf, type ModelFiles, need } from '#agent/engine/seam/model-files.ts'
import { openOnce, placementOf } from '#agent/engine/seam/opening.ts'
import { kept } from '#agent/engine/speech/autoregressive/kept.ts'
import { referenceAt } from '#agent/engine/speech/autoregressive/reference.ts'
import { type Speaker, speakAll } from '#agent/engine/speech/tts-driver.ts'
import { languageIn, noticesOf, ownVoiceIn } from '#agent/engine/speech/voice-choice.ts'
import { readSentencePiece, type Tokenizer } from '#agent/engine/text/sentencepiece.ts'
import { readSmall } from '#agent/engine/text/small-file.ts'
import { toTokenPieces } from '#agent/engine/text/token-pieces.ts'
import { parseParams } from '#shared/operations/table.ts'
import { TtsParams } from '#shared/operations/tts.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { type Moss, openMoss } from './graphs.ts'
import { CODEC_FILE, type Codes, MANIFEST_FILE, type MossPlan, readPlan, SPEECH_FILE, voiceNames } from './manifest.ts'

export const MOSS_ENGINE = 'moss-tts-nano'
const TOKENIZER_FILE = 'tokenizer.model'
const RATE = 48_000
const LANGUAGES = 'zh en de es fr ja it hu ko ru fa ar pl pt cs da sv el tr nl'.split(' ')
/** Tokens that the model takes at once, as upstream has it. */
const PIECE_TOKENS = 75
/** After a piece of few words the pause is longer: it is a heading or an exclamation. */
const FEW_WORDS = 4
const GAP_MS = { few: 400, many: 240 }
/** Until it was measured here: the two large graphs share a file of weights and hold it twice. */
const MEMORY_BYTES = 2 * 1024 ** 3

type Loaded = { readonly plan: MossPlan; readonly moss: Moss; readonly tokenizer: Tokenizer; device: string; reason: string }

export function createMoss({ filesOf }: EngineDeps, open: GraphFactory = placing): Engine {
  const heard = kept<Codes>()
  const opening = openOnce(openAll, async ({ moss }) => {
    heard.clear()
    await moss.close()
  })
  async function openAll(): Promise<Loaded> {
    const files = downloaded(filesOf, MOSS_ENGINE)
    const path = (name: string) => need(files, MOSS_ENGINE, name)
    const plan = await readPlan(files, MOSS_ENGINE)
    const tokenizer = readSentencePiece(await readSmall(path(TOKENIZER_FILE), TOKENIZER_FILE), TOKENIZER_FILE)
    const moss = await openMoss(plan, path, open)
    return { plan, moss, tokenizer, device: moss.device, reason: moss.reason }
  }

  async function* run(operation: string, params: unknown, signal: AbortSignal, inputs?: Inputs): AsyncGenerator<EngineEvent> {
    if (operation !== 'tts') throw new Failure('OPERATION_UNSUPPORTED', `${MOSS_ENGINE} does not do ${operation}`)
    const wanted = parseParams(TtsParams, params)
    languageIn(wanted.language, LANGUAGES, MOSS_ENGINE)
    const { plan, moss, tokenizer } = await opening.load()
    signal.throwIfAborted()
    const recorded = inputs?.get('reference')
    const notices = noticesOf(wanted, recorded !== undefined)
    if (plan.channels > 1) notices.push('This model makes stereo sound; its channels were mixed into one.')
    const named = recorded ? 'reference' : ownVoiceIn(wanted.voice, [...plan.voices.keys()], MOSS_ENGINE, notices)
    const voice = recorded
      ? await heard.of(recorded, async () => await moss.encode(await referenceAt(plan.rate, inputs!, signal, notices)))
      : plan.voices.get(named)!

    let cut = 0
    const speaker: Speaker = {
      rate: plan.rate,
      voice: named,
      longest: PIECE_TOKENS,
      split: (text) => toTokenPieces(text, PIECE_TOKENS, (piece) => tokenizer.encode(piece).length),
      gapMs: (before) => (before.split(/\s+/).length <= FEW_WORDS ? GAP_MS.few : GAP_MS.many),
      speeds: [1, 1],
      speak: (piece, _speed, random, abort) =>
        moss.speak({ voice, textIds: tokenizer.encode(piece), random, signal: abort, onCut: () => cut++ }),
      device: moss.device,
      deviceReason: moss.reason,
    }
    for await (const event of speakAll(wanted, speaker, notices, signal)) {
      if (event.kind === 'result' && cut > 0)
        notices.push(`${cut} pieces of the text did not end by themselves and were cut; another seed may help.`)
      yield event
    }
  }

  return {
    describe: () => [describe(filesOf(MOSS_ENGINE, ''))],
    load: async () => void (await opening.load()),
    run,
    placement: () => placementOf(opening.opened() ?? undefined),
    unload: opening.unload,
  }
}

function describe(files: ModelFiles | null): Capability {
  // Which graphs there are is said in these files; whether they are all here is seen when they are opened.
  const isWhole = files !== null && [MANIFEST_FILE, SPEECH_FILE, CODEC_FILE, TOKENIZER_FILE].every((name) => fileOf(files, name))
  const voices = isWhole ? voiceNames(fileOf(files, MANIFEST_FILE)!) : []
  return capability({
    engine: MOSS_ENGINE,
    operation: 'tts',
    implementation: 'moss-tts-nano',
    languages: LANGUAGES,
    voices: voices.map(({ id, name }) => ({ id, name, language: '*' })),
    cloning: true,
    downloaded: isWhole,
    sampleRate: RATE,
    memoryBytes: MEMORY_BYTES,
    ...(isWhole ? {} : { reason: 'The model is not downloaded: ./studio models install moss-tts-nano' }),
  })
}
