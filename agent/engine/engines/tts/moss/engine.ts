// MOSS-TTS-Nano: 20 languages at 48 kHz, built-in voices and cloning, about real time on a plain processor. Code and weights are Apache-2.0.
// Upstream spells numbers out with a normaliser of its own before it speaks; here the text is read as it is written.

import { openPlacedGraph } from '#agent/engine/runtimes/onnx/place.ts'
import type { GraphFactory } from '#agent/engine/runtimes/onnx/session.ts'
import { defineEngine, type EngineDeps, type EngineParts, type RunContext, withParams } from '#agent/engine/seam/define.ts'
import { type Capability, capability, type EngineEvent } from '#agent/engine/seam/engine.ts'
import { findFile, type ModelFiles, requireDownloaded, requireFile } from '#agent/engine/seam/model-files.ts'
import { openOnce, placementOf } from '#agent/engine/seam/opening.ts'
import { createVoiceCache } from '#agent/engine/speech/autoregressive/kept.ts'
import { readReference } from '#agent/engine/speech/autoregressive/reference.ts'
import { type Speaker, speakAll } from '#agent/engine/speech/tts-driver.ts'
import { chooseLanguage, choosePreset, unsupportedNotices } from '#agent/engine/speech/voice-choice.ts'
import { readSentencePiece, type Tokenizer } from '#agent/engine/text/sentencepiece.ts'
import { readSmallFile } from '#agent/engine/text/small-file.ts'
import { toTokenPieces } from '#agent/engine/text/token-pieces.ts'
import { TtsParams } from '#shared/operations/tts.ts'
import { type Moss, openMoss } from './graphs.ts'
import { type AudioCodes, CODEC_FILE, MANIFEST_FILE, type MossPlan, readPlan, SPEECH_FILE, voiceNames } from './manifest.ts'

const ID = 'moss-tts-nano'
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

function createMoss({ filesOf }: EngineDeps, open: GraphFactory = openPlacedGraph): EngineParts {
  const heard = createVoiceCache<AudioCodes>()
  const opening = openOnce(openAll, async ({ moss }) => {
    heard.clear()
    await moss.close()
  })
  async function openAll(): Promise<Loaded> {
    const files = requireDownloaded(filesOf, ID)
    const path = (name: string) => requireFile(files, ID, name)
    const plan = await readPlan(files, ID)
    const tokenizer = readSentencePiece(await readSmallFile(path(TOKENIZER_FILE), TOKENIZER_FILE), TOKENIZER_FILE)
    const moss = await openMoss(plan, path, open)
    return { plan, moss, tokenizer, device: moss.device, reason: moss.reason }
  }

  async function* run(wanted: TtsParams, { signal, inputs }: RunContext): AsyncGenerator<EngineEvent> {
    chooseLanguage(wanted.language, LANGUAGES, ID)
    const { plan, moss, tokenizer } = await opening.load()
    signal.throwIfAborted()
    const recorded = inputs.get('reference')
    const notices = unsupportedNotices(wanted, recorded !== undefined)
    if (plan.channels > 1) notices.push('This model makes stereo sound; its channels were mixed into one.')
    const named = recorded ? 'reference' : choosePreset(wanted.voice, [...plan.voices.keys()], ID, notices)
    const voice = recorded
      ? await heard.of(recorded, async () => await moss.encode(await readReference(plan.rate, inputs, signal, notices)))
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
    describe: () => [describe(filesOf(ID, ''))],
    load: async () => void (await opening.load()),
    operations: { tts: withParams(TtsParams, run) },
    placement: () => placementOf(opening.opened() ?? undefined),
    unload: opening.unload,
  }
}

export const mossTtsNano = defineEngine({ id: ID, maxBlockSeconds: 90, create: createMoss })

function describe(files: ModelFiles | null): Capability {
  // Which graphs there are is said in these files; whether they are all here is seen when they are opened.
  const isWhole = files !== null && [MANIFEST_FILE, SPEECH_FILE, CODEC_FILE, TOKENIZER_FILE].every((name) => findFile(files, name))
  const voices = isWhole ? voiceNames(findFile(files, MANIFEST_FILE)!) : []
  return capability({
    engine: ID,
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
