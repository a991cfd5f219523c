// Finds the onsets of speech, by voice activity detection over the isolated voice or the whole sound. Kept with the sound that they were
// found in.

import { z } from 'zod'
import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'
import { secondsOf, usOf } from '#control-plane/features/dubbing/store/dub.ts'
import { openBlocks } from '#control-plane/media/film/sound/blocks.ts'
import { createDownmix } from '#shared/audio/channels/downmix.ts'
import { fromS16, toS16 } from '#shared/audio/pcm.ts'
import { wavHeader } from '#shared/audio/wav.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'
import { onsetsKey } from '../prep/prep.rules.ts'
import type { SpeechSpans } from './speech-spans.ts'

/** Sound of one task. Its bytes are hashed at once, which must not hold up other requests. */
const PART_SECONDS = 60
/** Sound that is mixed to mono at once. */
const SLICE_SECONDS = 2
const WITHIN_MS = 3600_000
/** Spans of two parts that touch are one. */
const JOINED_SECONDS = 0.2
const Spans = z.object({ spans: z.array(z.unknown()) })
const Span = z.object({ startUs: z.int(), endUs: z.int() })
/** A film of ten hours has 10,000, which would take 20 ms at once. */
const SPANS_A_TURN = 1_000
export type FilmSpeech = { readonly startUs: number; readonly endUs: number }
type Deps = {
  readonly core: Pick<DubCore, 'files' | 'dub'>
  readonly speechSpans: SpeechSpans
  /** Makes the sound of a dub again if it was evicted. */
  readonly requireSound: (dubId: string, signal: AbortSignal) => Promise<void>
}

export function createOnsets({ core: { files, dub: dubOf }, speechSpans, requireSound }: Deps) {
  /** Spans of speech, ascending. Throws NOT_FOUND, MODEL_NOT_DOWNLOADED without a detector, and the reason of the signal. */
  async function speechOf(dubId: string, signal: AbortSignal): Promise<{ spans: readonly FilmSpeech[]; source: 'vocals' | 'mix' }> {
    const dub = dubOf(dubId)
    if (!dub.sound) throw new Failure('NOT_FOUND', 'The sound of this dub is not extracted yet.')
    const voice = dub.vocals !== null && (await files.find(dub.vocals)) ? dub.vocals : null
    const source = voice ?? dub.sound.speech
    const file = await files.obtain(
      onsetsKey(source),
      { kind: 'onsets', maker: dubId },
      dubId,
      async (_, stopping) => {
        if (voice === null) await requireSound(dubId, stopping)
        return JSON.stringify({ spans: await detect(files.pathOf(source), stopping) })
      },
      signal,
    )
    const stored = Spans.parse(JSON.parse(file.detail)).spans
    const spans: FilmSpeech[] = []
    for (let from = 0; from < stored.length; from += SPANS_A_TURN) {
      await nextTurn()
      for (const each of stored.slice(from, from + SPANS_A_TURN)) spans.push(Span.parse(each))
    }
    return { spans, source: voice === null ? 'mix' : 'vocals' }
  }

  async function detect(folder: string, signal: AbortSignal): Promise<FilmSpeech[]> {
    const sound = await openBlocks(folder)
    const spans: FilmSpeech[] = []
    const partFrames = PART_SECONDS * sound.sampleRate
    for (let from = 0; from < sound.samples; from += partFrames) {
      signal.throwIfAborted()
      const frames = Math.min(partFrames, sound.samples - from)
      const pieces: Uint8Array[] = [wavHeader({ sampleRate: sound.sampleRate, channels: 1, samples: frames })]
      const mixer = createDownmix(sound.channels, sound.sampleRate)
      for (let at = 0; at < frames; at += SLICE_SECONDS * sound.sampleRate) {
        const pcm = await sound.read(from + at, Math.min(SLICE_SECONDS * sound.sampleRate, frames - at))
        pieces.push(toS16(mixer.push(fromS16(pcm))))
      }
      pieces.push(toS16(mixer.flush()))
      const wav = Buffer.concat(pieces)
      const recording = { wav, seconds: frames / sound.sampleRate, withinMs: WITHIN_MS, signal, traceparent: '' }
      const found = await speechSpans(recording)
      if (!found) throw new Failure('MODEL_NOT_DOWNLOADED', 'No engine of this machine can detect speech now.')
      for (const { start, end } of found) {
        const [startUs, endUs] = [usOf(from / sound.sampleRate + start), usOf(from / sound.sampleRate + end)]
        const last = spans.at(-1)
        if (last && startUs - last.endUs < usOf(JOINED_SECONDS) && start < JOINED_SECONDS)
          spans[spans.length - 1] = { startUs: last.startUs, endUs }
        else spans.push({ startUs, endUs })
      }
    }
    return spans
  }

  return {
    speechOf,
    async read(dubId: string, signal: AbortSignal) {
      const { spans, source } = await speechOf(dubId, signal)
      return { onsets: spans.map(({ startUs }) => secondsOf(startUs)), source }
    },
  }
}
