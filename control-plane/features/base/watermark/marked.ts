// Marks finished recordings of voices that an engine made, when they leave the studio. A human recording is never given to it.
import type { Media } from '#control-plane/media/encode.ts'
import type { MarkOf, WatermarkApi } from './api.ts'

type Deps = { readonly media: Pick<Media, 'encode'>; readonly markOf: MarkOf; readonly hasMark: WatermarkApi['hasMark'] }

/** The part of a recording in which an earlier mark is looked for. */
const SEARCHED_SECONDS = 8

export function createMarked({ media, markOf, hasMark }: Deps): WatermarkApi['marked'] {
  return async (pcm, sampleRate, digest, signal) => {
    const isMarked = await hasMark(pcm.subarray(0, 2 * SEARCHED_SECONDS * sampleRate), sampleRate, signal)
    const source = (async function* () {
      yield pcm
    })()
    const mark = isMarked ? null : markOf({ engine: 'voice', params: digest })
    const { body } = await media.encode({ format: 'wav', sampleRate, source, mark, effects: null, master: false, signal })
    const pieces: Uint8Array[] = []
    for await (const piece of body) pieces.push(piece)
    return Buffer.concat(pieces)
  }
}
