// Examines a part of a voice track with engines of this machine: its words, its language, and the places of its speech.

import type { SpeechSpans } from '#control-plane/features/dubbing/film/reading/speech-spans.ts'
import type { RecognitionApi } from '#control-plane/features/listening/recognition/api.ts'
import { keepUpload, type UploadDisk } from '#control-plane/http/input/form.ts'
import { type Offer, requireLocalOffers } from '#control-plane/inference/offers.ts'
import { recordingRequest } from '#control-plane/inference/recording.ts'
import type { Inference } from '#control-plane/inference/run.ts'
import type { SoundReader } from '#control-plane/media/film/sound/blocks.ts'
import { toS16 } from '#shared/audio/pcm.ts'
import { openResampler } from '#shared/audio/resampler.ts'
import { wavHeader } from '#shared/audio/wav.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { COMMAND } from '#shared/protocol/version.ts'
import type { CheckedSpan } from './rules/drift.rules.ts'
import { languageName } from './rules/language.rules.ts'

/** Mono, 32 bit float. */
export type CheckedSound = Pick<SoundReader, 'sampleRate' | 'read'>
export type Understood = {
  /** Null if no recogniser knows the language. */
  readonly text: string | null
  readonly engine: string
  /** ISO 639-1 from an engine that identifies languages; empty without one. */
  readonly identified: string
  /** In the track; null if no speech was found. */
  readonly measured: { readonly startUs: number; readonly endUs: number } | null
}
/** Engines that can examine lines in one language now, and reasons for those that cannot. */
export type CheckEngines = {
  /** Names the engines: what was found with the same name need not be found again. */
  readonly name: string
  readonly wordsMissing: string | null
  readonly timesMissing: string | null
  readonly languageMissing: string | null
}
type Caller = { readonly signal: AbortSignal; readonly traceparent: string }
export type Understand = {
  /** Throws NOT_READY while the engines of this machine start. */
  readonly engines: (language: string | null) => CheckEngines
  /** The failure for a check that needs words, with the payload that clients read. */
  readonly refusal: (why: string) => Failure
  /** Throws what POST /transcribe answers, and how the task ended. */
  readonly part: (track: CheckedSound, span: CheckedSpan, language: string | null, caller: Caller) => Promise<Understood>
}
type Deps = {
  readonly recognition: Pick<RecognitionApi, 'transcript' | 'recogniserOf' | 'partwise' | 'missing'>
  readonly inference: Pick<Inference, 'keepInput' | 'run'>
  readonly offered: () => readonly Offer[]
  readonly speechSpans: SpeechSpans
  readonly disk: UploadDisk
}
const RATE = 16_000
const WITHIN_MS = 600_000
/** Recordings that are shorter are refused; silence follows. */
const MIN_SECONDS = 1
/** In shorter speech, languages are mistaken for each other. */
const MIN_IDENTIFIED_US = 2e6
const INSTALL_RECOGNISER = `Install one that does with ${COMMAND} models install onnx-community/whisper-base_timestamped:q8.`

export function createUnderstand({ recognition, inference, offered, speechSpans, disk }: Deps): Understand {
  const offerOf = (operation: 'vad' | 'identify') => requireLocalOffers(offered(), operation)[0]

  function recogniserOf(language: string | null) {
    try {
      recognition.partwise.require()
    } catch (error) {
      if (Failure.from(error).code === 'NOT_READY') throw error
      return null
    }
    return recognition.recogniserOf(language)
  }

  async function measuredIn(wav: Uint8Array, { fromUs, toUs }: CheckedSpan, caller: Caller): Promise<Understood['measured']> {
    const recording = { wav, seconds: Math.max(MIN_SECONDS, (toUs - fromUs) / 1e6), withinMs: WITHIN_MS, ...caller }
    const spans = (await speechSpans(recording, { pad_ms: 0 })) ?? []
    const [first, last] = [spans[0], spans.at(-1)]
    return first && last ? { startUs: fromUs + Math.round(first.start * 1e6), endUs: fromUs + Math.round(last.end * 1e6) } : null
  }

  async function identifiedIn(wav: Uint8Array, { fromUs, toUs }: CheckedSpan, caller: Caller): Promise<string> {
    const offer = offerOf('identify')
    if (!offer || toUs - fromUs < MIN_IDENTIFIED_US) return ''
    const recording = { wav, seconds: (toUs - fromUs) / 1e6, withinMs: WITHIN_MS, ...caller }
    const request = await recordingRequest(inference, offer, 'identify', {}, recording)
    return (await inference.run({ ...request, priority: 1 }, caller.signal)).language
  }

  async function wordsIn(wav: Buffer, language: string | null, caller: Caller) {
    if (!recogniserOf(language)) return { text: null, engine: '' }
    const { upload, close } = await keepUpload(disk, wav, 'line.wav')
    try {
      const { answer } = await recognition.transcript({ language, model: null, mode: null, refine: 'false' }, upload, caller)
      return { text: answer.text, engine: answer.engine }
    } finally {
      await close()
    }
  }

  return {
    refusal: recognition.missing,
    engines(language) {
      const recogniser = recogniserOf(language)
      const [vad, identify] = [offerOf('vad'), offerOf('identify')]
      const named = (offer: Pick<Offer, 'engine' | 'model'> | null | undefined) => (offer ? `${offer.engine} ${offer.model}` : '')
      const known = language === null ? 'the language of this dub' : languageName(language)
      const needs = `Words and language need a recogniser that knows ${known}, and this machine has none. ${INSTALL_RECOGNISER}`
      return {
        name: JSON.stringify([named(recogniser), named(vad), recogniser ? '' : named(identify)]),
        wordsMissing: recogniser ? null : needs,
        timesMissing: vad
          ? null
          : `Times need an engine that detects speech, and this machine has none. Install one with ${COMMAND} setup.`,
        languageMissing: recogniser || identify ? null : needs,
      }
    },
    async part(track, span, language, caller) {
      const wav = await wavOf(track, span)
      const { text, engine } = await wordsIn(wav, language, caller)
      // Words name their language; without them another engine does.
      const identified = text === null ? await identifiedIn(wav, span, caller) : ''
      return { text, engine, identified, measured: await measuredIn(wav, span, caller) }
    },
  }
}
/** 16 kHz. The track is mono, 32 bit float. */
async function wavOf(track: CheckedSound, { fromUs, toUs }: CheckedSpan): Promise<Buffer> {
  const frame = (us: number) => Math.round((us / 1e6) * track.sampleRate)
  const bytes = await track.read(frame(fromUs), frame(toUs) - frame(fromUs))
  const samples = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
  const resampler = await openResampler(track.sampleRate, RATE)
  try {
    const pieces = [resampler.push(samples), resampler.flush()].map((piece) => toS16(piece))
    const sound = pieces.reduce((sum, piece) => sum + piece.length / 2, 0)
    const silence = Buffer.alloc(2 * Math.max(0, MIN_SECONDS * RATE - sound))
    return Buffer.concat([wavHeader({ sampleRate: RATE, channels: 1, samples: sound + silence.length / 2 }), ...pieces, silence])
  } finally {
    resampler.close()
  }
}
