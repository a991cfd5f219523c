// MOSS-TTS-Nano: 20 languages at 48 kHz, preset voices and cloning, about real time on a CPU. Code and weights are Apache-2.0.

import { openPlacedGraph } from '#agent/engine/runtimes/onnx/place.ts'
import type { GraphFactory } from '#agent/engine/runtimes/onnx/session.ts'
import { defineEngine, type EngineDeps, type EngineParts, type RunContext, withParams } from '#agent/engine/seam/define.ts'
import { type Capability, capability, type EngineEvent } from '#agent/engine/seam/engine.ts'
import { findFile, type ModelFiles, requireDownloaded, requireFile } from '#agent/engine/seam/model-files.ts'
import { openOnce, placementOf } from '#agent/engine/seam/opening.ts'
import { readReference } from '#agent/engine/speech/autoregressive/reference.ts'
import { type Speaker, speakSegments } from '#agent/engine/speech/tts-driver.ts'
import { createVoiceCache } from '#agent/engine/speech/voice-cache.ts'
import { chooseLanguage, choosePreset, unsupportedNotices } from '#agent/engine/speech/voice-choice.ts'
import { readSentencePiece, type Tokenizer } from '#agent/engine/text/sentencepiece.ts'
import { readSmallFile } from '#agent/engine/text/small-file.ts'
import { speedsOf } from '#shared/engines.ts'
import { TtsParams } from '#shared/operations/tts.ts'
import { COMMAND } from '#shared/protocol/version.ts'
import { detectLanguage } from '#shared/text/language.ts'
import { type Moss, openMoss } from './graphs.ts'
import { type AudioCodes, CODEC_FILE, MANIFEST_FILE, type MossPlan, readPlan, SPEECH_FILE, voiceNames } from './manifest.ts'
import { cleanMossText } from './text.ts'
import { MOSS_VERIFICATION } from './verification.ts'

const ID = 'moss-tts-nano'
const TOKENIZER_FILE = 'tokenizer.model'
const RATE = 48_000
const LANGUAGES = 'zh en de es fr ja it hu ko ru fa ar pl pt cs da sv el tr nl'.split(' ')
/** UTF-16 units of a segment that decide about its language. */
const READ_CHARACTERS = 1_000
/** Tokens per piece, as upstream. */
const PIECE_TOKENS = 75
/** A piece of few words, such as a heading or an exclamation, is followed by a longer pause. */
const FEW_WORDS = 4
const GAP_MS = { few: 400, many: 240 }
/** Estimate until a host has measured it: the two large graphs share one file of weights, which is loaded twice. */
const MEMORY_BYTES = 2 * 1024 ** 3

type Loaded = { readonly plan: MossPlan; readonly moss: Moss; readonly tokenizer: Tokenizer; device: string; reason: string }

function createMoss({ filesOf }: EngineDeps, open: GraphFactory = openPlacedGraph): EngineParts {
  const voiceCache = createVoiceCache<AudioCodes>()
  const opening = openOnce(openAll, async ({ moss }) => {
    voiceCache.clear()
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

  async function* run(params: TtsParams, { signal, inputs, owner }: RunContext): AsyncGenerator<EngineEvent> {
    // An agent that describes itself does not need the rules of sentences.
    const { toTokenPieces } = await import('#agent/engine/text/token-pieces.ts')
    const language = chooseLanguage(params.language, LANGUAGES, ID)
    const { plan, moss, tokenizer } = await opening.load()
    signal.throwIfAborted()
    const recorded = inputs.get('reference')
    const notices = unsupportedNotices(params, recorded !== undefined)
    if (plan.channels > 1) notices.push('This model produces stereo; both channels were mixed to mono.')
    const voiceId = recorded ? 'reference' : choosePreset(params.voice, { names: [...plan.voices.keys()] }, ID, notices)
    const encode = async () => await moss.encode(await readReference(plan.rate, inputs, signal, notices))
    const voice = recorded ? await voiceCache.of({ owner, recording: recorded }, encode) : plan.voices.get(voiceId)!

    let cut = 0
    const speaker: Speaker = {
      rate: plan.rate,
      clean: cleanMossText,
      engine: ID,
      language: (text) => languageOf(language, text),
      voice: voiceId,
      maxCharacters: PIECE_TOKENS,
      split: (text) => toTokenPieces(text, PIECE_TOKENS, (piece) => tokenizer.encode(piece).length, language),
      gapMs: (before) => (before.split(/\s+/).length <= FEW_WORDS ? GAP_MS.few : GAP_MS.many),
      speeds: speedsOf(ID),
      speak: (piece, _speed, random, abort) =>
        moss.speak({ voice, textIds: tokenizer.encode(piece), random, signal: abort, onCut: () => cut++ }),
      device: moss.device,
      deviceReason: moss.reason,
    }
    for await (const event of speakSegments(params, speaker, notices, signal)) {
      if (event.kind === 'result' && cut > 0)
        notices.push(`${cut} pieces of the text exceeded the length limit and were cut; another seed may help.`)
      yield event
    }
  }

  return {
    describe: () => [describe(filesOf(ID, ''))],
    load: async () => void (await opening.load()),
    operations: { tts: withParams(TtsParams, run) },
    placement: () => placementOf(opening.opened() ?? undefined),
    forgetVoices: voiceCache.forget,
    unload: opening.unload,
  }
}

/** Null if it is unknown. As upstream, Latin text of an unknown language is English. */
function languageOf(language: string, segment: string): string | null {
  if (language !== '') return language
  const text = segment.slice(0, READ_CHARACTERS)
  return /[A-Za-z]/.test(text) ? (detectLanguage(text)?.code ?? 'en') : null
}

export const mossTtsNano = defineEngine({ id: ID, maxBlockSeconds: 90, verification: MOSS_VERIFICATION, create: createMoss })

function describe(files: ModelFiles | null): Capability {
  // These files list the graphs; a missing graph is detected when the model is opened.
  const isWhole = files !== null && [MANIFEST_FILE, SPEECH_FILE, CODEC_FILE, TOKENIZER_FILE].every((name) => findFile(files, name))
  const voices = isWhole ? voiceNames(findFile(files, MANIFEST_FILE)!) : []
  return capability({
    engine: ID,
    operation: 'tts',
    implementation: 'moss-tts-nano',
    languages: LANGUAGES,
    voices: voices.map(({ id, name }, at) => ({ id, name, language: '*', ...(at === 0 && { defaultFor: ['*'] }) })),
    cloning: true,
    downloaded: isWhole,
    sampleRate: RATE,
    memoryBytes: MEMORY_BYTES,
    ...(isWhole
      ? {}
      : { reason: `The model is not downloaded. Install it with ${COMMAND} models install OpenMOSS-Team/MOSS-TTS-Nano-100M-ONNX.` }),
  })
}
