// The level of every voice of a book, from its casting sentence. The sentence is a segment of the cache, so a voice is measured once, and its
// gain depends on no text of a book: voices of a dialogue match, and a finished chapter never changes because of a later one.

import type { Inference } from '#control-plane/inference/run.ts'
import { createHistogramMeter, integratedLoudness } from '#shared/audio/master/histogram.ts'
import { wavHeader } from '#shared/audio/wav.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { SegmentCache } from '../cache/segment-cache.ts'
import type { SegmentSound } from '../cache/segment-file.ts'
import type { CastVoice } from '../render/casting.service.ts'
import { renderedSound } from '../render/chapter-sound.ts'
import type { PreparedBook } from '../render/prepare.ts'
import type { Renderer, RenderOptions } from '../render/renderer.ts'
import { trimmed } from '../render/sound.rules.ts'
import { voiceGain } from './casting-sentence.rules.ts'

type Deps = {
  readonly cache: Pick<SegmentCache, 'read' | 'used'>
  readonly renderer: Renderer
  readonly inference: Pick<Inference, 'keepInput'>
}
export type VoiceLevels = ReturnType<typeof createVoiceLevels>

/** The voices of a book, each once. */
export function voicesOf({ chapters }: Pick<PreparedBook, 'chapters'>): CastVoice[] {
  const voices = new Map<string, CastVoice>()
  for (const { segments } of chapters) for (const { speaker } of segments) voices.set(speaker.id, speaker)
  return [...voices.values()]
}

export function createVoiceLevels({ cache, renderer, inference }: Deps) {
  function levelled(voice: CastVoice, { sampleRate, pcm }: SegmentSound): CastVoice {
    const meter = createHistogramMeter(sampleRate)
    meter.push(trimmed(pcm, sampleRate))
    const gainDb = voiceGain(integratedLoudness(meter.finish()))
    if (!voice.isInvented) return { ...voice, gainDb }
    const wav = Buffer.concat([wavHeader({ sampleRate, channels: 1, samples: pcm.length / 2 }), pcm])
    const openReference = () => inference.keepInput('reference', wav)
    return { ...voice, gainDb, openReference, params: { ...voice.params, instruct: null, ref_text: voice.casting.text } }
  }

  /**
   * The book with the gain of every voice, and with a recording for voices that are invented. A voice that cannot say the sentence keeps its
   * level, which `notices` says. Throws STORAGE_FULL, the reason of the signal, and why an invented voice cannot speak.
   */
  return async (book: PreparedBook, options: RenderOptions): Promise<PreparedBook> => {
    const { signal } = options
    const voices = voicesOf(book)
    const rendering = renderer.render({ ...options, segments: voices.map(({ casting }) => casting) })
    const notices: string[] = []
    const known = new Map<string, CastVoice>()
    try {
      for (const voice of voices) {
        try {
          known.set(voice.id, levelled(voice, await renderedSound(voice.casting, { cache, rendering })))
        } catch (error) {
          signal.throwIfAborted()
          if (voice.isInvented || Failure.from(error).code === 'STORAGE_FULL') throw error
          notices.push(`The level of ${voice.voiced.speaker.name || 'a voice'} could not be measured, so no gain is applied.`)
          known.set(voice.id, voice)
        }
      }
      await cache.used(voices.map(({ casting }) => casting.key))
    } finally {
      await rendering.close()
    }
    const chapters = book.chapters.map((chapter) => ({
      ...chapter,
      segments: chapter.segments.map((segment) => ({ ...segment, speaker: known.get(segment.speaker.id)! })),
    }))
    return { ...book, chapters, notices: [...book.notices, ...notices] }
  }
}
