// What a machine understands of a part of a voice track, and where it finds speech in it.
import { toS16 } from '#shared/audio/pcm.ts'
import { openResampler } from '#shared/audio/resampler.ts'
import { wavHeader } from '#shared/audio/wav.ts'
import { keepUpload, type UploadDisk } from '../../../http/input/form.ts'
import { localOffers, type Offer } from '../../../inference/offers.ts'
import { recordingRequest } from '../../../inference/recording.ts'
import type { Inference } from '../../../inference/run.ts'
import type { SoundReader } from '../../../media/film/sound/blocks.ts'
import type { RecognitionApi } from '../../recognition/api.ts'
import type { CheckedSpan } from './qc.rules.ts'

export type Understood = {
  readonly text: string
  readonly engine: string
  /** In the track; null without speech, or without an engine that finds it. */
  readonly measured: { readonly startUs: number; readonly endUs: number } | null
}
type Caller = { readonly signal: AbortSignal; readonly traceparent: string }
/** Throws what POST /transcribe answers, and how the task ended. */
export type Understand = (track: SoundReader, span: CheckedSpan, language: string | null, caller: Caller) => Promise<Understood>
type Deps = {
  readonly recognition: Pick<RecognitionApi, 'transcript'>
  readonly inference: Pick<Inference, 'keepInput' | 'run'>
  readonly offered: () => readonly Offer[]
  readonly disk: UploadDisk
}
const RATE = 16_000
const WITHIN_MS = 600_000
/** Recordings that are shorter are refused; silence follows. */
const LEAST_SECONDS = 1

export function createUnderstand({ recognition, inference, offered, disk }: Deps): Understand {
  async function speechIn(wav: Uint8Array, { fromUs, toUs }: CheckedSpan, caller: Caller): Promise<Understood['measured']> {
    const offer = localOffers(offered(), 'vad')[0]
    if (!offer) return null
    const recording = { wav, seconds: Math.max(LEAST_SECONDS, (toUs - fromUs) / 1e6), withinMs: WITHIN_MS, ...caller }
    const request = await recordingRequest(inference, offer, 'vad', { pad_ms: 0 }, recording)
    const { segments } = await inference.run({ ...request, priority: 1 }, caller.signal)
    const [first, last] = [segments[0], segments.at(-1)]
    return first && last ? { startUs: fromUs + Math.round(first.start * 1e6), endUs: fromUs + Math.round(last.end * 1e6) } : null
  }

  return async (track, span, language, caller) => {
    const wav = await wavOf(track, span)
    const { upload, close } = await keepUpload(disk, wav, 'line.wav')
    try {
      const { answer } = await recognition.transcript({ language, model: null, mode: null, refine: 'false' }, upload, caller)
      return { text: answer.text, engine: answer.engine, measured: await speechIn(wav, span, caller) }
    } finally {
      await close()
    }
  }
}

/** 16 kHz. The track is mono, 32 bit float. */
async function wavOf(track: SoundReader, { fromUs, toUs }: CheckedSpan): Promise<Buffer> {
  const frame = (us: number) => Math.round((us / 1e6) * track.sampleRate)
  const bytes = await track.read(frame(fromUs), frame(toUs) - frame(fromUs))
  const samples = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
  const resampler = await openResampler(track.sampleRate, RATE)
  try {
    const pieces = [resampler.push(samples), resampler.flush()].map((piece) => toS16(piece))
    const sound = pieces.reduce((sum, piece) => sum + piece.length / 2, 0)
    const silence = Buffer.alloc(2 * Math.max(0, LEAST_SECONDS * RATE - sound))
    return Buffer.concat([wavHeader({ sampleRate: RATE, channels: 1, samples: sound + silence.length / 2 }), ...pieces, silence])
  } finally {
    resampler.close()
  }
}
