// The look of the picture during each line, for people and language models that choose a tone.
import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'
import { wantedId } from '../upload/upload.rules.ts'
import { figuresOf, lookOf, meanLook, type PictureFigures, sampleTimes, UNKNOWN_LOOK } from './context.rules.ts'

const MAX_FRAMES = 30

export type ContextCore = Pick<DubCore, 'dub' | 'store' | 'files' | 'film'>

export function createVideoContext({ dub: dubOf, store, files, film }: ContextCore) {
  /**
   * Throws NOT_FOUND, BAD_REQUEST for a wrong id and a film that cannot be read, PROGRAM_MISSING without ffmpeg, and the reason of the signal.
   */
  return async (id: string, signal: AbortSignal) => {
    wantedId(id)
    const { probe, sourceDigest } = dubOf(id)
    if (!probe?.video) return { error: 'This dub has no picture.', segments: {} }
    if (!(await files.find(sourceDigest))) return { error: 'The film of this dub was deleted. Upload it again.', segments: {} }
    const lines = store.segments.list(id)
    const times = sampleTimes(lines, MAX_FRAMES)
    const pairs = await film.frames(
      files.pathOf(sourceDigest),
      probe,
      times.map(({ timeUs }) => timeUs),
      signal,
    )
    const found = new Map<number, PictureFigures>()
    for (const [number, { index }] of times.entries()) {
      const pair = pairs[number]
      if (pair) found.set(index, figuresOf(pair))
    }
    const common = meanLook([...found.values()])
    const cues = lines.map((_, index) => {
      const own = found.get(index)
      return [String(index), { ...(own ? lookOf(own) : UNKNOWN_LOOK), frame_count: own ? 1 : 0 }] as const
    })
    return {
      global_mood: common.mood,
      global_brightness: common.brightness,
      segments: Object.fromEntries(cues),
      frame_count: found.size,
    }
  }
}
