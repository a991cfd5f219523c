// The sound of a chapter from its cached segments: trimmed, at the level of its voice, with the silences of the script between them.
import { toS16 } from '#shared/audio/pcm.ts'
import { openResampler } from '#shared/audio/resampler.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { SegmentCache } from '../cache/segment-cache.ts'
import type { SegmentSound } from '../cache/segment-file.ts'
import { CHAPTER_EDGES } from './layout.ts'
import type { Rendering } from './renderer.ts'
import { amplified, trimmed } from './sound.rules.ts'
import type { WorkSegment } from './work.ts'

type Parts = {
  readonly cache: Pick<SegmentCache, 'read'>
  readonly rendering: Pick<Rendering, 'ready' | 'again'>
  readonly sampleRate: number
}

const READS = 3
const SILENCE_BYTES = 64 * 1024

function* silence(ms: number, sampleRate: number): Generator<Uint8Array> {
  for (let left = 2 * Math.round((ms * sampleRate) / 1000); left > 0; left -= SILENCE_BYTES)
    yield new Uint8Array(Math.min(left, SILENCE_BYTES))
}

/** Renders a segment again whose file is damaged. Throws why it cannot be rendered, STORAGE_FULL when it cannot be read back. */
export async function renderedSound(segment: WorkSegment, { cache, rendering }: Omit<Parts, 'sampleRate'>): Promise<SegmentSound> {
  for (let tries = 1; ; tries++) {
    await rendering.ready(segment.key)
    const sound = await cache.read(segment.key)
    if (sound) return sound
    if (tries === READS) throw new Failure('STORAGE_FULL', 'A rendered segment cannot be read back from the disk.')
    rendering.again(segment)
  }
}

async function inRate({ pcm, sampleRate: from }: SegmentSound, gainDb: number, to: number): Promise<Float32Array[]> {
  const samples = amplified(trimmed(pcm, from), gainDb, from)
  if (from === to) return [samples]
  const resampler = await openResampler(from, to)
  try {
    return [resampler.push(samples), resampler.flush()]
  } finally {
    resampler.close()
  }
}

type Chapter = { readonly leadMs: number; readonly segments: readonly WorkSegment[] }

/** s16le mono; can be read again with a second call. Throws why a segment cannot be rendered. */
export async function* chapterSound({ leadMs, segments }: Chapter, parts: Parts): AsyncGenerator<Uint8Array> {
  const { sampleRate } = parts
  yield* silence(CHAPTER_EDGES.head, sampleRate)
  yield* silence(leadMs, sampleRate)
  for (const segment of segments) {
    for (const samples of await inRate(await renderedSound(segment, parts), segment.speaker.gainDb, sampleRate)) yield toS16(samples)
    yield* silence(segment.gapMs, sampleRate)
  }
  yield* silence(CHAPTER_EDGES.tail, sampleRate)
}

/** Places of the segments in the chapter, in samples, in the sound of `chapterSound`. Throws as it does. */
export async function segmentPlaces(
  { leadMs, segments }: Chapter,
  parts: Parts,
): Promise<{ readonly from: number; readonly to: number }[]> {
  const samplesIn = (ms: number) => Math.round((ms * parts.sampleRate) / 1000)
  const places: { from: number; to: number }[] = []
  let at = samplesIn(CHAPTER_EDGES.head) + samplesIn(leadMs)
  for (const { gapMs, ...segment } of segments) {
    const { pcm, sampleRate } = await renderedSound({ ...segment, gapMs }, parts)
    const to = at + Math.round((trimmed(pcm, sampleRate).length * parts.sampleRate) / sampleRate)
    places.push({ from: at, to })
    at = to + samplesIn(gapMs)
  }
  return places
}
